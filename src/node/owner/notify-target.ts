import { VaultError } from '../../base/vault-error.ts';

/** Where notices for the owner go, and in which form. */
export interface NotifyTarget {
  readonly kind: 'ntfy' | 'gotify' | 'webhook';
  /** With http or https, without a user name and password. */
  readonly url: string;
  /** The header `Authorization`, made of the user name and password that the address had. */
  readonly authorization?: string;
}

/**
 * Reads the address of `--notify`. `ntfy:` or `gotify:` before it says what is there; else an address
 * at ntfy.sh is one of ntfy, one that ends with `/message` and has a `token` is one of Gotify, and any
 * other gets JSON. Fails with `invalid_input`, without repeating the address: it may be secret.
 */
export function readNotifyTarget(given: string): NotifyTarget {
  const [, said, address = given] = /^(ntfy|gotify):(https?:\/\/.*)$/is.exec(given) ?? [];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new VaultError(
      'invalid_input',
      '"--notify" takes an address that begins with http:// or https://, after "ntfy:" or "gotify:" where that is needed.',
    );
  }
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  const kind = said === undefined ? kindOf(url) : (said.toLowerCase() as 'ntfy' | 'gotify');
  if (kind === 'ntfy' && !/^\/+[^/]/.test(url.pathname)) {
    throw new VaultError(
      'invalid_input',
      '"--notify" needs the topic of ntfy at the end of the address: https://ntfy.sh/<topic>.',
    );
  }
  const pair = [username, password].map(unescaped).join(':');
  return {
    kind,
    url: url.href,
    ...(pair === ':' ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
  };
}

/** The text behind the escapes of an address; as it is where they are wrong. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function kindOf({ hostname, pathname, searchParams }: URL): NotifyTarget['kind'] {
  if (hostname === 'ntfy.sh') return 'ntfy';
  return pathname.endsWith('/message') && searchParams.has('token') ? 'gotify' : 'webhook';
}

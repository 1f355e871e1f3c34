import { VaultError } from '../../base/vault-error.ts';
import { hostNameFrom, isLoopback } from '../../net/host-name.ts';

/**
 * The address of a Bridge v1 server, from what the user wrote: without `/bridge/v1` and without a
 * final slash. Fails with `invalid_input` when it is malformed.
 */
export function bridgeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw refusal(
      `"${text}" is not the address of a server. Give an address such as "http://127.0.0.1:3000".`,
    );
  }
  // The message does not quote the address, because it may have a password in it.
  if (url.username !== '' || url.password !== '') {
    throw refusal('The address of the server must not have a user name or a password in it.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw refusal(`The address of the server must not have a "?" or a "#": "${text}".`);
  }
  return `${url.origin}${url.pathname.replace(/(\/bridge\/v1)?\/*$/, '')}`;
}

/**
 * Fails with `invalid_input` when a key must not be sent to this address, because others in the
 * network could read it, or when it cannot be sent in a header. `from` is the option or variable that named it.
 */
export function checkKey(url: string, key: string, from: string): void {
  const { protocol, hostname } = new URL(url);
  const isHere = isLoopback(hostNameFrom(hostname) ?? '');
  if (protocol === 'http:' && !isHere) {
    throw refusal(
      `Everybody in the network could read the key on its way to "${url}": use an https address, or a tunnel to this machine.`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw refusal(
      `The key (${from}) must consist of ASCII letters, digits and punctuation, without spaces; look for stray spaces.`,
    );
  }
}

function refusal(message: string): VaultError {
  return new VaultError('invalid_input', message);
}

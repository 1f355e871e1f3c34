import { fromBase64Url } from '../text/base64url.ts';

/** An id and a secret as a client has sent them. */
interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/**
 * What stands after `Basic ` in an Authorization header may mean. OAuth wants both parts form-encoded,
 * which comes first; some clients send them as they are, which comes second where it differs. Nothing
 * when the text is malformed.
 */
export function basicCredentials(text: string): readonly Credentials[] {
  const packed = text.trim().replace(/={1,2}$/, '');
  const bytes = fromBase64Url(packed.replaceAll('+', '-').replaceAll('/', '_'));
  if (bytes === undefined) return [];
  const pair = new TextDecoder().decode(bytes);
  // An https id that was not encoded has colons of its own.
  const colon = pair.startsWith('https://') ? pair.lastIndexOf(':') : pair.indexOf(':');
  if (colon === -1) return [];
  const raw = { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
  const id = formDecoded(raw.id);
  const secret = formDecoded(raw.secret);
  if (id === undefined || secret === undefined) return [raw];
  return id === raw.id && secret === raw.secret ? [raw] : [{ id, secret }, raw];
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

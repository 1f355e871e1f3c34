import { strings } from '../words/strings.ts';
import { ApiFailure, post } from './api.ts';

/** What the server asks for a passkey with, as far as it is used here. */
interface PasskeyOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
}

/**
 * Asks the server to do something that may need a passkey. If it does, the browser asks the owner for
 * the passkey, and the request is sent once more with what that has answered.
 */
export async function postConfirmed<Answer>(path: string, body: object): Promise<Answer> {
  try {
    return await post<Answer>(path, body);
  } catch (error) {
    const options = error instanceof ApiFailure ? error.details['passkey'] : undefined;
    if (options === undefined) throw error;
    return post<Answer>(path, { ...body, passkey: await askPasskey(options as PasskeyOptions) });
  }
}

async function askPasskey({ challenge, rpId, timeout }: PasskeyOptions): Promise<object> {
  const found = await navigator.credentials
    ?.get({
      publicKey: {
        challenge: bytesOf(challenge),
        rpId,
        timeout,
        allowCredentials: [],
        userVerification: 'required',
      },
    })
    .catch((error: unknown) => {
      const { name } = error as DOMException;
      throw refused(name === 'SecurityError' ? strings.noPasskeysHere : strings.noPasskeyUsed);
    });
  if (!found) throw refused(strings.noPasskeysHere);
  const { id, type, response } = found as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature } =
    response as AuthenticatorAssertionResponse;
  return {
    id,
    type,
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
    },
  };
}

function refused(message: string): ApiFailure {
  return new ApiFailure({ code: 'forbidden', message, details: {} });
}

/** The bytes of a text in base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** Bytes in base64url. */
function textOf(bytes: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

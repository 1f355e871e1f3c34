/**
 * The script of the sign-in page and the owner's page, served as a file; those pages need
 * `script-src 'self'; connect-src 'self'`. It posts JSON twice. To `options`: `{ word }`; the answer
 * is the options of WebAuthn as JSON. To `answer`: `{ word, credential, name }` (`name` only when a
 * passkey is added); any 2xx is a success, and a failure may say `{ message }`.
 */
export const passkeyScript = '';

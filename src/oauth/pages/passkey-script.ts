/**
 * The script of the sign-in page and the owner's page, served as a file; those pages need
 * `script-src 'self'; connect-src 'self'`. It posts JSON twice. To `options`: `{ word }`; the answer
 * is the options of WebAuthn as JSON. To `answer`: `{ word, credential, name }` (`name` only when a
 * passkey is added); any 2xx is a success, which may say where to go with `{ next }`, a path of this
 * server, and a failure may say `{ message }`.
 */
export const passkeyScript = `'use strict';
(() => {
  const api = window.PublicKeyCredential;
  const works =
    api !== undefined &&
    navigator.credentials !== undefined &&
    typeof api.parseCreationOptionsFromJSON === 'function' &&
    typeof api.parseRequestOptionsFromJSON === 'function' &&
    typeof api.prototype.toJSON === 'function';
  if (!works) return;

  const post = async (url, body) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
    });
    const json = await answer.json().catch(() => ({}));
    if (answer.ok) return json;
    const said = json !== null && typeof json.message === 'string' ? json.message : undefined;
    throw Object.assign(new Error('refused'), { said });
  };

  const credentialOf = (kind, options) =>
    kind === 'create'
      ? navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options) });

  const sentences = {
    NotAllowedError: 'No passkey was used. You can try again.',
    AbortError: 'No passkey was used. You can try again.',
    InvalidStateError: 'This device has a passkey for this server already.',
    SecurityError: 'The browser allows no passkeys at this address.',
  };
  const sentenceOf = (error) =>
    error.said || sentences[error.name] || 'This did not work. Your passphrase works as before.';

  const drive = async (form) => {
    const { passkey: kind, options, answer, next, word } = form.dataset;
    const message = form.querySelector('[role=alert]');
    const button = form.querySelector('button');
    message.hidden = true;
    button.disabled = true;
    try {
      const credential = await credentialOf(kind, await post(options, { word }));
      const name = form.elements.namedItem('name');
      const done = await post(answer, {
        word,
        credential: credential.toJSON(),
        ...(name === null ? {} : { name: name.value }),
      });
      const to = new URL(done.next || next, window.location.href);
      window.location.assign(to.origin === window.location.origin ? to.href : next);
    } catch (error) {
      message.textContent = sentenceOf(error);
      message.hidden = false;
      button.disabled = false;
    }
  };

  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      drive(form);
    });
    form.hidden = false;
  }
  for (const text of document.querySelectorAll('[data-without-passkeys]')) text.hidden = true;
})();
`;

import { assert } from '../../base/assert.ts';
import { html } from './html.ts';
import { mark, page } from './page.ts';

/**
 * The answer to the consent form. It leads back to the client by itself, and with a link where the
 * browser does not. A redirect would be stopped by the policy `form-action 'self'`.
 */
export function backPage(view: {
  /** Where the client waits, with the answer in its query. It must have been checked before. */
  readonly to: string;
  readonly clientName: string;
  readonly allowed: boolean;
}): string {
  assert(!/[^!-~]|["'<>\\]/.test(view.to), 'the address of a client was checked');
  const name = view.clientName === '' ? 'the app' : view.clientName;
  const title = view.allowed ? 'Allowed' : 'Refused';
  const said = view.allowed
    ? `You have let ${name} in. You can disconnect it at any time on your owner’s page.`
    : `You have let nobody in. ${name === 'the app' ? 'The app' : name} is told so.`;
  const body = html`<main class="gate">${mark}
<h1>${title}</h1>
<p>${said}</p>
<a class="btn pri" href="${view.to}">Back to ${name}</a>
<p class="faint">If nothing happens by itself, use this button. Then you can close this page.</p>
</main>`;
  return page({ title, body, refresh: view.to });
}

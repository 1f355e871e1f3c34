import { html } from './html.ts';
import { page } from './page.ts';

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
  const title = view.allowed ? 'Allowed' : 'Refused';
  const body = html`<main><h1>${title}</h1><p><a href="${view.to}">Back to ${view.clientName}</a></p></main>`;
  return page({ title, body, refresh: view.to });
}

import { html } from './html.ts';
import { page } from './page.ts';

/** The page on which an owner is set up. The form posts `code`, `passphrase` and `again`. */
export function setUpPage(view: {
  readonly action: string;
  /** What was wrong with the last try. */
  readonly message?: string;
}): string {
  const body = html`<main><h1>Set up</h1><p>${view.message}</p><form method="post" action="${view.action}"><input name="code"><input type="password" name="passphrase"><input type="password" name="again"><button>Set up</button></form></main>`;
  return page({ title: 'Set up', body });
}

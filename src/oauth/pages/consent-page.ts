import type { ConsentView } from './consent-view.ts';
import { html } from './html.ts';
import { page } from './page.ts';

/**
 * The page on which the owner allows or refuses a client. The form posts `word`, `rights`, `where`
 * (`all` or `folders`), `folder` (several; empty ones do not count), `tools` (several), `days`,
 * `grant` (`new` or an id; absent where the client has no connection yet), `passphrase` (for
 * `delete`, may be empty) and `answer` (`allow` or `refuse`).
 */
export function consentPage(view: ConsentView): string {
  const body = html`<main><h1>${view.client.name}</h1><form method="post" action="${view.action}"><input type="hidden" name="word" value="${view.word}"><button name="answer" value="allow">Allow</button><button name="answer" value="refuse">Refuse</button></form></main>`;
  return page({ title: 'A program asks to come in', body });
}

import { html } from './html.ts';
import { page } from './page.ts';

/** What anybody sees while the server has no owner: how to set one up. */
export function noOwnerPage(view: {
  /** The address of the set-up page. */
  readonly setUp: string;
}): string {
  const body = html`<main><h1>No owner yet</h1><a href="${view.setUp}">Set up</a></main>`;
  return page({ title: 'No owner yet', body });
}

import { html } from './html.ts';
import type { OwnerView } from './owner-view.ts';
import { page } from './page.ts';

/** The owner's page: connections, passkeys, passphrase, and signing out. */
export function ownerPage(view: OwnerView): string {
  const body = html`<main><h1>Connections</h1><p>${view.message}</p></main>`;
  return page({ title: 'Connections', body });
}

import type { ClientKind } from '../ports/oauth-book.ts';
import { type Html, html } from './html.ts';

/** How far the name of a client can be trusted, in a few words beside the name. */
export function kindPill(kind: ClientKind): Html {
  const [look, words] = pills[kind];
  return html`<span class="pill ${look}">${words}</span>`;
}

const pills: Readonly<Record<ClientKind, readonly [look: string, words: string]>> = {
  known: ['good', 'known app'],
  document: ['warn', 'not a known app'],
  registered: ['warn', 'name not verified'],
  entered: ['good', 'entered by you'],
};

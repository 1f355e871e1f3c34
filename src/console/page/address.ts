import { signal } from '@preact/signals';
import { addressOf, type Place, readPlace } from './place.ts';

/** Where the page is. Only this file changes it. */
export const place = signal<Place>(readHere());

function readHere(): Place {
  return readPlace(location.pathname, location.search, location.hash);
}

/** The vault that the page shows, as a part of a place; empty where there is only one. */
export function vaultHere(): { readonly vault?: string } {
  const here = place.value;
  return 'vault' in here && here.vault !== undefined ? { vault: here.vault } : {};
}

/** Goes to a place; with `replace` the way back leads past the present one. */
export function go(to: Place, how: 'push' | 'replace' = 'push'): void {
  const address = addressOf(to);
  if (address === location.pathname + location.search + location.hash) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  place.value = to;
}

/** Follows the browser's own back and forward, and links inside the page. */
export function followAddress(): void {
  addEventListener('popstate', () => {
    place.value = readHere();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href') ?? '';
    if (link === null || !href.startsWith('/c')) return;
    if (link.hasAttribute('target') || link.hasAttribute('download')) return;
    // Links in a picture (SVG) have no fields for the parts of their address.
    const { pathname, search, hash } = new URL(href, location.origin);
    const to = readPlace(pathname, search, hash);
    if (to.screen === 'unknown' || to.screen === 'enter') return;
    event.preventDefault();
    go(to);
  });
}

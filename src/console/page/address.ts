import { signal } from '@preact/signals';
import { addressOf, type Place, readPlace } from './place.ts';

/** Where the page is. Only this file changes it. */
export const place = signal<Place>(readPlace(location.pathname, location.search));

/** Goes to a place; with `replace` the way back leads past the present one. */
export function go(to: Place, how: 'push' | 'replace' = 'push'): void {
  const address = addressOf(to);
  if (address === location.pathname + location.search) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  place.value = to;
}

/** Follows the browser's own back and forward, and links inside the page. */
export function followAddress(): void {
  addEventListener('popstate', () => {
    place.value = readPlace(location.pathname, location.search);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.origin !== location.origin) return;
    if (link.hasAttribute('download') || link.hash !== '') return;
    const to = readPlace(link.pathname, link.search);
    if (to.screen === 'unknown' || to.screen === 'enter') return;
    event.preventDefault();
    go(to);
  });
}

import { signal } from '@preact/signals';
import { go, place, vaultHere } from './address.ts';

/** Whether the search box of Notes is to get the focus as soon as it is there. */
export const wantsFind = signal(false);

/** Goes to the search box of Notes, from everywhere. An open note stays open where there is room. */
export function findNote(): void {
  const here = place.peek();
  const isNarrow = matchMedia('(max-width: 760px)').matches;
  if (here.screen !== 'notes') go({ screen: 'notes', ...vaultHere() });
  else if (isNarrow && here.path !== undefined) {
    const { query } = here;
    go({ screen: 'notes', ...vaultHere(), ...(query === undefined ? {} : { query }) });
  }
  wantsFind.value = true;
}

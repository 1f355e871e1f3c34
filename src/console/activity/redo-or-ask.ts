import { go } from '../page/address.ts';
import type { Place } from '../page/place.ts';
import { redoNow } from './undo-actions.ts';

/** Redoes what an undo took back: one change at once, several after a preview that lists them all. */
export function redoOrAsk(
  { undoneBy, changes }: { readonly undoneBy: number; readonly changes: number },
  place: Extract<Place, { screen: 'activity' }>,
): void {
  if (changes > 1) go({ ...place, undo: { redo: undoneBy } });
  else void redoNow(undoneBy);
}

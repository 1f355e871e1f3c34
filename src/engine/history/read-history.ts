import type { ChangeFilter, ChangeId, StateStore, StoredChange } from '../ports/state-store.ts';

const pageChanges = 200;

/** Reads every change that a filter admits, newest first, a page at a time. */
export async function* readHistory(
  state: Pick<StateStore, 'changes'>,
  filter: ChangeFilter,
): AsyncGenerator<StoredChange> {
  let oldest: ChangeId = Number.POSITIVE_INFINITY;
  for (let offset = 0; ; offset += pageChanges) {
    const { items } = await state.changes(filter, { limit: pageChanges, offset });
    for (const change of items) {
      // A change that is made while this reads moves older ones to later pages: skip those again.
      if (change.id >= oldest) continue;
      oldest = change.id;
      yield change;
    }
    if (items.length < pageChanges) return;
  }
}

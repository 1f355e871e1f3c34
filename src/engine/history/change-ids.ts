import { type ChangeName, isChangeWord } from '../../base/change-name.ts';
import { VaultError } from '../../base/vault-error.ts';
import { changeWord, wordReader } from '../change/change-names.ts';
import { changeRow } from '../change/change-row.ts';
import type { ChangeId } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { Turns } from '../vault/turns.ts';
import { readHistory } from './read-history.ts';

/**
 * Finds the numbers of changes by what callers call them; names that mean nothing are left out. To a
 * caller who has words of its own, numbers mean nothing: trying them would tell which are taken. All
 * others may give both, and the words of any reader. To find a word, the history is read from the
 * newest change on, once for all words.
 */
export async function changeIds(
  vault: BoundVault,
  names: readonly ChangeName[],
): Promise<ReadonlyMap<ChangeName, ChangeId>> {
  const reader = wordReader(vault.caller);
  const found = new Map<ChangeName, ChangeId>();
  const words = new Set<string>();
  for (const name of names) {
    if (typeof name === 'string' && isChangeWord(name)) words.add(name);
    else if (typeof name === 'number' && reader === undefined) found.set(name, name);
  }
  if (words.size === 0) return found;
  const { state, hash } = vault.vault.parts;
  const { key, readers } = await state.wordKey(reader);
  const turns = new Turns(vault);
  for await (const change of readHistory(vault.history, {})) {
    await turns.next();
    if (changeRow(vault, change) === undefined) continue;
    for (const each of reader === undefined ? readers : [reader]) {
      const word = changeWord(hash, { key, reader: each, id: change.id });
      if (words.delete(word)) found.set(word, change.id);
    }
    if (words.size === 0) break;
  }
  return found;
}

/**
 * The failure for changes that the history does not have or that the caller may not see: both get
 * the same answer.
 */
export function noSuchChange(names: readonly ChangeName[]): VaultError {
  const which =
    names.length === 1
      ? `There is no change ${names[0]}`
      : `There are no changes ${names.join(', ')}`;
  return new VaultError(
    'not_found',
    `${which} in the history; list the changes to see which there are.`,
    { details: { ids: names, missing: 'change' } },
  );
}

import type { Caller } from '../../base/caller.ts';
import type { ChangeName } from '../../base/change-name.ts';
import type { Hash } from '../ports/ports.ts';
import type { ChangeId, WordKey } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Who is given words of its own for changes: a caller who is limited to folders, by its token.
 * Undefined for everybody else, who is given numbers.
 */
export function wordReader({ scopes, token = '' }: Caller): string | undefined {
  return scopes.folders.includes('') ? undefined : token;
}

/** Makes the function from the number of a change to what the caller calls it. */
export async function changeNamer(vault: BoundVault): Promise<(id: ChangeId) => ChangeName> {
  const reader = wordReader(vault.caller);
  if (reader === undefined) return (id) => id;
  const { state, hash } = vault.vault.parts;
  const { key } = await state.wordKey(reader);
  return (id) => changeWord(hash, { key, reader, id });
}

/**
 * The word for a change: `c-` and 40 bits of an HMAC, so that words tell nothing about the order of
 * changes, and those of two tokens nothing about each other.
 */
export function changeWord(
  hash: Hash,
  { key, reader, id }: Pick<WordKey, 'key'> & { readonly reader: string; readonly id: ChangeId },
): string {
  const hex = hash.hmac(key, `change-1.${reader}.${id}`);
  const bits = [hex.slice(0, 5), hex.slice(5, 10)].map((part) => Number.parseInt(part, 16));
  return `c-${bits.map(fourLetters).join('')}`;
}

function fourLetters(bits: number): string {
  return [15, 10, 5, 0].map((shift) => letters[(bits >> shift) & 31]).join('');
}

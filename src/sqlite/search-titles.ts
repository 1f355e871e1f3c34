import type { VaultPath } from '../base/vault-path.ts';
import { stemOf } from '../base/vault-path.ts';
import { foldPhrase } from '../engine/fold-text.ts';
import type { Connection } from './connection.ts';
import type { IdSet } from './id-set.ts';
import { idsJson, intersect, noIds } from './id-set.ts';
import { idsMatching } from './search-sets.ts';
import { phraseOf } from './search-words.ts';

/** Names that are compared: more would begin with a word that is no name for a note. */
const comparedMax = 5_000;

/** Of these files, those whose title, or one of whose aliases, is these words and nothing else. */
export function filesCalled(
  connection: Connection,
  words: readonly string[],
  ids: IdSet,
): { readonly titled: IdSet; readonly aliased: IdSet } {
  if (words.length === 0 || ids.length === 0) return { titled: noIds, aliased: noIds };
  const phrase = phraseOf(words);
  const name = words.join(' ');
  const isCalledSo = (text: string): boolean => foldPhrase(text).join(' ') === name;
  const some = (match: string): string =>
    idsJson(intersect(idsMatching(connection, match), ids).subarray(0, comparedMax));
  const titled = connection
    .all<{ id: number; path: VaultPath }>(
      'SELECT f.id, f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value ORDER BY f.id',
      some(`{title} : ^ ${phrase}`),
    )
    .filter(({ path }) => isCalledSo(stemOf(path)));
  const aliased = connection
    .all<{ id: number; alias: string }>(
      `SELECT a.file AS id, a.alias FROM json_each(?) j CROSS JOIN alias a ON a.file = j.value
       ORDER BY a.file`,
      some(`{aliases} : ${phrase}`),
    )
    .filter(({ alias }) => isCalledSo(alias));
  return { titled: idsOf(titled), aliased: idsOf(aliased) };
}

function idsOf(rows: readonly { readonly id: number }[]): IdSet {
  return Uint32Array.from(new Set(rows.map(({ id }) => id)));
}

import type { VaultPath } from '../base/vault-path.ts';
import { stemOf } from '../base/vault-path.ts';
import { foldPhrase } from '../engine/fold-text.ts';
import type { Connection } from './connection.ts';
import type { IdSet } from './id-set.ts';
import { idsJson, intersect } from './id-set.ts';
import type { Ranking } from './search-scores.ts';
import { idsMatching } from './search-sets.ts';
import type { WordGroup } from './search-words.ts';
import { phraseOf } from './search-words.ts';

/** Names that are compared: more would have words in them that are no name for a note. */
const comparedMax = 5_000;

export interface Namesakes {
  readonly titled: IdSet;
  readonly aliased: IdSet;
}

/**
 * Of these files, those whose title, or one of whose aliases, is the words of a query and nothing
 * else; where no file is called so, those that are called by what was looked for in their place.
 */
export function filesCalled(connection: Connection, ranking: Ranking, ids: IdSet): Namesakes {
  const words = ranking.words.flatMap(({ group }) => group.words);
  const name = words.join(' ');
  const phrase = phraseOf(words);
  const exact = namesakes(connection, ids, {
    titles: `{title} : ^ ${phrase}`,
    aliases: `{aliases} : ${phrase}`,
    isName: (called) => called.join(' ') === name,
  });
  const hasOthers = ranking.words.some(({ group }) => group.others.length > 0);
  if (!hasOthers || exact.titled.length + exact.aliased.length > 0) return exact;
  const groups = ranking.words.map(({ group }) => group);
  return namesakes(connection, ids, {
    titles: `{title} : ${ranking.match}`,
    aliases: `{aliases} : ${ranking.match}`,
    isName: (called) => areOf(groups, called),
  });
}

function namesakes(
  connection: Connection,
  ids: IdSet,
  asked: {
    readonly titles: string;
    readonly aliases: string;
    readonly isName: (words: readonly string[]) => boolean;
  },
): Namesakes {
  const some = (match: string): string =>
    idsJson(intersect(idsMatching(connection, match), ids).subarray(0, comparedMax));
  const titled = connection
    .all<{ id: number; path: VaultPath }>(
      'SELECT f.id, f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value ORDER BY f.id',
      some(asked.titles),
    )
    .filter(({ path }) => asked.isName(foldPhrase(stemOf(path))));
  const aliased = connection
    .all<{ id: number; alias: string }>(
      `SELECT a.file AS id, a.alias FROM json_each(?) j CROSS JOIN alias a ON a.file = j.value
       ORDER BY a.file`,
      some(asked.aliases),
    )
    .filter(({ alias }) => asked.isName(foldPhrase(alias)));
  return { titled: idsOf(titled), aliased: idsOf(aliased) };
}

/** Whether words are those of the groups in their order, each as it is or as one of its others. */
function areOf(groups: readonly WordGroup[], called: readonly string[]): boolean {
  let at = 0;
  for (const { words, others } of groups) {
    const [word = ''] = words;
    const isSame = words.every((one, next) => called[at + next] === one);
    const isOther = others.some(
      ({ as, words: known }) =>
        known.includes(called[at] ?? '') ||
        (as === 'beginning' && called[at]?.startsWith(word) === true),
    );
    if (!isSame && !isOther) return false;
    at += words.length;
  }
  return at === called.length;
}

function idsOf(rows: readonly { readonly id: number }[]): IdSet {
  return Uint32Array.from(new Set(rows.map(({ id }) => id)));
}

import type { VaultPath } from '../../base/vault-path.ts';
import { stemOf } from '../../base/vault-path.ts';
import { foldPhrase } from '../../engine/text/fold-text.ts';
import type { IdSet } from '../tables/id-set.ts';
import { idsJson } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import type { Ranking } from './ranked-words.ts';
import type { WordGroup } from './search-words.ts';
import { phraseOf } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/** At most this many names are compared. If there are more, the words are too common for a name. */
const comparedMax = 5_000;

/** The files whose title, and those one of whose aliases, is the query. */
interface Namesakes {
  readonly titled: IdSet;
  readonly aliased: IdSet;
}

/**
 * Of the files that have all words of a query in title and aliases, those whose title or alias is
 * exactly these words. If there are none, those whose title or alias is exactly these words with
 * forms, continuations or corrections in place of some of them.
 */
export function filesCalled(matches: TextMatches, ranking: Ranking, titled: IdSet): Namesakes {
  const groups = ranking.words.map(({ group }) => group);
  const words = groups.flatMap((group) => group.words);
  const name = words.join(' ');
  const compared =
    titled.length <= comparedMax
      ? titled
      : matches.among(`{title aliases} : ${phraseOf(words)}`, titled);
  const names = namesOf(matches.connection, compared.subarray(0, comparedMax));
  const exact = called(names, (one) => one.join(' ') === name);
  if (exact.titled.length + exact.aliased.length > 0) return exact;
  return called(names, (one) => matchesGroups(groups, one));
}

interface Name {
  readonly id: number;
  readonly words: readonly string[];
}

/** The titles and aliases of files, split into folded words. */
function namesOf(
  connection: IndexConnection,
  ids: IdSet,
): { readonly titles: readonly Name[]; readonly aliases: readonly Name[] } {
  const json = idsJson(ids);
  const titles = connection.all<{ id: number; path: VaultPath }>(
    'SELECT f.id, f.path FROM json_each(?) j CROSS JOIN file f ON f.id = j.value ORDER BY f.id',
    json,
  );
  const aliases = connection.all<{ id: number; alias: string }>(
    `SELECT a.file AS id, a.alias FROM json_each(?) j CROSS JOIN alias a ON a.file = j.value
     ORDER BY a.file`,
    json,
  );
  return {
    titles: titles.map(({ id, path }) => ({ id, words: foldPhrase(stemOf(path)) })),
    aliases: aliases.map(({ id, alias }) => ({ id, words: foldPhrase(alias) })),
  };
}

/** The files whose title, and those one of whose aliases, passes a test. */
function called(
  { titles, aliases }: ReturnType<typeof namesOf>,
  isName: (words: readonly string[]) => boolean,
): Namesakes {
  const ids = (names: readonly Name[]): IdSet =>
    Uint32Array.from(new Set(names.filter(({ words }) => isName(words)).map(({ id }) => id)));
  return { titled: ids(titles), aliased: ids(aliases) };
}

/** Whether a name is the words of the groups in order, each as it is or as one of its alternatives. */
function matchesGroups(groups: readonly WordGroup[], name: readonly string[]): boolean {
  let at = 0;
  for (const { words, others } of groups) {
    const [word = ''] = words;
    const isSame = words.every((one, next) => name[at + next] === one);
    const isOther = others.some(
      ({ as, words: known }) =>
        known.includes(name[at] ?? '') ||
        (as === 'beginning' && name[at]?.startsWith(word) === true),
    );
    if (!isSame && !isOther) return false;
    at += words.length;
  }
  return at === name.length;
}

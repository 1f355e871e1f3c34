import { foldName } from '../../base/vault-path.ts';
import type { NoteDetail } from '../../engine/ports/note-detail.ts';
import type { PropertyType } from '../../engine/ports/records.ts';
import type { PropertyQuery, ValueQuery } from '../../engine/ports/search-query.ts';
import { exactTest, isExact } from '../../engine/search/query-words.ts';
import { foldPhrase, foldText, isLoneCjk } from '../../engine/text/fold-text.ts';
import { compares, scalarsOf } from '../../engine/text/property-scalars.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { IdSet } from '../tables/id-set.ts';
import { idsJson, intersect, noIds, parseIds } from '../tables/id-set.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

/**
 * How to count a condition that only the text of a file can decide: as fulfilled (`upper` finds all
 * files that may match) or as not fulfilled (`lower` finds only files that certainly match).
 */
export type Bound = 'upper' | 'lower';

/**
 * The files with a property. Names and types are read from the shapes (see `indexSchema`), which are
 * few. Values are read only from notes that have the property, and only from those in `within`.
 */
export function filesWithProperty(
  connection: IndexConnection,
  { key, value }: PropertyQuery,
  { bound, within }: { readonly bound: Bound; readonly within: IdSet | undefined },
): IdSet {
  // A name given as a regular expression is decided later, by the text.
  const name = key.kind === 'text' ? foldName(key.text) : undefined;
  if (name === undefined && bound === 'lower') return noIds;
  const isNamed = (written: string): boolean => name === undefined || foldName(written) === name;
  const onlyEmpty = value?.kind === 'null';
  const shapes = connection
    .all<{ id: number; properties: string }>('SELECT id, properties FROM shape ORDER BY id')
    .filter(({ properties }) =>
      (JSON.parse(properties) as [string, PropertyType][]).some(
        ([written, type]) => isNamed(written) && (!onlyEmpty || type === 'empty'),
      ),
    );
  const named = parseIds(
    connection.get<{ ids: string | null }>(
      `SELECT group_concat(id) AS ids FROM (
         SELECT id FROM file WHERE shape IN (SELECT value FROM json_each(?)) ORDER BY id)`,
      JSON.stringify(shapes.map(({ id }) => id)),
    )?.ids,
  );
  const files = within === undefined ? named : intersect(named, within);
  if (value === undefined || onlyEmpty || files.length === 0) return files;
  const fulfils = valueTest(value, bound);
  const rows = connection.iterate<{ file: number; properties: string }>(
    `SELECT n.file, n.detail ->> '$.properties' AS properties
     FROM json_each(?) j CROSS JOIN note n ON n.file = j.value ORDER BY j.key`,
    idsJson(files),
  );
  const found: number[] = [];
  for (const { file, properties } of rows) {
    const has = (JSON.parse(properties) as NoteDetail['properties']).some(
      ([written, , stored]) => isNamed(written) && fulfils(stored),
    );
    if (has) found.push(file);
  }
  return Uint32Array.from(found);
}

type ValueTest = (value: PropertyValue) => boolean;

/** The test of one value, as the bound demands where only a regular expression can decide. */
function valueTest(query: ValueQuery, bound: Bound): ValueTest {
  switch (query.kind) {
    case 'text': {
      if (isExact(query)) {
        const isIn = exactTest(query);
        return (value) => scalarsOf(value).some((scalar) => isIn(String(scalar)));
      }
      const row = foldPhrase(query.text);
      return (value) => scalarsOf(value).some((scalar) => containsRow(String(scalar), row));
    }
    case 'regex':
      return () => bound === 'upper';
    case 'null':
      return (value) => value === null;
    case 'compare':
      return (value) => scalarsOf(value).some((scalar) => compares(scalar, query));
    case 'not': {
      const test = valueTest(query.part, bound === 'upper' ? 'lower' : 'upper');
      return (value) => !test(value);
    }
    case 'all':
    case 'any': {
      const tests = query.parts.map((part) => valueTest(part, bound));
      return query.kind === 'all'
        ? (value) => tests.every((test) => test(value))
        : (value) => tests.some((test) => test(value));
    }
  }
}

/**
 * Whether a text contains the words `row` next to each other, split as in the full text (`phraseOf`).
 */
function containsRow(text: string, row: readonly string[]): boolean {
  const words = foldText(text).match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const last = row.length - 1;
  const isSame = (word: string, at: number): boolean =>
    row[at] === word || (at === last && isLoneCjk(row[at] ?? '') && word.startsWith(row[at] ?? ''));
  return words.some((_, start) => row.every((_word, at) => isSame(words[start + at] ?? '', at)));
}

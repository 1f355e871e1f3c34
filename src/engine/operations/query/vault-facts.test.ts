import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { type MemoryDisk, memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import type { FactSource } from '../../bases/query/fact-source.ts';
import { runView } from '../../bases/query/run-view.ts';
import { baseFrom } from '../../bases/syntax/read-base.ts';
import { factSource } from '../../dataview/query-runner.ts';
import { runDataview } from '../../dataview/run-dataview.ts';
import { vaultFacts } from './vault-facts.ts';

// A filter that the index narrows down or decides has the same rows as one that is evaluated for
// every file, while the notes change.

const runs = counted({ quick: 80, full: 500, soak: 50_000 });

let disk: MemoryDisk;
let opened: IndexedVault;

const values = [
  '3',
  '"7"',
  '7',
  '-0.5',
  '1e21',
  '4.0',
  'done',
  'Done',
  '"done "',
  '" 2025-03-01"',
  '"[[Target]]"',
  '" [[Target|t]]"',
  '"see [[Target]]"',
  '["[[Target]]", x]',
  '["[[Sub/Target]]", "[[Nope]]", 7, true]',
  '[Target, target.md]',
  '[[Target], {k: 3}]',
  '[a, b/c]',
  '"a, b"',
  'true',
  '"false"',
  'null',
  '2025-03-01',
  '2025-03-01T23:30:00-11:00',
  '"2025-02-28T01:00:00+13:00"',
  '"20250301"',
  '"2025-3-1"',
  '["2025-03-01", 2024-01-01]',
  '1999-12-31',
  '""',
  '[]',
  '{ k: 1 }',
  `"${'long '.repeat(30)}"`,
  'ünï',
];
const bodies = [
  '',
  '#a',
  '#A/b text',
  '[[Target]]',
  '![[Target#h|shown]]',
  '[x](Sub/Target.md)',
  '[[Nope]]',
  '- [ ] task #a\n  - [x] done',
];

beforeAll(async () => {
  const files: Record<string, string> = {
    'Target.md': '',
    'Sub/Target.md': '[[Target]]',
    'Sub/Deep/n.md': '---\ntags: [a/b]\n---\n',
    'Subway/n.md': '',
    'pic.PNG': 'x',
    'x.base': '',
  };
  values.forEach((value, at) => {
    for (const [more, body] of bodies.entries()) {
      const key = ['p', 'P', 'tags', 'Été', 'a_b'][(at + more) % 5];
      const folder = ['', 'Sub/', 'Sub/Deep/'][more % 3];
      files[`${folder}n${at}-${more}.md`] = `---\n${key}: ${value}\n---\n${body}`;
    }
  });
  disk = memoryDisk(files);
  opened = await indexMemoryVault(disk);
});
afterAll(() => opened.close());

const text = fc.constantFrom(
  '7',
  'true',
  'done',
  'a',
  '#a',
  'b',
  'Target',
  'target.md',
  'Sub',
  'Sub/',
  '/',
  '',
  'x',
  'md',
  'png',
);
const property = fc.constantFrom(
  'p',
  'note.p',
  'note["P"]',
  'tags',
  'été',
  'a_b',
  'kind',
  'typed',
  'missing',
);
const constant = fc.constantFrom(
  ...['3', '7', '4', '-0.5', '-(1/2)', '1e21', '0', 'true', 'false', 'null', '""', '"ünï"', '[]'],
  ...['"7"', '"done"', '"Done"', '"done "', '"true"', '"Target"', '"[[Target]]"', '"a, b"', '"x"'],
  ...['"2025-03-01"', '"2025-01-01"', '"20250301"', '" 2025-03-01"', '"2025-03-01T12:00:00Z"'],
  ...['"2025"', '"1999-12-31"', '"0999-01-01"', 'date("2025-03-01")', 'date("2025-02-28 12:00")'],
  ...['now()', 'today() - "1M"', 'now() - "10000d"', 'link("Target")', '"1d"', '1/0', '0/0'],
);
const thing = fc.oneof(
  text.map((each) => JSON.stringify(each)),
  fc.constantFrom('this', 'this.file', 'link("Target")', 'link("Sub/Target")', 'link("Nope")', 'p'),
);
const statement = fc.oneof(
  text.map((each) => `file.inFolder(${JSON.stringify(each)})`),
  text.map((each) => `file.folder == ${JSON.stringify(each)}`),
  text.map((each) => `file.ext == ${JSON.stringify(each)}`),
  fc.tuple(text, text).map(([a, b]) => `file.hasTag(${JSON.stringify(a)}, ${JSON.stringify(b)})`),
  fc
    .tuple(fc.constantFrom('contains', 'containsAny', 'containsAll'), thing)
    .map(([name, each]) => `file.tags.${name}(${each})`),
  thing.map((each) => `file.hasLink(${each})`),
  thing.map((each) => `file.links.contains(${each})`),
  fc
    .tuple(property, fc.constantFrom('contains', 'containsAny', 'containsAll'), thing)
    .map(([name, call, each]) => `${name}.${call}(${each})`),
  fc
    .tuple(property, fc.constantFrom('contains', 'containsAny', 'containsAll'), thing)
    .map(([name, call, each]) => `list(${name}).${call}(${each})`),
  fc
    .tuple(property, fc.constantFrom('==', '!=', '<', '>', '<=', '>='), constant)
    .map((parts) => parts.join(' ')),
  fc.tuple(constant, fc.constantFrom('==', '<', '>='), property).map((parts) => parts.join(' ')),
  property,
  property.map((each) => `!${each}.isEmpty()`),
  property.map((each) => `${each}.isEmpty()`),
  property.map((each) => `${each}.isType("null")`),
  fc.constantFrom(
    'file.mtime > now() - "1d"',
    'file.mtime >= date("1970-01-02")',
    'file.mtime > p',
  ),
);
const expression = fc.oneof(
  statement,
  fc.tuple(statement, statement).map((both) => both.join(' && ')),
  fc.tuple(statement, statement).map((both) => both.join(' || ')),
  fc.tuple(statement, statement, statement).map(([a, b, c]) => `${a} && (${b} || ${c})`),
  fc.tuple(statement, statement, statement).map(([a, b, c]) => `${a} && ${b} || ${c}`),
);

const { filter } = fc.letrec<{ filter: PropertyValue }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    expression,
    fc
      .tuple(fc.constantFrom('and', 'or', 'not'), fc.array(tie('filter'), { maxLength: 3 }))
      .map(([kind, items]): PropertyValue => ({ [kind]: items })),
  ),
}));

const change = fc.record({
  at: fc.nat(40),
  key: fc.constantFrom('p', 'P', 'kind', '\u212aind', 'typed', 'a_b'),
  value: fc.constantFrom(...values),
  more: fc.option(fc.constantFrom('P: 3', 'p: done', 'rest: x'), { freq: 4 }),
  body: fc.constantFrom(...bodies),
  gone: fc.boolean(),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

it('the index finds the files that pass a filter, whatever changes', async () => {
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
  const facts = factSource(await vaultFacts(vault), async () => {});
  let sure = 0;
  const source: FactSource = {
    ...facts,
    files: async (request) => {
      const files = await facts.files(request);
      sure += files.filter((file) => file.sure === true).length;
      return files;
    },
  };
  const rowsOf = async (filters: readonly PropertyValue[], everyFile: boolean) => {
    const base = baseFrom({ filters: { and: filters } });
    const [view] = base.views;
    if (view === undefined) throw new Error('A base has a view.');
    const { paths } = await runView(source, {
      base,
      view,
      self: 'Target.md',
      source: '',
      nowMs: 1_760_000_000_000,
      random: () => 0,
      propertyTypes: new Map([['typed', 'text']]),
      page: { offset: 0, limit: 10_000 },
      everyFile,
    });
    return paths;
  };
  await rowsOf(['file.inFolder("Sub")'], false);
  expect(sure).toBeGreaterThan(0); // The index alone can decide about files.
  const written = async ({ at, key, value, more, body, gone }: Change) => {
    const path = vaultPath(`Changing/${at}.md`);
    if (gone)
      await disk.remove(path).catch(() => {}); // It may not be there.
    else disk.write(path, `---\n${key}: ${value}\n${more ?? 'other: 1'}\n---\n${body}`);
    await opened.keeper.refresh([path]);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 3 }),
      fc.array(filter, { minLength: 1, maxLength: 3 }),
      async (changes, filters) => {
        for (const each of changes) await written(each);
        expect(await rowsOf(filters, false)).toEqual(await rowsOf(filters, true));
      },
    ),
    { numRuns: runs },
  );
});

const { source: dataviewSource } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('""', '"Sub"', '"Sub/Deep"', '"Subway/n"', '"Target"', '"x/../y"'),
    fc.constantFrom('#a', '#A/b', '#b', '#x', '[[Target]]', '[[Nope]]', '[[]]'),
    fc.constantFrom('outgoing([[]])', 'outgoing([[Sub/Target]])'),
    fc.tuple(tie('source'), fc.constantFrom('and', 'or'), tie('source')).map((x) => x.join(' ')),
    tie('source').map((each) => `(${each})`),
    tie('source').map((each) => `-${each}`),
  ),
}));

it('the index never leaves out a note of a source of Dataview', async () => {
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
  const source = factSource(await vaultFacts(vault), async () => {});
  // The question whether a folder has files asks for one file, and keeps its condition.
  const everyFile: FactSource = {
    ...source,
    files: (request) =>
      source.files(request.limit === 1 ? request : { ...request, conditions: {} }),
  };
  const rowsOf = async (facts: FactSource, text: string) => {
    const { paths, total, errors } = await runDataview(facts, {
      text,
      self: 'Sub/Target.md',
      nowMs: 90_000_000,
      propertyTypes: new Map(),
      page: { offset: 0, limit: 200 },
    });
    return [paths, total, errors];
  };
  const type = fc.constantFrom('LIST', 'TASK');
  await fc.assert(
    fc.asyncProperty(type, dataviewSource, async (word, each) => {
      const text = `${word} FROM ${each}`;
      expect(await rowsOf(source, text)).toEqual(await rowsOf(everyFile, text));
    }),
    { numRuns: Math.ceil(runs / 3) },
  );
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { type IndexedVault, indexMemoryVault } from '../../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import { allScopes } from '../../../base/caller.ts';
import type { FactSource } from '../../bases/query/fact-source.ts';
import { runView } from '../../bases/query/run-view.ts';
import { baseFrom } from '../../bases/syntax/read-base.ts';
import { runDataview } from '../../dataview/run-dataview.ts';
import { vaultFacts } from './vault-facts.ts';

// A filter that the index narrows down has the same rows as one that is evaluated for every file.

const runs = counted({ quick: 150, full: 1_500, soak: 20_000 });

let opened: IndexedVault;

const values = [
  '3',
  '"7"',
  'done',
  '"[[Target]]"',
  '["[[Target]]", x]',
  '[Target, target.md]',
  '[a, b/c]',
  '"a, b"',
  'true',
  'null',
  '2025-03-01',
  '""',
  '{ k: 1 }',
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
  opened = await indexMemoryVault(memoryDisk(files));
});
afterAll(() => opened.close());

const text = fc.constantFrom(
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
const property = fc.constantFrom('p', 'note.p', 'note["P"]', 'tags', 'été', 'a_b', 'missing');
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
    .tuple(
      property,
      fc.constantFrom('==', '!=', '<', '>', '<=', '>='),
      fc.constantFrom('3', '"done"', 'null', '"2025-01-01"', '""'),
    )
    .map((parts) => parts.join(' ')),
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
);

it('the index never leaves out a file that passes the filter', async () => {
  const { signal } = new AbortController();
  const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
  const source = await vaultFacts(vault);
  const rowsOf = async (filters: readonly string[], everyFile: boolean) => {
    const base = baseFrom({ filters: { and: filters } });
    const [view] = base.views;
    if (view === undefined) throw new Error('A base has a view.');
    const { paths } = await runView(source, {
      base,
      view,
      self: 'Target.md',
      source: '',
      nowMs: 90_000_000,
      random: () => 0,
      propertyTypes: new Map(),
      page: { offset: 0, limit: 0 },
      everyFile,
    });
    return paths;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(expression, { minLength: 1, maxLength: 3 }), async (filters) => {
      expect(await rowsOf(filters, false)).toEqual(await rowsOf(filters, true));
    }),
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
  const source = await vaultFacts(vault);
  // The question whether a folder has files asks for one file, and keeps its condition.
  const everyFile: FactSource = {
    ...source,
    files: (request) =>
      source.files(request.limit === 1 ? request : { ...request, conditions: {} }),
  };
  const rowsOf = async (facts: FactSource, text: string) => {
    const { paths, total, errors } = await runDataview(facts, {
      text,
      line: 1,
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

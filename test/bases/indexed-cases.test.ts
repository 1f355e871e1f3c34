import { afterAll, beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { baseFrom, readBase } from '../../src/engine/bases/syntax/read-base.ts';
import { evaluateSource } from '../../src/engine/operations/query/query-base.ts';
import { type ExpressionCase, sheetCases, type ViewCase } from '../support/base-cases.ts';
import { indexMemoryVault } from '../support/indexed-vault.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import * as expressions from './expression-cases.ts';
import * as filesAndLinks from './file-cases.ts';
import * as functions from './function-cases.ts';
import { orders, summaries } from './order-cases.ts';
import { files, filters, fourNotes } from './view-cases.ts';

// All cases once more, over vaults with an index: expressions as columns of a base, views as they are.
// What the index cannot have is left out: times that a case says, and the values of a summary.

type Expected = ExpressionCase & { readonly expect: unknown };
type ExpectedView = ViewCase & { readonly id: string; readonly expect: Record<string, unknown> };

const sheet = sheetCases<Expected | ExpectedView>();

const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const nowMs = new Date(2025, 5, 15, 12).getTime();

async function evaluate(
  files: Readonly<Record<string, string>>,
  request: { readonly base: ReturnType<typeof readBase>; view?: string; self: string | undefined },
) {
  const opened = await indexMemoryVault(memoryDisk({ ...files }), {
    parts: { clock: { nowMs: () => nowMs } },
  });
  try {
    const { signal } = new AbortController();
    const vault = opened.vault.bind({ door: 'cli', scopes: allScopes, signal, deadlineMs: 60_000 });
    const { base, view: name, self } = request;
    const view = name === undefined ? base.views[0] : base.views.find((each) => each.name === name);
    if (view === undefined) return undefined;
    return await evaluateSource(vault, {
      base,
      view,
      self: self === undefined ? undefined : vaultPath(self),
      path: undefined,
      page: { limit: 2_000, offset: 0 },
    });
  } finally {
    await opened.close();
  }
}

it('expressions have the same values over an index', async () => {
  const own = Object.values({ ...expressions, ...functions, ...filesAndLinks }).flatMap((rows) =>
    rows.map(([expr, value, rest]): Expected => ({ expr, expect: value, ...rest })),
  );
  const all = [...sheet.filter((each): each is Expected => 'expr' in each), ...own].filter(
    ({ values, file, expr }) =>
      values === undefined &&
      file?.ctime === undefined &&
      file?.mtime === undefined &&
      !/[cm]time|random/.test(expr),
  );
  const worlds = new Map<string, Expected[]>();
  for (const each of all) {
    const { note, file, vault, this: self, types } = each;
    const key = JSON.stringify([note, file, vault, self, types]);
    worlds.set(key, [...(worlds.get(key) ?? []), each]);
  }
  expect(all.length).toBeGreaterThan(900);
  for (const cases of worlds.values()) {
    const { note, file, vault = {}, this: self, types = {} } = cases[0] as Expected;
    const path = file?.path ?? 'Notes/Note.md';
    const properties = note === undefined ? '' : `---\n${JSON.stringify(note)}\n---\n`;
    const written = {
      ...vault,
      '.obsidian/types.json': JSON.stringify({ types }),
      [path]: properties + (file?.text ?? ''),
    };
    // Formulas of different cases may have the same name, so each such case is a base of its own.
    const groups = [
      cases.filter(({ formulas }) => formulas === undefined),
      ...cases.filter(({ formulas }) => formulas !== undefined).map((each) => [each]),
    ].filter((group) => group.length > 0);
    for (const group of groups) {
      const asked = group.map(({ expr }, at) => [`case${at}`, expr] as const);
      const base = baseFrom({
        filters: `file.path == ${JSON.stringify(path)}`,
        formulas: { ...group[0]?.formulas, ...Object.fromEntries(asked) },
        views: [{ type: 'table', order: asked.map(([name]) => `formula.${name}`) }],
      });
      const found = await evaluate(written, { base, self: self ?? undefined });
      const values = found?.rows[0]?.map((value, at) => [group[at]?.expr, value]);
      expect(values).toEqual(group.map(({ expr, expect: value }) => [expr, value]));
    }
  }
});

it('views have the same rows over an index', async () => {
  const own = [filters, files, orders, summaries].flatMap((all) =>
    all.map(({ what: id, vault = fourNotes, base, view = null, this: self = null, answer }) => {
      return { id, vault, base, view, this: self, expect: answer };
    }),
  );
  const all = [...sheet.filter((each): each is ExpectedView => 'base' in each), ...own];
  expect(all.length).toBeGreaterThan(100);
  for (const { id, vault, base, view, this: self, expect: answer } of all) {
    if (answer['rows'] === undefined) continue; // It has no view that can be evaluated.
    const request = { base: readBase(base), self: self ?? undefined };
    const found = await evaluate(vault, view === null ? request : { ...request, view });
    const { rows: had = [], errors = [], groups, summaries } = found ?? {};
    expect([id, had]).toEqual([id, answer['rows']]);
    expect([id, groups, summaries]).toEqual([id, answer['groups'], answer['summaries']]);
    const codes = errors.map(({ at, code }) => ({ at, code }));
    expect([id, codes]).toEqual([id, answer['errors']]);
  }
});

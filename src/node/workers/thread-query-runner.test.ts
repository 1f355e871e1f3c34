import { expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { memoryFacts } from '../../../test/support/memory-facts.ts';
import { bundleRunWorker } from '../../../test/watcher/bundle-worker.ts';
import { toJson } from '../../base/json.ts';
import { VaultError } from '../../base/vault-error.ts';
import { packView } from '../../engine/bases/query/packed-view.ts';
import { runView, type ViewRequest } from '../../engine/bases/query/run-view.ts';
import { readBase } from '../../engine/bases/syntax/read-base.ts';
import type { JsonFacts, QueryRunner } from '../../engine/dataview/query-runner.ts';
import { runDataview } from '../../engine/dataview/run-dataview.ts';
import { openThreadQueryRunner } from './thread-query-runner.ts';

const entryFile = bundleRunWorker();

function open(): QueryRunner {
  const runner = openThreadQueryRunner({ entryFile });
  onTestFinished(() => runner.close());
  return runner;
}

const note = (text: string) => ({ text, birthMs: 0, mtimeMs: 0 });
const source = memoryFacts(
  new Map([
    ['A.md', note('---\nrating: 3\nup: "[[B]]"\n---\n#x')],
    ['B.md', note('---\nrating: 5\n---\n')],
    ['C.md', note('---\nrating: two\n---\n')],
  ]),
);
const facts: JsonFacts = {
  files: async (request) => toJson(await source.files(request)),
  load: async (paths, parts) => toJson(await source.load(paths, parts)),
  named: source.named,
};

function requestOf(text: string): ViewRequest {
  const base = readBase(text);
  const [view] = base.views;
  if (view === undefined) throw new Error('A base has a view.');
  return {
    base,
    view,
    self: 'A.md',
    source: 'x.base',
    nowMs: 0,
    random: () => 0,
    propertyTypes: new Map(),
    page: { offset: 0, limit: 10 },
  };
}

async function run(runner: QueryRunner, text: string, signal = new AbortController().signal) {
  const packed = packView(requestOf(text));
  if (packed === undefined) throw new Error('Every expression has a text.');
  const found = await runner.run({ kind: 'view', request: packed.view }, facts, signal);
  return { ...found, errors: packed.placed(found.errors) };
}

const mixed = `filters:
  and:
    - file.ext == "md"
    - or: ['rating.abs() > 2', file.hasTag("x")]
formulas:
  up: up.asFile().name
  wrong: rating * "a"
  unreadable: rating *
summaries:
  twice: values.sum() * 2
views:
  - order: [file.name, formula.up, formula.wrong, formula.unreadable]
    sort: [{ property: rating, direction: DESC }]
    groupBy: { property: rating }
    summaries: { rating: twice }
`;

test('a view has the same rows, groups, summaries and errors in a thread', async () => {
  const here = await runView(source, requestOf(mixed));
  expect(here.errors.map(({ code, line }) => [code, line])).toEqual([
    ['unknown_function', 4],
    ['type', 7],
    ['parse', 8],
  ]);
  expect(await run(open(), mixed)).toEqual(here);
});

/** Few steps, each of which takes long: nothing interrupts it, and to its end it takes minutes. */
const hostile = `formulas:
  x: '"ab".repeat(400000)'
  all: list(${JSON.stringify(Array.from({ length: 60 }, (_, at) => at))})
filters: formula.all.map(formula.all.map(formula.x.lower().title().length)).length == 1
`;

test('a base that takes too long ends with its call, and the next one is answered', async () => {
  const runner = open();
  const call = new AbortController();
  setTimeout(() => call.abort(new VaultError('timeout', 'The time is over.')), 300);
  const error = await failureOf(run(runner, hostile, call.signal));
  expect(error.code).toBe('timeout');
  expect((await run(runner, mixed)).paths).toEqual(['B.md', 'A.md']);
});

const query = {
  text: 'TABLE rating, up FROM #x or "B" WHERE rating.nosuch != 3 SORT nosuch(rating)',
  self: 'A.md',
  nowMs: 0,
  propertyTypes: new Map<string, string>(),
  page: { offset: 0, limit: 10 },
};

test('a query of Dataview has the same rows and errors in a thread', async () => {
  const { signal } = new AbortController();
  for (const text of [query.text, 'TASK', 'LIST rating FROM #x', 'LIST FROM (']) {
    const here = await runDataview(source, { ...query, text });
    const there = await open().run(
      { kind: 'dataview', request: { ...query, text } },
      facts,
      signal,
    );
    expect(there).toEqual(here);
  }
});

test('a query whose facts cannot be had fails, and the same thread answers the next one', async () => {
  const runner = open();
  const { signal } = new AbortController();
  const broken: JsonFacts = {
    ...facts,
    files: () => Promise.reject(new VaultError('unavailable', 'The index is away.')),
  };
  const asked = runner.run(
    { kind: 'dataview', request: { ...query, text: 'LIST' } },
    broken,
    signal,
  );
  expect((await failureOf(asked)).message).toBe('The index is away.');
  expect((await run(runner, mixed)).paths).toEqual(['B.md', 'A.md']);
});

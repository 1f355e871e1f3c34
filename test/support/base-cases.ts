import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Row } from '../../src/engine/bases/query/evaluate.ts';
import { LoadedWorld } from '../../src/engine/bases/query/loaded-world.ts';
import { runView } from '../../src/engine/bases/query/run-view.ts';
import { Settler } from '../../src/engine/bases/query/settle-rows.ts';
import { ExpressionError } from '../../src/engine/bases/syntax/expression-error.ts';
import { parseExpression } from '../../src/engine/bases/syntax/parse-expression.ts';
import { BaseFault, baseFrom, readBase } from '../../src/engine/bases/syntax/read-base.ts';
import { typeOf } from '../../src/engine/bases/values/value.ts';
import { valueJson } from '../../src/engine/bases/values/value-json.ts';
import { type MemoryFile, memoryFacts } from './memory-facts.ts';
import { sharedFolder } from './unpack-vaults.ts';

/** A case about one expression, as `docs/bases.md` and the shared sheet write them. */
export interface ExpressionCase {
  readonly expr: string;
  readonly note?: Readonly<Record<string, unknown>>;
  readonly file?: { readonly path: string; readonly text?: string; ctime?: string; mtime?: string };
  readonly vault?: Readonly<Record<string, string>>;
  readonly this?: string | null;
  readonly formulas?: Readonly<Record<string, string>>;
  readonly types?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
}

/** A case about a view of a base. */
export interface ViewCase {
  readonly vault: Readonly<Record<string, string>>;
  readonly base: string;
  readonly view: string | null;
  readonly this: string | null;
}

/** The cases of the sheet about Bases, and ours of the same form, which were written from its text. */
export function sheetCases<Case>(): readonly Case[] {
  const own = join(import.meta.dirname, '../bases/second-cases.jsonl');
  return [join(sharedFolder(), 'obsidian/bases-cases.jsonl'), own].flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Case),
  );
}

const clock = new Date(2025, 5, 15, 12).getTime();
const birth = new Date(2025, 0, 1).getTime();
const modified = new Date(2025, 0, 2).getTime();

function settings(types: Readonly<Record<string, string>> = {}) {
  return {
    nowMs: clock,
    random: () => 0.5,
    propertyTypes: new Map(Object.entries(types)),
  };
}

function vaultOf(texts: Readonly<Record<string, string>> = {}): Map<string, MemoryFile> {
  return new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { text, birthMs: birth, mtimeMs: modified },
    ]),
  );
}

/** The value of a case's expression as JSON, an error as `{"$error": code}`, and its type. */
export async function expressionCase(
  each: ExpressionCase,
): Promise<{ readonly value: unknown; readonly type: string }> {
  const files = vaultOf(each.vault);
  const path = each.file?.path ?? 'Notes/Note.md';
  const properties = each.note === undefined ? '' : `---\n${JSON.stringify(each.note)}\n---\n`;
  const timeOf = (text: string | undefined, other: number) =>
    text === undefined ? other : new Date(text).getTime();
  files.set(path, {
    text: properties + (each.file?.text ?? ''),
    birthMs: timeOf(each.file?.ctime, birth),
    mtimeMs: timeOf(each.file?.mtime, modified),
  });
  const world = new LoadedWorld(settings(each.types));
  const { formulas } = baseFrom({ formulas: { ...each.formulas } });
  try {
    const expression = parseExpression(each.expr);
    return await new Settler(memoryFacts(files), world).one(() => {
      const row = new Row({
        world,
        file: path,
        self: each.this ?? undefined,
        source: '',
        formulas: new Map(Array.from(formulas, ([name, { parsed }]) => [name, parsed])),
        ...(each.values === undefined ? {} : { values: each.values as never }),
      });
      const value = row.value(expression);
      return { value: valueJson(value), type: typeOf(value) };
    });
  } catch (error) {
    if (error instanceof ExpressionError) return { value: { $error: error.code }, type: 'error' };
    throw error;
  }
}

/** The answer of a case's view, in the form of the sheet. */
export async function viewCase(each: ViewCase): Promise<unknown> {
  try {
    const base = readBase(each.base);
    const view = each.view === null ? base.views[0] : base.views.find((v) => v.name === each.view);
    if (view === undefined) return { errors: [{ at: 'view', code: 'unknown_view' }] };
    const { columns, rows, total, matching, groups, summaries, errors } = await runView(
      memoryFacts(vaultOf(each.vault)),
      {
        ...settings(),
        base,
        view,
        self: each.this ?? undefined,
        source: '',
        page: { offset: 0, limit: 1_000 },
      },
    );
    return {
      columns: columns.map(({ kind, name }) => `${kind}.${name}`),
      rows,
      errors: errors.map(({ at, code }) => ({ at, code })),
      ...(matching === total ? {} : { total: matching }),
      ...(groups === undefined ? {} : { groups }),
      ...(summaries === undefined ? {} : { summaries }),
    };
  } catch (error) {
    if (!(error instanceof BaseFault)) throw error;
    return { errors: [{ at: error.at, code: error.code }] };
  }
}

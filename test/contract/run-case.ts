import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';
import type {
  Answer,
  Connection,
  ContractCase,
  ContractDoor,
  Expected,
  Step,
} from './contract-case.ts';
import { splitContext } from './split-context.ts';

/** How long an index may take to follow a person's edit. */
const followMs = 20_000;

/** Declares one test for each case that this door can run. */
export function describeCases(door: ContractDoor, cases: readonly ContractCase[]): void {
  describe(`through ${door.name}`, () => {
    for (const each of cases.filter(({ without }) => without?.[door.name] === undefined)) {
      const { id, source, given = {} } = each;
      // Windows has no files with such names.
      const hasNames = process.platform !== 'win32' || !/[<>:"|?*]/.test(Object.keys(given).join());
      it.skipIf(!hasNames)(`${id}: ${source}`, () => runCase(door, each));
    }
  });
}

/** Runs one case: a vault of its own, and its steps in order. */
export async function runCase(door: ContractDoor, contractCase: ContractCase): Promise<void> {
  const folder = tempFolder(contractCase.given);
  const options = contractCase.options ?? {};
  const structured = options.toolset === 'agent';
  const vault = await door.open(folder, options);
  const connections = new Map<string, Connection>();
  const answers: Answer[] = [];
  try {
    for (const [index, step] of contractCase.steps.entries()) {
      const at = `step ${index + 1} of ${contractCase.id}`;
      const name = step.on ?? 'first';
      const connection = connections.get(name) ?? (await vault.connect());
      connections.set(name, connection);
      await runStep(step, { connection, folder, answers, at, structured });
    }
  } finally {
    for (const connection of connections.values()) await connection.close();
    await vault.close();
  }
}

interface Scene {
  readonly connection: Connection;
  readonly folder: string;
  readonly answers: Answer[];
  readonly at: string;
  /** Whether the tools answer with objects, too. */
  readonly structured: boolean;
}

async function runStep(step: Step, scene: Scene): Promise<void> {
  const { connection, folder, answers, at, structured } = scene;
  if ('edit' in step) {
    writeFiles(folder, step.edit);
    await connection.edited?.();
  } else if ('list' in step) {
    const names = (await connection.list()).map((tool) => tool.name);
    const { names: all, has = [], hasNot = [] } = step.expect;
    if (all !== undefined) expect([...names].sort(), at).toEqual([...all].sort());
    expect(names, at).toEqual(expect.arrayContaining([...has]));
    expect(
      names.filter((each) => hasNot.includes(each)),
      at,
    ).toEqual([]);
  } else {
    const ask = async (): Promise<void> => {
      const answer = await askFor(step, scene);
      // Prompts and instructions are text in every toolset.
      checkAnswer(answer, step.expect, { folder, at, structured: structured && 'call' in step });
      if ('call' in step) answers.push(answer);
    };
    const again = 'eventually' in step && step.eventually === true;
    await (again ? vi.waitFor(ask, { timeout: followMs, interval: 50 }) : ask());
  }
}

/** What a step asks for; texts that cannot fail are answers too. */
async function askFor(
  step: Exclude<Step, { readonly edit: object } | { readonly list: true }>,
  { connection, answers }: Scene,
): Promise<Answer> {
  if ('call' in step) {
    const args = typeof step.args === 'function' ? step.args(answers) : (step.args ?? {});
    return connection.call(step.call, args);
  }
  const text =
    'prompt' in step
      ? await connection.prompt(step.prompt, step.args ?? {})
      : await connection.instructions();
  return { failed: false, text, pieces: 1 };
}

function checkAnswer(
  answer: Answer,
  expected: Expected,
  { folder, at, structured }: Pick<Scene, 'folder' | 'at' | 'structured'>,
): void {
  const { result, context } = splitContext(answer.text);
  const said = `${at} answered: ${result}`;
  expect(answer, said).toMatchObject({ pieces: 1 });
  if (structured && !answer.failed) expect(JSON.parse(result), said).toEqual(answer.structured);
  else expect(answer.structured, said).toBeUndefined();
  expect(answer.failed, said).toBe(expected.fails === true);
  if (expected.text !== undefined) expect(result, at).toBe(expected.text);
  for (const piece of expected.says ?? []) expect(result, at).toMatch(pattern(piece));
  for (const piece of expected.lacks ?? []) expect(result, at).not.toMatch(pattern(piece));
  if (expected.json !== undefined) expect(JSON.parse(result), at).toMatchObject(expected.json);
  if (expected.jsonIs !== undefined) expect(JSON.parse(result), at).toEqual(expected.jsonIs);
  if (expected.structuredIs !== undefined) {
    expect(answer.structured, at).toEqual(expected.structuredIs);
  }
  if (expected.context === false) expect(context, at).toBeUndefined();
  for (const piece of expected.context || []) expect(context, at).toMatch(pattern(piece));
  for (const piece of expected.contextLacks ?? []) expect(context, at).not.toMatch(pattern(piece));
  for (const [path, text] of Object.entries(expected.files ?? {})) {
    const file = join(folder, path);
    const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (text instanceof RegExp) expect(found, `${at}: ${path}`).toMatch(text);
    else expect(found, `${at}: ${path}`).toBe(text);
  }
}

/** A string is looked for as it is. */
function pattern(piece: string | RegExp): RegExp {
  if (piece instanceof RegExp) return piece;
  return new RegExp(piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}

import { parseArgs } from 'node:util';
import { z } from 'zod';
import { VaultError } from '../base/vault-error.ts';
import type { AnyTool } from '../tools/define-tool.ts';

/** What the command line asks for. */
export interface Command {
  readonly tool: AnyTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly vault?: string;
  /** Folders outside of the vault that symlinks in it may lead to. */
  readonly allowRoots: readonly string[];
}

/** One flag of a tool, read from its schema, so that flags are never described twice. */
export interface Flag {
  /** As typed, e.g. `replace-all`. */
  readonly flag: string;
  readonly argument: string;
  readonly type: 'string' | 'boolean';
  readonly description: string;
  readonly choices?: readonly string[];
  readonly standard?: unknown;
  readonly required: boolean;
}

/** The flags of a tool, from the JSON Schema of its input. */
export function flagsOf(tool: AnyTool): readonly Flag[] {
  const schema = z.toJSONSchema(tool.input, { io: 'input' });
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).map(([argument, property]) => {
    const shape = typeof property === 'object' ? property : {};
    return {
      flag: argument.replaceAll('_', '-'),
      argument,
      type: shape.type === 'boolean' ? 'boolean' : 'string',
      description: shape.description ?? '',
      ...(shape.enum === undefined ? {} : { choices: shape.enum.map(String) }),
      ...(shape.default === undefined ? {} : { standard: shape.default }),
      required: required.includes(argument),
    };
  });
}

/** Reads the arguments after the command's name. Throws `invalid_input` with what to do instead. */
export function parseCommand(tool: AnyTool, argv: readonly string[]): Command {
  const flags = flagsOf(tool);
  const { values, positionals } = parse(tool, flags, argv);
  const args: Record<string, unknown> = {};
  for (const { flag, argument } of flags) {
    if (values[flag] !== undefined) args[argument] = values[flag];
  }
  const places = tool.positional ?? [];
  if (positionals.length > places.length) {
    throw new VaultError(
      'invalid_input',
      `"${tool.name}" takes ${atMost(places.length)}; quote a name that has spaces.`,
    );
  }
  for (const [index, value] of positionals.entries()) {
    const place = places[index];
    if (place !== undefined) args[place] = value;
  }
  const missing = flags.find(({ argument, required }) => required && args[argument] === undefined);
  if (missing !== undefined) {
    throw new VaultError(
      'invalid_input',
      `"${tool.name}" needs ${missing.argument}: vaultdoor ${usage(tool)}`,
    );
  }
  const vault = values['vault'];
  const roots = values['allow-root'];
  const allowRoots = Array.isArray(roots) ? roots.map(String) : [];
  return { tool, args, allowRoots, ...(typeof vault === 'string' ? { vault } : {}) };
}

/** How a command is typed, e.g. `search <query> [--folder …]`. */
export function usage(tool: AnyTool): string {
  const required = new Set(flagsOf(tool).flatMap((flag) => (flag.required ? [flag.argument] : [])));
  const places = (tool.positional ?? []).map((name) =>
    required.has(name) ? `<${name}>` : `[${name}]`,
  );
  return [tool.name, ...places].join(' ');
}

function parse(tool: AnyTool, flags: readonly Flag[], argv: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {
    vault: { type: 'string' },
    'allow-root': { type: 'string', multiple: true },
    json: { type: 'boolean' },
  };
  for (const { flag, type } of flags) options[flag] = { type };
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const reason = message.split(/\. |\.?\n/)[0] ?? '';
    throw new VaultError(
      'invalid_input',
      `${reason}. "vaultdoor ${tool.name} --help" lists what it takes; put -- before words that begin with a dash.`,
    );
  }
}

function atMost(count: number): string {
  if (count === 0) return 'no arguments';
  return count === 1 ? 'one argument' : `at most ${count} arguments`;
}

/** Whether a flag is given; what stands behind `--` is no flag. */
export function hasFlag(argv: readonly string[], ...flags: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => flags.includes(word));
}

/** The command's name and what follows it; `--vault` and `--json` may stand before the name. */
export function splitCommand(argv: readonly string[]): { name?: string; rest: readonly string[] } {
  const before: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--vault') before.push(word, argv[++i] ?? '');
    else if (word === '--json' || word.startsWith('--vault=')) before.push(word);
    else return { name: word, rest: [...before, ...argv.slice(i + 1)] };
  }
  return { rest: before };
}

import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import type { AnyTool } from '../../tools/define/define-tool.ts';
import { insteadOfArgument } from '../../tools/define/elsewhere.ts';
import { nearestArgument } from '../../tools/define/unknown-arguments.ts';
import { hint } from '../options/program-text.ts';
import { type FlagKind, type SplitArguments, splitArguments } from '../options/split-arguments.ts';
import { cliElsewhere } from './elsewhere.ts';

/** Where a tool's text is read from if it is not on the command line. */
export type ContentSource =
  | { readonly from: 'stdin' }
  | { readonly from: 'file'; readonly file: string };

/** A command line that runs a tool, after parsing. */
export interface Command {
  readonly tool: AnyTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** Where the tool's text must be read from; absent when `args` has it or the tool takes none. */
  readonly content?: ContentSource;
  readonly vault?: string;
  /** Folders outside the vault that symlinks inside it may lead to. */
  readonly allowRoots: readonly string[];
}

/** One flag of a tool, derived from the schema of its input, so that it is described only once. */
interface Flag {
  /** The name as typed, without dashes at the front: `dry-run`. */
  readonly flag: string;
  /** The name in the tool's input: `dryRun`. */
  readonly argument: string;
  readonly kind: FlagKind;
  /** Whether the value is typed as JSON. */
  readonly json: boolean;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly defaultValue?: unknown;
  readonly required: boolean;
}

/** The flags that every command has. */
const commonFlags: readonly (readonly [string, FlagKind])[] = [
  ['vault', 'value'],
  ['allow-root', 'list'],
  ['json', 'switch'],
];

/** The flags of a tool, derived from the JSON Schema of its input. */
export function flagsOf(tool: AnyTool): readonly Flag[] {
  const schema = z.toJSONSchema(tool.input, { io: 'input' });
  const required = schema.required ?? [];
  const typed = Object.entries(schema.properties ?? {}).filter(
    ([argument]) => tool.content?.file === undefined || argument !== tool.content.argument,
  );
  return typed.map(([argument, property]) => {
    const shape = typeof property === 'object' ? property : {};
    return {
      flag: flagName(argument),
      argument,
      kind: shape.type === 'boolean' ? 'switch' : shape.type === 'array' ? 'list' : 'value',
      json: shape.type === 'object',
      description: shape.description ?? '',
      ...(shape.enum === undefined ? {} : { choices: shape.enum.map(String) }),
      ...(shape.default === undefined ? {} : { defaultValue: shape.default }),
      required: required.includes(argument),
    };
  });
}

/** `dryRun` becomes `dry-run`. `version` becomes `if-version`: `--version` prints the program's. */
function flagName(argument: string): string {
  if (argument === 'version') return 'if-version';
  return argument.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Reads the arguments after a command's name. Fails with `invalid_input` and says what to write. */
export function parseCommand(tool: AnyTool, argv: readonly string[]): Command {
  const flags = flagsOf(tool);
  const typed = splitFor(tool, flags, argv);
  const args: Record<string, unknown> = {};
  for (const { flag, argument, json } of flags) {
    const value = typed.flags.get(flag);
    if (Array.isArray(value)) args[argument] = [...value];
    else if (value !== undefined) args[argument] = json ? parseJson(flag, String(value)) : value;
  }
  const content = placePositionals(tool, flags, typed, args);
  const missing = flags.find(({ argument, required }) => required && args[argument] === undefined);
  if (missing !== undefined && !(content && missing.argument === tool.content?.argument)) {
    throw missingArgument(tool, missing.argument);
  }
  const vault = typed.flags.get('vault');
  const roots = typed.flags.get('allow-root');
  return {
    tool,
    args,
    allowRoots: Array.isArray(roots) ? roots : [],
    ...(content === undefined ? {} : { content }),
    ...(typeof vault === 'string' ? { vault } : {}),
  };
}

/**
 * Adds the positional arguments to `args`, in the order of the tool's `positional`. Returns where the
 * tool's text must be read from, or undefined when it is in `args` or the tool takes none.
 */
function placePositionals(
  tool: AnyTool,
  flags: readonly Flag[],
  { flags: given, positionals }: SplitArguments,
  args: Record<string, unknown>,
): ContentSource | undefined {
  const places = tool.positional ?? [];
  const lists = new Set(flags.flatMap(({ kind, argument }) => (kind === 'list' ? [argument] : [])));
  let fromStdin = false;
  for (const [index, value] of positionals.entries()) {
    // If the last place is a list, it takes all further arguments.
    const place = places[Math.min(index, places.length - 1)];
    if (place !== undefined && lists.has(place)) {
      const before = args[place];
      if (Array.isArray(before)) before.push(value);
      else args[place] = [value];
    } else if (place !== undefined && index >= places.length && tool.joinsWords) {
      args[place] = `${args[place]} ${value}`;
    } else if (place === undefined || index >= places.length) {
      throw new VaultError(
        'invalid_input',
        `"${tool.name}" takes ${atMost(places.length)}; quote text that has spaces.`,
      );
    } else if (place === tool.content?.argument && value === '-') {
      fromStdin = true;
    } else {
      args[place] = value;
    }
  }
  if (tool.content === undefined) return undefined;
  if (tool.content.file !== undefined) {
    const named = args[tool.content.file];
    return typeof named === 'string' ? { from: 'file', file: named } : undefined;
  }
  const file = given.get('from');
  const isGiven = args[tool.content.argument] !== undefined;
  if (typeof file === 'string' && (isGiven || fromStdin)) {
    throw new VaultError(
      'invalid_input',
      `"${tool.name}" takes its ${tool.content.argument} from one place: leave out --from or the argument.`,
    );
  }
  if (typeof file === 'string' && file !== '-') return { from: 'file', file };
  if (fromStdin || file === '-') return { from: 'stdin' };
  return !isGiven && tool.content.otherwise === 'stdin' ? { from: 'stdin' } : undefined;
}

/** The usage line of a command, such as `append <name> <text>`. */
export function usage(tool: AnyTool): string {
  const flags = new Map(flagsOf(tool).map((flag) => [flag.argument, flag]));
  const places = (tool.positional ?? []).map((name) => {
    const isLast = name === tool.positional?.at(-1);
    const dots = flags.get(name)?.kind === 'list' || (isLast && tool.joinsWords) ? '…' : '';
    return flags.get(name)?.required ? `<${name}>${dots}` : `[${name}]${dots}`;
  });
  return [tool.name, ...places].join(' ');
}

function splitFor(tool: AnyTool, flags: readonly Flag[], argv: readonly string[]): SplitArguments {
  const kinds = new Map<string, FlagKind>(commonFlags);
  if (takesFrom(tool)) kinds.set('from', 'value');
  for (const { flag, kind } of flags) kinds.set(flag, kind);
  try {
    return splitArguments(argv, kinds, (flag) => insteadOfFlag(tool, flags, flag));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw new VaultError(
      error.code,
      `${error.message}. ${hint(`${tool.name} --help`)} lists its options; put -- before arguments that begin with a dash.`,
    );
  }
}

/** What to use in place of an option that a command does not have; undefined when unclear. */
function insteadOfFlag(tool: AnyTool, flags: readonly Flag[], flag: string): string | undefined {
  const elsewhere = insteadOfArgument({ elsewhere: cliElsewhere, tools: [] }, tool.name, flag);
  const nearest = nearestArgument(tool, flag);
  const known = flags.find(({ argument }) => argument === nearest)?.flag;
  return elsewhere ?? (known && `use "--${known}"`);
}

/** Whether a command has `--from`, for its text. */
export function takesFrom({ content }: AnyTool): boolean {
  return content !== undefined && content.file === undefined;
}

function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new VaultError('invalid_input', `"--${flag}" takes JSON; quote it for the shell.`);
  }
}

function missingArgument(tool: AnyTool, argument: string): VaultError {
  const ways =
    argument === tool.content?.argument
      ? ': give it as an argument, "-" to read it from stdin, or --from <file>.'
      : `: vaultdoor ${usage(tool)}`;
  return new VaultError('invalid_input', `"${tool.name}" needs ${argument}${ways}`);
}

function atMost(count: number): string {
  if (count === 0) return 'no arguments';
  return count === 1 ? 'one argument' : `at most ${count} arguments`;
}

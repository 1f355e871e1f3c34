import type { z } from 'zod';
import { record } from '../../base/json.ts';
import { VaultError } from '../../base/vault-error.ts';
import {
  type KnownArguments,
  type UnknownArgument,
  unknownArguments,
} from './unknown-arguments.ts';

interface Checked<Input extends z.ZodObject> extends KnownArguments {
  readonly name: string;
  readonly input: Input;
}

/**
 * Checks arguments against the schema of a tool, and returns them as the schema transforms them.
 * Fails with `invalid_input`; the message says which arguments are wrong and why. Arguments that
 * the tool does not have are refused too, unless `unknown` is `ignore`.
 */
export function checkInput<Input extends z.ZodObject>(
  tool: Checked<Input>,
  args: unknown,
  { unknown: treated = 'refuse' }: { readonly unknown?: 'refuse' | 'ignore' } = {},
): z.output<Input> {
  const unknown = treated === 'refuse' ? unknownArguments(tool, args) : [];
  const parsed = tool.input.safeParse(args ?? {}, { error: worded });
  const wrong = parsed.success ? brokenTexts(parsed.data) : problemsOf(parsed.error);
  if (parsed.success && wrong.length === 0 && unknown.length === 0) return parsed.data;
  const others = unknown.length === 0 ? wrong : otherProblems(tool, args, unknown);
  throw new VaultError(
    'invalid_input',
    `${sentences(
      tool.name,
      unknown.filter(({ isValue }) => !isValue),
      [...unknown.filter(({ isValue }) => isValue), ...others],
    )}.`,
    {
      details: { fields: [...unknown, ...others].map(({ field }) => field) },
    },
  );
}

/**
 * What is wrong besides the unknown arguments, as if each had been given under the name that is meant:
 * then it is not missing. Where something else than this call is meant, nothing is missing in it.
 */
function otherProblems(
  tool: Checked<z.ZodObject>,
  args: unknown,
  unknown: readonly UnknownArgument[],
): readonly Problem[] {
  const given = record(args);
  const meant = unknown.flatMap(({ field, nearest }) =>
    nearest === undefined || Object.hasOwn(given, nearest)
      ? []
      : [[nearest, given[field]] as const],
  );
  const parsed = tool.input.safeParse(
    { ...given, ...Object.fromEntries(meant) },
    { error: worded },
  );
  const wrong = parsed.success ? brokenTexts(parsed.data) : problemsOf(parsed.error);
  const isElsewhere = unknown.some((each) => each.isElsewhere);
  return isElsewhere ? wrong.filter(({ why }) => why !== isMissing) : wrong;
}

function sentences(
  name: string,
  unknown: readonly UnknownArgument[],
  wrong: readonly Problem[],
): string {
  const problems = wrong.map(({ field, why }) => (field === '' ? why : `"${field}": ${why}`));
  if (unknown.length === 0) return `Wrong arguments for ${name}: ${problems.join('; ')}`;
  const refused = unknown.map(({ field, why }) => `no argument "${field}": ${why}`);
  return [`${name} has ${refused.join('; ')}`, ...problems].join('; ');
}

interface Problem {
  readonly field: string;
  readonly why: string;
}

function problemsOf({ issues }: z.ZodError): readonly Problem[] {
  return issues.map(({ path, message }) => ({ field: path.join('.'), why: message }));
}

/** The arguments that contain half a surrogate pair, which UTF-8 cannot store. */
function brokenTexts(args: object): readonly Problem[] {
  return Object.entries(args)
    .filter(([, value]) => isBroken(value))
    .map(([field]) => ({ field, why: 'it has half a surrogate pair, which is no character' }));
}

function isBroken(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => isBroken(key) || isBroken(inner));
}

/** What is wrong with an argument, in plain words; undefined to use the message of zod. */
function worded(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? isMissing : `it must be ${kinds[issue.expected]}`;
    case 'invalid_value':
      return `it must be ${issue.values.map((value) => `"${String(value)}"`).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'it must not be empty'
        : `it must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'number' ? `it must be at most ${issue.maximum}` : undefined;
    default:
      return undefined;
  }
}

const isMissing = 'it is missing';

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

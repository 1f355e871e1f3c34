import type { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';

/**
 * Checks arguments against a schema, and returns them as the schema transforms them. Fails with
 * `invalid_input`; the message says which arguments are wrong and why.
 */
export function checkInput<Input extends z.ZodObject>(
  name: string,
  input: Input,
  args: unknown,
): z.output<Input> {
  const parsed = input.safeParse(args ?? {}, { error: worded });
  const wrong = parsed.success ? brokenTexts(parsed.data) : problemsOf(parsed.error);
  if (parsed.success && wrong.length === 0) return parsed.data;
  const problems = wrong.map(({ field, why }) => (field === '' ? why : `"${field}": ${why}`));
  throw new VaultError('invalid_input', `Wrong arguments for ${name}: ${problems.join('; ')}.`, {
    details: { fields: wrong.map(({ field }) => field) },
  });
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
      return issue.input === undefined ? 'it is missing' : `it must be ${kinds[issue.expected]}`;
    case 'invalid_value':
      return `it must be ${issue.values.map((value) => `"${String(value)}"`).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'it must not be empty'
        : `it must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'number' ? `it must be at most ${issue.maximum}` : undefined;
    case 'unrecognized_keys':
      return `there is no argument ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    default:
      return undefined;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

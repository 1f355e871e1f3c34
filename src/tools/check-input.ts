import type { z } from 'zod';
import { VaultError } from '../base/vault-error.ts';

/** Arguments as the schema makes them. Fails with `invalid_input` and which of them are wrong. */
export function checkInput<Input extends z.ZodObject>(
  name: string,
  input: Input,
  args: unknown,
): z.output<Input> {
  const parsed = input.safeParse(args ?? {}, { error: worded });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const field = issue.path.join('.');
    return field === '' ? issue.message : `"${field}": ${issue.message}`;
  });
  throw new VaultError('invalid_input', `Wrong arguments for ${name}: ${problems.join('; ')}.`, {
    details: { fields: parsed.error.issues.map((issue) => issue.path.join('.')) },
  });
}

/** What is wrong with an argument, in words for people; undefined leaves them to zod. */
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

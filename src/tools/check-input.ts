import type { z } from 'zod';
import { VaultError } from '../base/vault-error.ts';

/** Arguments as the schema makes them. Fails with `invalid_input` and which of them are wrong. */
export function checkInput<Input extends z.ZodObject>(
  name: string,
  input: Input,
  args: unknown,
): z.output<Input> {
  const parsed = input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const field = issue.path.join('.');
    return field === '' ? issue.message : `"${field}": ${issue.message}`;
  });
  throw new VaultError('invalid_input', `Wrong arguments for ${name}: ${problems.join('; ')}.`, {
    details: { fields: parsed.error.issues.map((issue) => issue.path.join('.')) },
  });
}

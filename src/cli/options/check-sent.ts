import type { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';

/** What a page has sent, in the form that is expected. Fails with `invalid_input` and where it differs. */
export function checkSent<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
): z.output<Schema> {
  const read = schema.safeParse(sent);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const where = first === undefined || first.path.length === 0 ? '' : ` (${first.path.join('.')})`;
  throw new VaultError('invalid_input', `This cannot be used${where}: ${first?.message}`);
}

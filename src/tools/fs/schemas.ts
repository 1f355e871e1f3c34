import { z } from 'zod';

/** A path from the root of the vault, which is `""`; `fsPath` reads it. */
export const Path = z.string().default('').describe('From the root of the vault, which is "".');

/** A whole number of any size: clients send one larger than a file to mean "to its end". */
export const Whole = z
  .number()
  .refine(Number.isInteger, 'it must be a whole number')
  .meta({ type: 'integer' });

/** The modification time that a file must still have. */
export const ExpectedMtime = Whole.default(0).describe(
  'The time that the file must have, if it is there; 0 is any.',
);

export const Recursive = z.boolean().default(false);

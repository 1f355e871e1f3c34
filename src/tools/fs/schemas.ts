import { z } from 'zod';

/** A path from the root of the vault, which is `""`; `fsPath` reads it. */
export const Path = z.string().default('').describe('From the root of the vault, which is "".');

/** A whole number of any size: what is larger than a file, clients mean as "to its end". */
export const Whole = z
  .number()
  .refine(Number.isInteger, 'it must be a whole number')
  .meta({ type: 'integer' });

export const ExpectedMtime = Whole.default(0).describe(
  'The time that the file must have, if it is there; 0 is any.',
);

export const Recursive = z.boolean().default(false);

/** Text for a file. Half a surrogate pair becomes U+FFFD, as UTF-8 has nothing else for it. */
export const Content = z
  .string()
  .overwrite((text) => text.replace(/\p{Surrogate}/gu, '\ufffd'))
  .default('')
  .describe('The text.');

export const ContentBase64 = z
  .string()
  .default('')
  .describe('The bytes in base64, of the standard alphabet with padding.');

/** What methods answer that make or change a file. */
export const Changed = z.object({ mtime: z.number() });

/** What methods answer that have nothing to say. */
export const Nothing = z.object({});

export const Stat = z.object({
  type: z.enum(['file', 'folder', 'symlink']),
  mtime: z.number(),
  size: z.number(),
  mode: z.number(),
});

const entryShape = { type: Stat.shape.type, mtime: z.number(), size: z.number() };

export const NamedEntry = z.object({ name: z.string(), ...entryShape });
export const PathEntry = z.object({ path: z.string(), ...entryShape });

/** Some bytes of a file, or all; `size` is that of the whole file. */
export const ReadBytes = z.object({
  contentBase64: z.string(),
  mtime: z.number(),
  size: z.number(),
});

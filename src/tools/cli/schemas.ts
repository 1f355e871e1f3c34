import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';

export const NoteName = z
  .string()
  .min(1)
  .describe('A note: its path (".md" optional), its name, or the end of its path.');

export const Folder = z
  .string()
  .default('')
  .transform((folder) => vaultFolder(folder)) // Its refusals pass through as they are.
  .describe('Only this folder and what is in it.');

/** How many to answer at most: `standard` unless said otherwise, never more than `max`. */
export function limitOf(standard: number, max: number = limits.resultsMax) {
  return z.coerce.number().int().min(0).max(max).default(standard).describe('At most this many.');
}

export const Offset = z.coerce
  .number()
  .int()
  .min(0)
  .default(0)
  .describe('Leave out this many first.');

export const FileSchema = z.object({
  path: z.string(),
  kind: z.enum(['note', 'canvas', 'base', 'attachment']),
  size: z.number(),
  mtimeMs: z.number(),
  birthMs: z.number(),
  present: z.boolean(),
  conflictOf: z.string().optional(),
});

export const LinkSchema = z.object({
  source: z.string(),
  target: z.string().optional(),
  place: z.enum(['body', 'property', 'definition', 'canvas', 'base']),
  embed: z.boolean(),
  path: z.string(),
  subpath: z.string(),
  key: z.string().optional(),
  start: z.number(),
  end: z.number(),
  line: z.number(),
});

/** The schema of a list that nobody changes. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).readonly();
}

/** The schema of one page of a longer list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ total: z.number(), items: listOf(item) });
}

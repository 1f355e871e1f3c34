import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { isVersionStart, type VersionStart } from '../../base/version.ts';

// The arguments and answers that several commands share. The descriptions are the help.

export const NoteName = z
  .string()
  .min(1)
  .describe('A note: its path (".md" optional), its name, or the end of its path.');

export const Folder = z
  .string()
  .default('')
  .transform((folder) => vaultFolder(folder)) // A `VaultError` that it throws reaches the caller unchanged.
  .describe('Only files in this folder.');

export const NewPath = z
  .string()
  .min(1)
  .describe('The path of the note, from the root of the vault; ".md" is added if it is missing.');

export const Text = z.string().describe('The text; "-" reads it from stdin.');

export const Section = z
  .string()
  .min(1)
  .describe('A heading: its text, "A > B" for B under A, or "B (2)" for the second B.');

export const Inline = z.boolean().exactOptional().describe('Add no line ends around the text.');

export const IfVersion = z
  .string()
  .refine(isVersionStart, 'it is the version that "read --json" answers, 12 digits or more')
  .transform((version) => version as VersionStart)
  .exactOptional()
  .describe('Only if the file still has this version.');

export const Properties = z
  .record(z.string(), z.json())
  .exactOptional()
  .describe('Properties of the new note, as a JSON object.');

export const Links = z
  .enum(['update', 'keep'])
  .exactOptional()
  .describe('What to do with links to it: update them (the default), or keep them as they are.');

export const Force = z
  .boolean()
  .exactOptional()
  .describe('Do it even if some files that may have links cannot be read.');

/** How many bases a rename has changed, `base` blocks of notes included; absent for none. */
export const Bases = z.number().exactOptional();

/** The argument `limit`: `standard` if it is not given, at most `max`. */
export function limitOf(standard: number, max: number = limits.resultsMax) {
  return z.coerce.number().int().min(0).max(max).default(standard).describe('At most this many.');
}

export const Offset = z.coerce.number().int().min(0).default(0).describe('Skip this many.');

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

/** The schema of a read-only list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).readonly();
}

/** The schema of one page of a longer list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ total: z.number(), items: listOf(item) });
}

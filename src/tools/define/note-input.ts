import { z } from 'zod';
import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { isVersionStart, type VersionStart } from '../../base/version.ts';
import { convertTags, isShallow } from '../../engine/text/convert-property.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import type { PropertyValue as Value } from '../../markdown/facts/facts.ts';

// Clients and models send numbers and booleans as text, and null for arguments that they leave out.
// All of that is accepted where it can mean only one thing. Lists of tools show the plain types.

/** A text that must not be empty; `charsMax` is for texts that answers repeat. */
export function filled(about: string, charsMax = Number.POSITIVE_INFINITY) {
  // These are refinements because lists would show zod's own length limits, which costs tokens.
  return z
    .string()
    .refine((text) => text !== '', 'it must not be empty')
    .refine((text) => text.length <= charsMax, `it has at most ${charsMax} characters`)
    .describe(about);
}

/** One of several words; the first word is the default. */
export function choice<const Word extends string>(
  words: readonly [Word, ...Word[]],
  about: string,
) {
  return z.preprocess(wordOf, z.enum(words).default(words[0])).describe(about);
}

/** One of several words, or nothing. */
export function optionalChoice<const Word extends string>(
  words: readonly [Word, ...Word[]],
  about: string,
) {
  return z.preprocess(wordOf, z.enum(words).optional()).describe(about);
}

/** A text that may be left out; an empty one counts as left out. */
export function optionalText(about: string) {
  return z.preprocess(orAbsent, z.string().optional()).describe(about);
}

/** A count that may be left out, at least 0 or `min`. A number above `max` becomes `max`. */
export function count(about: string, range: { readonly min?: 1; readonly max?: number } = {}) {
  return z
    .preprocess(
      (value) => countOf(value, range.max),
      z
        .int()
        .min(range.min ?? 0)
        .optional(),
    )
    .describe(about);
}

/** Like `count`, with a default. */
export function countOr(
  standard: number,
  about: string,
  range: { readonly min?: 1; readonly max?: number } = {},
) {
  return z
    .preprocess(
      (value) => countOf(value, range.max),
      z
        .int()
        .min(range.min ?? 0)
        .default(standard),
    )
    .describe(about);
}

/** A count of at least 1 that must be given. */
export function neededCount(about: string) {
  return z.preprocess((value) => countOf(value), z.int().min(1)).describe(about);
}

/** A boolean that may be left out, which means false. */
export function flag(about: string) {
  return z.preprocess(flagOf, z.boolean().optional()).describe(about);
}

/** Any text, also an empty one. */
export const Text = z.string();

/** A section of a note, named as `findSection` takes it. */
export const Section = filled('Heading, A > B, or B (2)', 5_000);

/** A section that may be left out. */
export function optionalSection(about: string) {
  return z.preprocess(orAbsent, Section.optional()).describe(about);
}

/** The version that a note must still have. Every tool that changes an existing note takes it. */
export const IfVersion = z
  .preprocess(
    orAbsent,
    z
      .string()
      .refine(isVersionStart, 'it is the version that an answer gave, 12 digits or more')
      .transform((text) => text as VersionStart)
      .optional(),
  )
  .describe('If still at it');

/** New tags that the user agreed to: a list, or a text as the property `tags` allows it. */
export const NewTags = z
  .preprocess(
    (value) => (typeof value === 'string' ? convertTags(value) : (value ?? undefined)),
    z.array(z.string()).optional(),
  )
  .describe('New tags the user wants');

const Name = filled('Note');

/** The name of a note. Lists show it as required; it is optional because `path` may replace it. */
export const NamedNote = {
  published: Name,
  accepted: z.preprocess((value) => orAbsent(linkTarget(value)), Name.optional()),
};

/** A wikilink as a name: the note that it leads to. */
function linkTarget(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return /^\s*!?\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]\s*$/.exec(value)?.[1] ?? value;
}

/**
 * The arguments of a tool for one note. Lists show `name`, which takes a path as well; `path` is
 * accepted in its place and then means exactly that file. `also` is accepted without being shown.
 */
export function noteInput<
  Shape extends z.ZodRawShape,
  Also extends z.ZodRawShape = Record<never, never>,
>(shape: Shape, also?: Also) {
  const { published, accepted } = NamedNote;
  return {
    published: z.object({ name: published, ...shape }),
    input: z
      .object({ name: accepted, path: accepted, ...shape, ...(also as Also) })
      .refine((args) => namesOne(args as Named), missing('name')),
  };
}

/**
 * Like `noteInput`, for tools that read one note or several, whose lists show `name`, `path` and
 * `names`. A call gives one of the three; with two, it is not clear which note is meant. `also` is
 * accepted without being shown.
 */
export function noteOrNotesInput<Shape extends z.ZodRawShape, Also extends z.ZodRawShape>(
  shape: Shape,
  also: Also,
) {
  const { accepted } = NamedNote;
  const path = filled('Exact path');
  const names = { names: Names };
  return {
    published: z.object({
      name: filled('Name or path').optional(),
      path: path.optional(),
      ...names,
      ...shape,
    }),
    input: z
      .object({ name: accepted, path: accepted, ...names, ...shape, ...also })
      .refine((args) => namesOne(args as Named), missing('name'))
      .refine((args) => !namesTwice(args as Named), {
        path: ['path'],
        error: 'give only one of "name", "path" and "names"',
      }),
  };
}

/** A list of notes; a list as JSON text is accepted too. */
const Names = z
  .preprocess(
    listOf,
    z.array(z.string().refine((name) => name !== '', 'it must not be empty')).optional(),
  )
  .describe('Several: Note or Note#Heading');

function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value === null ? undefined : value;
  if (value === '') return undefined;
  if (!value.trim().startsWith('[')) return [value];
  try {
    return JSON.parse(value);
  } catch {
    return [value];
  }
}

interface Named {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly names?: readonly string[] | undefined;
}

/** The note that the arguments name. If both are given, `path` counts. */
export function noteOf({ name, path }: Named): NoteName {
  if (path !== undefined) return { path };
  assert(name !== undefined, 'the schema asks for a name or a path');
  return name;
}

/** Whether a note is named at all. */
export function namesOne({ name, path, names = [] }: Named): boolean {
  return name !== undefined || path !== undefined || names.length > 0;
}

function namesTwice({ name, path, names }: Named): boolean {
  return [name, path, names].filter((each) => each !== undefined).length > 1;
}

/** The problem that `checkInput` reports when an argument is missing. */
export function missing(argument: string) {
  return { path: [argument], error: 'it is missing' };
}

/** The arguments without those that are undefined. */
export function given<Args extends object>(
  args: Args,
): { [Key in keyof Args]: Exclude<Args[Key], undefined> } {
  const entries = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Args]: Exclude<Args[Key], undefined> };
}

/** Null and the empty text count as left out. */
function orAbsent(value: unknown): unknown {
  return value === null || value === '' ? undefined : value;
}

function wordOf(value: unknown): unknown {
  return typeof value === 'string' ? orAbsent(value.trim().toLowerCase()) : orAbsent(value);
}

function countOf(value: unknown, max = Number.MAX_SAFE_INTEGER): unknown {
  const number = typeof value === 'string' && /^ *\d+ *$/.test(value) ? Number(value) : value;
  return typeof number === 'number' ? Math.min(number, max) : orAbsent(number);
}

function flagOf(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'true' || word === 'false') return word === 'true';
  return orAbsent(word);
}

/** The value of a property: any JSON that does not nest too deeply. */
export const PropertyValue = z
  .unknown()
  .refine((value) => value !== undefined, 'it is missing')
  .refine(
    (value) => isShallow(value, limits.nestingMax),
    `it nests more than ${limits.nestingMax} levels deep; make it flatter`,
  )
  .transform((value) => value as Value)
  .meta({ type: ['string', 'number', 'boolean', 'array', 'object', 'null'] });

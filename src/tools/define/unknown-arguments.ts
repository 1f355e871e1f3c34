import type { z } from 'zod';
import { isObject } from '../../base/json.ts';
import { oneLine } from '../../base/one-line.ts';
import { nearestName } from './nearest-name.ts';

const nameCharsMax = 60;
const namedMax = 5;

/** What of a tool decides which arguments it knows; see `Tool`. */
export interface KnownArguments {
  readonly input: z.ZodObject;
  readonly published?: z.ZodObject;
  /** What does the same as an argument that the tool does not have; see `Elsewhere`. */
  readonly elsewhere?: (argument: string) => string | undefined;
  /** Whether an argument that the tool does not have asks for nothing else; see `Elsewhere`. */
  readonly ignores?: (
    argument: string,
    args: Readonly<Record<string, unknown>>,
  ) => boolean | string;
}

/** An argument that a tool does not have, and what to use in its place. */
export interface UnknownArgument {
  readonly field: string;
  readonly why: string;
  /** The argument of the tool that is probably meant. */
  readonly nearest?: string;
  /** Whether something else does that, so that what else this call lacks does not matter. */
  readonly isElsewhere?: true;
  /** Whether only its value is wrong: with another one, it is ignored. */
  readonly isValue?: true;
}

/**
 * The given arguments that a tool does not have, with what to use in their place. Arguments that
 * are null count as left out. Names that begin with `_` belong to clients, and older versions of
 * n8n add fields of their own beside `toolCallId`: these are ignored.
 */
export function unknownArguments(tool: KnownArguments, args: unknown): readonly UnknownArgument[] {
  if (!isObject(args) || 'toolCallId' in args) return [];
  return Object.entries(args)
    .filter(([name, value]) => !Object.hasOwn(tool.input.shape, name) && isMeant(name, value))
    .filter(([name]) => tool.ignores?.(name, args) !== true)
    .slice(0, namedMax)
    .map(([name]) => unknownArgument(tool, name, args));
}

function isMeant(name: string, value: unknown): boolean {
  return !name.startsWith('_') && value !== null && value !== undefined;
}

function unknownArgument(
  tool: KnownArguments,
  name: string,
  args: Readonly<Record<string, unknown>>,
): UnknownArgument {
  // In quotes, because a space before or behind a name is what may be wrong with it.
  const field = oneLine(`"${name}"`, nameCharsMax).replace(/^"|"$/g, '');
  const why = tool.ignores?.(name, args);
  if (typeof why === 'string') return { field, why, isValue: true };
  const elsewhere = tool.elsewhere?.(name.toLowerCase());
  if (elsewhere !== undefined) {
    const [, named = ''] = /^use (\w+)$/.exec(elsewhere) ?? [];
    return Object.hasOwn(tool.input.shape, named)
      ? { field, why: `use "${named}"`, nearest: named }
      : { field, why: elsewhere, isElsewhere: true };
  }
  const nearest = nearestArgument(tool, name, args);
  if (nearest !== undefined) return { field, why: `use "${nearest}"`, nearest };
  const names = Object.keys((tool.published ?? tool.input).shape);
  return { field, why: names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}` };
}

/**
 * The argument of a tool that is meant by a name which it does not have; undefined if unclear. Of
 * several with the same meaning, one that the call needs and does not have comes first.
 */
export function nearestArgument(
  tool: KnownArguments,
  name: string,
  args: object = {},
): string | undefined {
  const { shape } = tool.published ?? tool.input;
  const names = Object.keys(shape);
  const word = wordOf(name);
  const words = sameMeaning.filter((group) => group.includes(word)).flat();
  const same = names.filter((each) => words.includes(wordOf(each)));
  const isMissing = (each: string): boolean =>
    !Object.hasOwn(args, each) && shape[each]?.safeParse(undefined).success === false;
  return (
    names.find((each) => wordOf(each) === word) ??
    same.find(isMissing) ??
    same[0] ??
    nearestName(name, names)
  );
}

/** `dryRun`, `dry-run` and `dry_run` are one word. */
function wordOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Words that models use for the same argument, from other programs for notes and files. */
const sameMeaning: readonly (readonly string[])[] = [
  [
    'name',
    'oldname',
    'oldpath',
    'path',
    'note',
    'notename',
    'notepath',
    'title',
    'file',
    'filename',
    'filepath',
  ],
  ['template', 'templatename', 'templatepath', 'name', 'path', 'file'],
  ['names', 'notes', 'paths', 'files', 'filenames', 'filepaths'],
  ['section', 'heading', 'header', 'targetheading'],
  ['text', 'content', 'body', 'markdown'],
  ['oldtext', 'old', 'oldstring', 'oldstr', 'oldcontent', 'find', 'search'],
  ['newtext', 'new', 'newstring', 'newstr', 'newcontent', 'replace', 'replacement', 'replacewith'],
  ['newname', 'newpath', 'newtitle', 'destination', 'target', 'to'],
  ['query', 'q', 'term', 'pattern', 'keyword', 'keywords', 'searchterm', 'search', 'text'],
  ['folder', 'directory', 'dir', 'subfolder', 'path', 'pathprefix'],
  ['limit', 'max', 'maxresults', 'maxitems', 'count', 'top', 'topk', 'pagesize', 'lines'],
  ['offset', 'skip', 'start', 'startline', 'from', 'fromline', 'page'],
  ['key', 'property', 'field'],
  ['frontmatter', 'properties', 'metadata', 'yaml'],
  ['replaceall', 'all', 'global'],
  ['id', 'ids', 'change', 'changes', 'changeid'],
  ['session', 'sessionid', 'connection'],
  ['dryrun', 'preview', 'simulate'],
  ['version', 'ifversion', 'expectedversion', 'hash', 'etag'],
];

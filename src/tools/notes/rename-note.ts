import { z } from 'zod';
import type { VaultError } from '../../base/vault-error.ts';
import { type Renamed, renameNamed } from '../../engine/operations/move/rename-named.ts';
import type { ChangeReport } from '../../engine/vault/draft.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import { type Advice, withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import {
  filled,
  flag,
  given,
  IfVersion,
  missing,
  NamedNote,
  namesOne,
  noteOf,
} from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { changeShape, withReport, writingAnswer } from '../wording/writing-answer.ts';

const shape = {
  new_name: filled('New name or path'),
  dry_run: flag('Only show the diff'),
};

export const renameNoteTool = defineTool({
  name: 'rename_note',
  title: 'Rename note',
  description:
    'Rename or move a note, folder, tag, heading or block; links follow. A bare new name stays in its folder; Folder/Name is from the root, Folder/ keeps the name, /Name is in the root.',
  effect: 'write',
  existing: 'old_name',
  published: z.object({
    old_name: filled('Note, Folder/, #tag, Note#Heading or Note#^id'),
    ...shape,
  }),
  input: z
    .object({
      old_name: NamedNote.accepted,
      path: NamedNote.accepted,
      ...shape,
      version: IfVersion,
    })
    .refine(({ old_name, path }) => namesOne({ name: old_name, path }), missing('old_name')),
  /** A note answers with the fields that the seed asks for, anything else with few. */
  output: z.object({
    path: z.string().optional(),
    old_path: z.string().optional(),
    renamed: z.boolean().optional(),
    /** How many links were rewritten, and in which files. */
    links: z.number().optional(),
    files: z.array(z.string()).readonly().optional(),
    files_total: z.number().optional(),
    heading: z.string().optional(),
    /** How many files of a folder were moved. */
    moved: z.number().optional(),
    /** How many notes were changed, and how many times a tag was. */
    notes: z.number().optional(),
    tags: z.number().optional(),
    joined: z.string().optional(),
    ...changeShape,
    version: z.string().optional(),
  }),
  record: ['old_name', 'path', 'new_name'],
  run: async (vault, { old_name, path, new_name, dry_run: dryRun = false, version }) => {
    const name = noteOf({ name: old_name, path });
    const request = { ...given({ version }), name, newName: new_name, dryRun };
    return answerOf(await withAdvice(adviceFor(name), () => vault.change(renameNamed, request)));
  },
});

function adviceFor(name: NoteName): Advice {
  const oneOf = ({ code, details }: VaultError): string | undefined => {
    const [first] = Array.isArray(details['candidates']) ? details['candidates'] : [];
    if (first === undefined) return undefined;
    if ('block' in details)
      return `Give it as old_name "${noteIn(name, details['block'])}#^${first}".`;
    if (!('section' in details)) return undefined;
    // Without the marks of its level, which only tell equal headings apart.
    const heading = code === 'ambiguous' ? first : String(first).replace(/^#+ /, '');
    return `Give it as old_name "${noteIn(name, details['section'])}#${heading}".`;
  };
  return {
    not_found: (failure) =>
      'tag' in failure.details ? 'list_vault with what "tags" lists the tags.' : oneOf(failure),
    ambiguous: oneOf,
  };
}

/** The note of a name such as `Note#Heading`. */
function noteIn(name: NoteName, part: unknown): string {
  const text = typeof name === 'string' ? name.trimEnd() : name.path;
  const isWhole = typeof part === 'string' && text.endsWith(part);
  const note = isWhole ? text.slice(0, text.length - part.length) : (text.split('#')[0] ?? text);
  return note.trimEnd().replace(/#$/, '');
}

function answerOf(report: Renamed & ChangeReport) {
  const change = report.change ?? null;
  switch (report.what) {
    case 'note':
      return noteAnswer(report);
    case 'folder': {
      const { path, moved } = report;
      return withReport(report, { path: `${path}/`, moved, ...counts(report), change });
    }
    case 'tag': {
      const { notes, count, joined } = report;
      return withReport(report, {
        notes,
        tags: count,
        ...joinedTag(joined, report.dryRun),
        change,
      });
    }
    default:
      return writingAnswer(report, counts(report));
  }
}

function noteAnswer(report: Renamed & ChangeReport & { readonly what: 'note' }) {
  const files = report.files.filter(({ did }) => did === 'changed');
  const { oldHeading, path } = report;
  return writingAnswer(report, {
    old_path: report.from,
    renamed: !report.dryRun && report.change !== undefined,
    links: report.links,
    files: firstOf(files.map((file) => file.path)),
    files_total: files.length,
    ...(oldHeading === undefined ? {} : { heading: adviceOn(oldHeading, path) }),
  });
}

function adviceOn(heading: string, path: string): string {
  const name = path.replace(/\.md$/, '');
  return `The first heading is still the old name; to change it use rename_note with old_name ${name}#${heading}`;
}

/** Links that were rewritten, and in how many notes; nothing when there were none. */
function counts({ links, notes }: { readonly links: number; readonly notes: number }) {
  return links === 0 ? {} : { links, notes };
}

function joinedTag(notes: number, dryRun: boolean) {
  if (notes === 0) return {};
  const which = notes === 1 ? '1 note' : `${notes} notes`;
  return {
    joined: dryRun
      ? `The new tag exists already, in ${which}.`
      : `${which} had the new tag already.`,
  };
}

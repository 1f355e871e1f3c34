import type { TextRange } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import type { Heading, NoteFacts } from '../../../markdown/facts/facts.ts';
import { HeadingPaths } from '../../../markdown/facts/heading-match.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import type { TextEdit } from '../../../markdown/text/text-edit.ts';
import { applyEdits } from '../../../markdown/text/text-edit.ts';
import { visitLinksInto } from '../../moves/links-into.ts';
import { rewriteSubpaths } from '../../moves/rewrite-subpaths.ts';
import { checkAllRead, warnOfOuterVault } from '../../moves/unread-files.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import { findSection } from '../../notes/find-section.ts';
import { headingSubpath } from '../../notes/heading-subpath.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

interface RenameHeadingRequest {
  readonly name: NoteName;
  /** The heading, named as `findSection` takes it: its text, a path `A > B`, or `B (2)`. */
  readonly heading: string;
  readonly newHeading: string;
  readonly force?: boolean;
  readonly version?: VersionStart;
}

/** What renaming a part of a note did. */
export interface RenamedPart {
  readonly path: VaultPath;
  /** The number of links that were rewritten, or replaced along with the text that they were in. */
  readonly links: number;
  /** The number of files with such links. */
  readonly notes: number;
}

/**
 * Gives a heading another text, and rewrites every link to it or, through it, to a heading below
 * it. Links to another heading of the same text stay, and so does a block id at the heading's end. Fails with `not_found` or `ambiguous` when
 * the names do not lead to one note and one heading, with `invalid_input` when the new text cannot
 * be a heading, and as `renameInLinks` does.
 */
export async function renameHeading(
  draft: Draft,
  request: RenameHeadingRequest,
): Promise<RenamedPart> {
  const { path, text } = await readMarkdown(draft, request);
  const before = scanNote(text);
  const { heading } = findSection(text, before, request.heading);
  const index = before.headings.indexOf(heading);
  const newHeading = keepBlockId(heading.text, checkHeading(request.newHeading));
  const edits = renameHeadingText(text, heading, newHeading);
  const after = scanNote(applyEdits(text, edits));
  if (!isRenamed(before, after, { index, newHeading })) {
    throw new VaultError(
      'invalid_input',
      'With that text, the line would not be the same heading any more; choose another text.',
    );
  }
  const change = {
    before: new HeadingPaths(before.headings),
    after: new HeadingPaths(after.headings),
    headings: after.headings,
    index,
  };
  let misled = 0;
  const subpathOf = ({ subpath }: { subpath: string }): string | undefined => {
    const found = headingSubpath(subpath, change);
    if (found?.clear === false) misled++;
    return found?.subpath;
  };
  const counted = await renameInLinks(draft, {
    path,
    edits,
    force: request.force ?? false,
    subpathOf,
  });
  if (misled > 0) {
    draft.warn(
      `${misled} links now lead to another heading: "${path}" has several headings with that text, and links lead to the first.`,
    );
  }
  return { path, ...counted };
}

/**
 * Edits a note and, in the same change, the subpaths of all links to it. Fails with `unavailable`
 * when some notes cannot be read and `force` is not set, and with `invalid_input` when a link
 * cannot hold the new text.
 */
export async function renameInLinks(
  draft: Draft,
  request: {
    readonly path: VaultPath;
    readonly edits: readonly TextEdit[];
    readonly force: boolean;
    readonly subpathOf: Parameters<typeof rewriteSubpaths>[1];
  },
): Promise<{ readonly links: number; readonly notes: number }> {
  const { path, edits, force, subpathOf } = request;
  const own = [...edits];
  let links = 0;
  let notes = 0;
  const unread = await visitLinksInto(draft, path, async (file) => {
    const found = rewriteSubpaths(file, subpathOf);
    if (found === undefined) throw unwritable(draft, file.path);
    if (found.length === 0) return;
    links += found.length;
    notes += 1;
    if (file.path !== path) return draft.edit(file.path, found);
    for (const edit of found) if (!overlapsAny(edit.range, edits)) own.push(edit);
  });
  await checkAllRead(draft, { what: 'links', unread, force });
  warnOfOuterVault(draft);
  await draft.edit(path, own);
  return { links, notes };
}

/** Whether a range overlaps text that is replaced; a link there goes away with that text. */
function overlapsAny({ start, end }: TextRange, edits: readonly TextEdit[]): boolean {
  return edits.some(({ range }) => start < range.end && end > range.start);
}

function unwritable(draft: Draft, path: VaultPath): VaultError {
  const where = draft.vault.sees(path) ? `"${path}"` : 'a note';
  return new VaultError(
    'invalid_input',
    `A link in ${where} cannot contain the new text; choose another text.`,
    { details: draft.vault.sees(path) ? { path } : {} },
  );
}

function checkHeading(newHeading: string): string {
  const text = newHeading.trim();
  if (text === '' || /[\r\n]/.test(text) || text.startsWith('#')) {
    throw new VaultError(
      'invalid_input',
      'A heading is one line of text. Give it without the "#" before it; its level stays.',
    );
  }
  return text;
}

/** Adds the block id at the end of a heading to its new text, unless that has one of its own. */
function keepBlockId(text: string, newHeading: string): string {
  const blockId = /[ \t]\^[A-Za-z0-9-]+$/;
  return blockId.test(newHeading) ? newHeading : newHeading + (blockId.exec(text)?.[0] ?? '');
}

/** Whether only the text of that one heading has changed. */
function isRenamed(
  before: NoteFacts,
  after: NoteFacts,
  { index, newHeading }: { readonly index: number; readonly newHeading: string },
): boolean {
  return (
    before.headings.length === after.headings.length &&
    before.headings.every(
      ({ level, text }, at) =>
        after.headings[at]?.level === level &&
        after.headings[at]?.text === (at === index ? newHeading : text),
    )
  );
}

/** Returns edits that give a heading another text; its `#` or the line under it stay. */
function renameHeadingText(text: string, heading: Heading, put: string): TextEdit[] {
  const { start, end } = heading.range;
  const written = text.slice(start, end);
  const markers = /^[ \t]*#{1,6}(?=[ \t]|$)[ \t]*/.exec(written)?.[0] ?? '';
  if (heading.text === '') {
    const at = start + markers.trimEnd().length;
    return [{ range: { start: at, end: at }, text: ` ${put}` }];
  }
  const at = written.indexOf(heading.text, markers.length);
  // The text of a heading of several lines in a quote is not contiguous (each line has a `>`). No
  // edits: `isRenamed` then refuses.
  if (at === -1) return [];
  return [{ range: { start: start + at, end: start + at + heading.text.length }, text: put }];
}

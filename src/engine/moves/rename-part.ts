import { VaultError } from '../../base/vault-error.ts';
import type { Heading, NoteFacts } from '../../markdown/facts/facts.ts';
import { findBlockId, HeadingPaths } from '../../markdown/facts/heading-match.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { findSection } from '../notes/find-section.ts';
import { headingSubpath } from '../notes/heading-subpath.ts';
import { fileKind } from '../ports/file-kind.ts';
import type {
  LinkTarget,
  NewSubpath,
  PartRename,
  RenamedPartText,
  RewrittenSubpaths,
  SubpathChange,
} from '../ports/note-work.ts';
import { factsOf } from '../text/scan-file.ts';
import { linksTo } from './links-into.ts';
import { rewriteSubpaths } from './rewrite-subpaths.ts';

/**
 * Returns edits that give a heading or a block of a note another name, and those of `subpaths` that
 * must be written anew so that links still lead where they led. Fails with `not_found` or `ambiguous`
 * when the note has no such part or several, with `already_exists` when another block has the new
 * id, and with `invalid_input` when the part cannot have that name.
 */
export function renamePart(text: string, { path, part, subpaths }: PartRename): RenamedPartText {
  const { edits, subpathOf } =
    'block' in part ? renameBlock(text, path, part) : renameHeading(text, part);
  const changed = new Map<string, NewSubpath>();
  for (const old of subpaths) {
    const found = subpathOf(old);
    if (found !== undefined && (found.subpath !== old || !found.clear)) changed.set(old, found);
  }
  return { edits, subpaths: changed };
}

/** The different subpaths of the links to a file, except the empty one. */
export function subpathsTo(text: string, to: LinkTarget): readonly string[] {
  const { links } = linksTo(factsOf(fileKind(to.path), text), to);
  const subpaths = new Set(links.map(({ subpath }) => subpath));
  subpaths.delete('');
  return Array.from(subpaths);
}

/**
 * Gives the links of a file to another file new subpaths, and makes other edits in the same text: a
 * link in text that these replace goes away with it. Undefined when a link cannot hold its new
 * subpath.
 */
export function renameInLinks(
  text: string,
  { edits, subpaths, ...to }: SubpathChange,
): RewrittenSubpaths | undefined {
  const { path } = to;
  const file = { path, text, ...linksTo(factsOf(fileKind(path), text), to) };
  const found = rewriteSubpaths(file, ({ subpath }) => subpaths.get(subpath)?.subpath);
  if (found === undefined) return undefined;
  const isOutside = ({ range: { start, end } }: TextEdit) =>
    !edits.some(({ range }) => start < range.end && end > range.start);
  return {
    text: applyEdits(text, [...edits, ...found.filter(isOutside)]),
    rewritten: found.length,
    misled: file.links.filter(({ subpath }) => subpaths.get(subpath)?.clear === false).length,
  };
}

interface Renamed {
  readonly edits: readonly TextEdit[];
  readonly subpathOf: (subpath: string) => NewSubpath | undefined;
}

function renameHeading(
  text: string,
  part: { readonly heading: string; readonly newHeading: string },
): Renamed {
  const before = scanNote(text);
  const { heading } = findSection(text, before, part.heading);
  const index = before.headings.indexOf(heading);
  const newHeading = keepBlockId(heading.text, checkHeading(part.newHeading));
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
  return { edits, subpathOf: (subpath) => headingSubpath(subpath, change) };
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

/** Ids that a failure lists. */
const blocksMax = 20;

function renameBlock(
  text: string,
  path: string,
  part: { readonly block: string; readonly newBlock: string },
): Renamed {
  const facts = scanNote(text);
  const block = findBlockId(facts, part.block);
  if (block === undefined) {
    const candidates = facts.blockIds.slice(0, blocksMax).map(({ id }) => id);
    const more = facts.blockIds.length > blocksMax ? ' …' : '';
    const ids = candidates.map((id) => `^${id}`).join(', ');
    const hint = ids === '' ? 'It has no block ids at all.' : `It has: ${ids}${more}.`;
    throw new VaultError('not_found', `"${path}" has no block with that id. ${hint}`, {
      details: { path, block: part.block, candidates },
    });
  }
  const id = part.newBlock.replace(/^#?\^/, '');
  if (!/^[A-Za-z0-9-]+$/.test(id)) {
    throw new VaultError('invalid_input', 'The id of a block has letters, digits and "-" only.');
  }
  const taken = findBlockId(facts, id);
  if (taken !== undefined && taken !== block) {
    throw new VaultError('already_exists', `"${path}" already has a block "^${taken.id}".`);
  }
  const old = block.id.toLowerCase();
  return {
    edits: id === block.id ? [] : [{ range: block.idRange, text: id }],
    subpathOf: (subpath) => {
      const caret = subpath.lastIndexOf('#^');
      if (caret === -1) return undefined;
      const linked = subpath.slice(caret + 2).trim();
      if (linked.toLowerCase() !== old) return undefined;
      return { subpath: `${subpath.slice(0, caret)}#^${id}`, clear: true };
    },
  };
}

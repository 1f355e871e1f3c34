import type { VaultPath } from '../../base/vault-path.ts';
import type { Link, NoteFacts, PropertyLink } from '../../markdown/facts/facts.ts';
import { displayTextOf } from '../../markdown/facts/link-text.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { escapeInFile } from '../links/link-style.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { LinkTarget, UnlinkedText } from '../ports/note-work.ts';
import { factsOf } from '../text/scan-file.ts';
import type { Draft } from '../vault/draft.ts';
import { changedFacts, hasPlace, movedBy } from './changed-facts.ts';
import { filesNaming, linkLines, linksTo } from './links-into.ts';
import { checkAllRead, visitTexts } from './unread-files.ts';

/** The place of a link that cannot become text, and why not; lines count from 1. */
export interface LinkPlaceLeft {
  readonly path: VaultPath;
  readonly line: number;
  readonly kind: 'embed' | 'canvas' | 'base' | 'link';
}

/**
 * Turns the links to a file into the text that they show; in properties, into a plain string.
 * Embeds, links in canvases and bases, and links whose text would become something else (a tag, a
 * heading, a comment, one end of bold text) stay and are listed. Definitions of reference links
 * stay with a warning, because without them every reference would show its brackets. Fails with
 * `unavailable` when some notes cannot be read and `force` is not set.
 */
export async function unlinkFile(
  draft: Draft,
  target: VaultPath,
  options: { readonly force: boolean },
): Promise<{
  readonly linkedFrom: readonly { readonly path: VaultPath; readonly line: number }[];
  readonly unlinked: number;
  readonly left: readonly LinkPlaceLeft[];
}> {
  const linkedFrom: { path: VaultPath; line: number }[] = [];
  const left: LinkPlaceLeft[] = [];
  let unlinked = 0;
  let definitions = 0;
  const { paths, files } = await filesNaming(draft, target);
  const others = paths.filter((path) => path !== target);
  const unread = await visitTexts(draft, others, async (texts, turns) => {
    for (const { path, text } of texts) {
      await turns.next();
      const found = await draft.vault.work('unlink', text, { path, target, files });
      if (draft.vault.sees(path)) {
        for (const line of found.lines) linkedFrom.push({ path, line });
        for (const place of found.left) left.push({ path, ...place });
      }
      unlinked += found.unlinked;
      definitions += found.definitions;
      // A file that only has a link of the same name is not touched: the caller may not even see it.
      if (found.text !== text) await draft.write(path, found.text);
    }
  });
  await checkAllRead(draft, { what: 'links', unread, force: options.force });
  if (definitions > 0) {
    draft.warn(`${definitions} definitions of reference links to "${target}" stay as they are.`);
  }
  return { linkedFrom, unlinked, left };
}

/** The text of a file in which the links to another file have become text. */
export function unlinkText(text: string, request: LinkTarget): UnlinkedText {
  const { path } = request;
  const facts = factsOf(fileKind(path), text);
  const { links } = linksTo(facts, request);
  const lines = linkLines(text, links);
  const isDefinition = (link: Link): boolean => link.form === 'definition';
  const isText = (link: Link): boolean =>
    whyLeft(path, link) === undefined && !isDefinition(link) && !hasOpenFormatting(text, link);
  const done = withoutLinks({ path, text, facts }, links.filter(isText));
  const left = links.flatMap((link, index) => {
    const isLeft = !isDefinition(link) && !done.gone.has(link);
    return isLeft
      ? [{ line: lines[index] ?? 1, kind: whyLeft(path, link) ?? ('link' as const) }]
      : [];
  });
  const definitions = links.filter((link) => isDefinition(link) && !whyLeft(path, link)).length;
  return { text: done.text, lines, left, unlinked: done.gone.size, definitions };
}

/** Why a link cannot become text; undefined when it can. */
function whyLeft(path: string, link: Link): 'embed' | 'canvas' | 'base' | undefined {
  const kind = fileKind(path);
  if (kind === 'canvas' || kind === 'base') return kind;
  return link.embed ? 'embed' : undefined;
}

/**
 * Whether the text of a link in the body of a note has signs of formatting that are not followed by
 * the same sign in that text: without the link around them they could pair with others. Says so of
 * some nested formatting too; the link then stays.
 */
function hasOpenFormatting(text: string, link: Link | PropertyLink): boolean {
  if ('key' in link) return false;
  const { displayRange: shown } = link;
  const display =
    shown === undefined ? displayTextOf(link.link) : text.slice(shown.start, shown.end);
  // `snake_case` is plain text in any place.
  const signs = display.replace(/(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu, '');
  return formatting.some((sign) => {
    const found = signs.match(sign) ?? [];
    return found.some((each, at) => each !== found[at % 2 === 0 ? at + 1 : at - 1]);
  });
}

const formatting: readonly RegExp[] = [/\*+/g, /_+/g, /={2,}/g, /\$+/g, /~{2,}/g, /`+/g];

/** After this many attempts, all links stay. */
const attemptsMax = 4;

/**
 * A text in which links have become text, and those links. Links stay whose text would become
 * something else (a tag, a heading, a comment …) without the link around it.
 */
function withoutLinks(
  file: { readonly path: string; readonly text: string; readonly facts: NoteFacts },
  links: readonly (Link | PropertyLink)[],
): { readonly text: string; readonly gone: ReadonlySet<Link> } {
  let rest = links;
  for (let attempts = 0; attempts < attemptsMax && rest.length > 0; attempts++) {
    const edits = rest.flatMap((link) => unlinkEdits(file, link));
    const text = applyEdits(file.text, edits);
    const after = factsOf(fileKind(file.path), text);
    const gone = new Set(rest);
    const changed = changedFacts({ before: file.facts, after, edits, gone });
    if (changed.made.length + changed.lost.length === 0) return { text, gone };
    const guilty = linksAt(changed, rest, movedBy(edits));
    rest = rest.filter((link) => !guilty.has(link));
  }
  return { text: file.text, gone: new Set() };
}

/**
 * The links whose text is to blame for changed facts: in whose text, or right before it, something new
 * begins; or else in whose text, or right after it, it ends; or else where something is lost; or else
 * all of them.
 */
function linksAt(
  { made, lost }: ReturnType<typeof changedFacts>,
  links: readonly Link[],
  moved: (place: number) => number,
): ReadonlySet<Link> {
  const begins = hasPlace(made.map(({ start }) => start));
  const ends = hasPlace(made.map(({ end }) => end));
  const lacks = hasPlace(lost.flatMap(({ start, end }) => [start, end]));
  const tests: readonly ((start: number, end: number) => boolean)[] = [
    (start, end) => begins(start - 1, end),
    (start, end) => ends(start + 1, end + 2),
    (start, end) => lacks(start, end + 1),
  ];
  for (const test of tests) {
    const found = links.filter(({ range }) => test(moved(range.start), moved(range.end)));
    if (found.length > 0) return new Set(found);
  }
  return new Set(links);
}

/**
 * Removes what stands around the display text of a link, or replaces the link by the text that it
 * shows.
 */
function unlinkEdits(
  file: { readonly path: string; readonly text: string },
  link: Link | PropertyLink,
): TextEdit[] {
  const { range, displayRange } = link;
  if (displayRange !== undefined) {
    const { start, end } = displayRange;
    const sign = signOffset(file, link, file.text.slice(start, end));
    return [
      { range: { start: range.start, end: start }, text: '' },
      ...(sign === undefined
        ? []
        : [{ range: { start: start + sign, end: start + sign }, text: '\\' }]),
      { range: { start: end, end: range.end }, text: '' },
    ];
  }
  const shown = displayTextOf(link.link);
  // Where the place of the link within its YAML value is not known, its range is the whole value.
  if ('key' in link && link.pathRange.start === range.start) {
    return [{ range, text: JSON.stringify(link.displayText) }];
  }
  const text = escapeInFile({ kind: fileKind(file.path), text: file.text }, link, shown);
  const sign = signOffset(file, link, text);
  return [
    { range, text: sign === undefined ? text : `${text.slice(0, sign)}\\${text.slice(sign)}` },
  ];
}

/**
 * Where the text of a link in the body of a note has a sign that, without the link around it, begins
 * a tag or, at the start of a line, a heading, a list or a quote; undefined when it has none.
 */
function signOffset(
  { text }: { readonly text: string },
  link: Link | PropertyLink,
  shown: string,
): number | undefined {
  if ('key' in link) return undefined;
  if (shown.startsWith('#')) return 0;
  const sign = /^(?:[-+*>]|(\d{1,9})[.)])(?:\s|$)/.exec(shown);
  if (sign === null) return undefined;
  // Only quotes, list signs and blanks stand before it, if it begins its line.
  const before = text.slice(Math.max(0, link.range.start - lineLeadMax), link.range.start);
  return /(?:^|\n)[\s>*+\d.)-]*$/.test(before) ? (sign[1]?.length ?? 0) : undefined;
}

/** How much of a line is looked at to see whether a link begins it. */
const lineLeadMax = 100;

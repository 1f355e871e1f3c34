import type { TextRange } from '../../base/text-range.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import type { Link, NoteFacts, PropertyLink } from '../../markdown/facts/facts.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import type { LinkSettings } from '../links/link-style.ts';
import { escapeInFile, linksOf, pathInLink, restyledPath } from '../links/link-style.ts';
import type { ByName } from '../links/resolve-link.ts';
import { isTied, linkSegment, resolveLink } from '../links/resolve-link.ts';
import { withoutMd } from '../links/write-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';

/** A file with links, as it is before the change. */
export interface LinkSource {
  readonly path: string;
  readonly text: string;
  readonly facts: NoteFacts;
}

/** How a change affects the names of files, and so the targets of links. */
interface NameChange {
  /** The old paths of the files that move, with their new paths. */
  readonly moves: ReadonlyMap<string, string>;
  /**
   * The folded names of files that are created, removed or moved: links with other names stay as
   * they are.
   */
  readonly names: ReadonlySet<string>;
  readonly before: ByName;
  readonly after: ByName;
  readonly settings: LinkSettings;
}

interface LinkEdits {
  readonly edits: readonly TextEdit[];
  /** The number of links that the edits change. */
  readonly rewritten: number;
}

/**
 * Returns edits after which every link of a file leads to the same file as before, wherever that
 * file and the link's own file have moved. Only the path of a link changes, and its display text
 * where that is exactly the old name; a link that still leads to its file is not changed. Undefined
 * when a link cannot be written so that it leads there. The edited text is parsed again to prove
 * the edits.
 */
export function rewriteLinks(source: LinkSource, change: NameChange): LinkEdits | undefined {
  const planned: PlannedLink[] = [];
  for (const link of linksOf(source.facts)) {
    const plan = planLink(source, link, change);
    if (plan === undefined) return undefined;
    planned.push(plan);
  }
  const rewritten = planned.filter(({ edits }) => edits.length > 0).length;
  if (rewritten === 0) return { edits: [], rewritten: 0 };
  const whole = planned.flatMap(({ edits }) => edits);
  // A new name may break the link when it is put into the display text: then only paths change.
  const pathsOnly = planned.flatMap(({ edits }) => edits.slice(0, 1));
  const edits = [whole, pathsOnly].find((some) => holds(source, some, planned, change));
  return edits && { edits, rewritten };
}

/**
 * The folded names that must be known to resolve a link with this last name and to write it anew. A
 * link `a` may lead to `a` or `a.md`, a file `a.md` may be written `a`, and then `a.md` may lead to
 * `a.md.md`.
 */
export function namesAround(segment: string): readonly string[] {
  const bare = segment.endsWith('.md') ? segment.slice(0, -'.md'.length) : segment;
  return [bare, segment, `${segment}.md`, `${segment}.md.md`];
}

/** Whether the last name of a link is one of these file names, with or without `.md`. */
export function isNamed(link: Link, names: ReadonlySet<string>): boolean {
  const segment = linkSegment(link.path);
  return names.has(segment) || names.has(`${segment}.md`);
}

/** Looks files up by name as they will be after files moved and others were added. */
export function namesAfter(
  before: ByName,
  moves: ReadonlyMap<string, string>,
  added: readonly string[] = [],
): ByName {
  const arriving = new Map<string, string[]>();
  for (const path of [...moves.values(), ...added]) {
    const name = foldName(fileNameOf(path));
    arriving.set(name, [...(arriving.get(name) ?? []), path]);
  }
  const known = new Map<string, ReturnType<ByName>>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const staying = before(name).filter(({ path }) => !moves.has(path));
    const paths = [...staying.map(({ path }) => path), ...(arriving.get(name) ?? [])].sort();
    const answer = paths.map((path) => ({ path }));
    known.set(name, answer);
    return answer;
  };
}

interface PlannedLink {
  readonly link: Link | PropertyLink;
  /** Where the link must lead; absent for a link that leads nowhere or that nothing affects. */
  readonly expected?: string;
  /** The edit of the path, then that of the display text. */
  readonly edits: readonly TextEdit[];
}

/** Plans what becomes of one link; undefined when it cannot be written. */
function planLink(
  source: LinkSource,
  link: Link | PropertyLink,
  { moves, names, before, after, settings }: NameChange,
): PlannedLink | undefined {
  const from = source.path;
  const to = moves.get(from) ?? from;
  // A link to a place in its own file has no path, and gets none.
  if (link.path === '' || (from === to && !isNamed(link, names))) return { link, edits: [] };
  const target = resolveLink({ path: link.path, source: from }, before)?.path;
  if (target === undefined) return { link, edits: [] };
  const expected = moves.get(target) ?? target;
  const now = { path: link.path, source: to };
  if (expected === target && resolveLink(now, after)?.path === target) {
    // Where another file is now as good a target, the link is made unambiguous, as the app does.
    if (!isTied(now, after) || isTied({ path: link.path, source: from }, before)) {
      return { link, expected, edits: [] };
    }
  }
  const kind = fileKind(from);
  const written = { link, kind, text: source.text, target };
  const path = restyledPath(written, { source: to, target: expected }, settings, after);
  if (path === undefined) return undefined;
  const put = (range: TextRange, text: string): TextEdit => ({
    range,
    text: escapeInFile({ kind, text: source.text }, link, text),
  });
  const edits = path === link.path ? [] : [put(link.pathRange, pathInLink(link, path))];
  const display = newDisplay(link, target, expected);
  if (display !== undefined && edits.length > 0) edits.push(put(display.range, display.text));
  return { link, expected, edits };
}

/** The display text changes with the file's name only where it is exactly that name. */
function newDisplay(link: Link, target: string, expected: string) {
  const { form, embed, displayRange: range } = link;
  if (range === undefined || embed || (form !== 'wikilink' && form !== 'markdown'))
    return undefined;
  const name = shownName(target);
  const text = shownName(expected);
  return link.displayText === name && text !== name ? { range, text } : undefined;
}

function shownName(path: string): string {
  return withoutMd(fileNameOf(path));
}

/** Whether the edited text has the same links, and each leads where it must. */
function holds(
  source: LinkSource,
  edits: readonly TextEdit[],
  planned: readonly PlannedLink[],
  { moves, after }: NameChange,
): boolean {
  const facts = factsOf(fileKind(source.path), applyEdits(source.text, edits));
  const links = linksOf(facts);
  const at = moves.get(source.path) ?? source.path;
  return (
    links.length === planned.length &&
    planned.every(({ link: before, expected, edits }, index) => {
      const link = links[index];
      if (link?.subpath !== before.subpath || link.form !== before.form) return false;
      if (edits.length === 0) return link.path === before.path;
      return resolveLink({ path: link.path, source: at }, after)?.path === expected;
    })
  );
}

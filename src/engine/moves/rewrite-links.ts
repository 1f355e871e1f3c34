import { assert } from '../../base/assert.ts';
import type { TextRange } from '../../base/text-range.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import type { Link, PropertyLink } from '../../markdown/facts/facts.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { escapeInFile, linksOf, pathInLink, restyledPath } from '../links/link-style.ts';
import type { ByName } from '../links/resolve-link.ts';
import { isTied, linkSegment, resolveLink } from '../links/resolve-link.ts';
import { withoutMd } from '../links/write-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { FilesByName, LinkChange, RewrittenText } from '../ports/note-work.ts';
import { factsOf } from '../text/scan-file.ts';

/** A file with links, as it is before the change, and how to look files up by name. */
interface LinkSource {
  readonly path: string;
  readonly text: string;
  readonly before: ByName;
  readonly after: ByName;
}

/**
 * Returns the text of a file in which every link leads to the same file as before, wherever that
 * file and the link's own file have moved. Only the path of a link changes, and its display text
 * where that is exactly the old name; a link that still leads to its file is not changed. Undefined
 * when a link cannot be written so that it leads there. The edited text is parsed again to prove
 * the edits. Linear in the text and its links.
 */
export function rewriteLinks(text: string, change: LinkChange): RewrittenText | undefined {
  const { path } = change;
  const { asked } = change;
  const [before, after] = [lookup(change.before, asked), lookup(change.after, asked)];
  const source = { path, text, before, after };
  const planned: PlannedLink[] = [];
  const leads = leadsOf(source, change);
  const restyled = new Known<string | undefined>();
  let rewritten = 0;
  for (const link of linksOf(factsOf(fileKind(path), text))) {
    const plan = planLink(source, link, change, { leads, restyled });
    if (plan === undefined) return undefined;
    if (plan.edits.length > 0) rewritten++;
    planned.push(plan);
  }
  if (rewritten === 0) return { text, rewritten: 0 };
  // A new name may break the link when it is put into the display text: then only paths change.
  for (const parts of [2, 1]) {
    const edits = planned.flatMap((plan) => plan.edits.slice(0, parts));
    const edited = applyEdits(text, edits);
    if (holds(source, edited, planned, leads)) return { text: edited, rewritten };
  }
  return undefined;
}

/** Where a link path leads from a file before and after the change. */
interface Leads {
  readonly before: (path: string) => string | undefined;
  readonly after: (path: string) => string | undefined;
  /** Whether a file becomes as good a target as the one that the link leads to. */
  readonly becomesTied: (path: string) => boolean;
}

/**
 * Resolves each path once, however often it is written: with many files of one name, each time
 * means a look at all of them.
 */
function leadsOf({ path: from, before, after }: LinkSource, { moves }: LinkChange): Leads {
  const to = moves.get(from) ?? from;
  return {
    before: once((path) => resolveLink({ path, source: from }, before)?.path),
    after: once((path) => resolveLink({ path, source: to }, after)?.path),
    becomesTied: once(
      (path) => isTied({ path, source: to }, after) && !isTied({ path, source: from }, before),
    ),
  };
}

/** Remembers what a function answered for each path. */
export function once<T>(answer: (path: string) => T): (path: string) => T {
  const known = new Known<T>();
  return (path) => known.of(path, () => answer(path));
}

/** What was found out, by key. */
class Known<T> {
  readonly #answers = new Map<string, { readonly answer: T }>();

  of(key: string, find: () => T): T {
    let found = this.#answers.get(key);
    if (found === undefined) {
      found = { answer: find() };
      this.#answers.set(key, found);
    }
    return found.answer;
  }
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

/**
 * Looks names up among those that were asked for before; no file has those that are only in
 * `asked`.
 */
export function lookup(files: FilesByName, asked?: ReadonlySet<string>): ByName {
  return (name) => {
    const found = files.get(name) ?? (asked?.has(name) ? [] : undefined);
    assert(found !== undefined, 'a name is asked for before it is looked up');
    return found;
  };
}

/** Answers the files of each name as they will be after files moved and others were added. */
export function namesAfter(
  moves: ReadonlyMap<string, string>,
  added: readonly string[] = [],
): (before: FilesByName) => FilesByName {
  const arriving = new Map<string, string[]>();
  for (const path of [...moves.values(), ...added]) {
    const name = foldName(fileNameOf(path));
    const paths = arriving.get(name) ?? [];
    paths.push(path);
    arriving.set(name, paths);
  }
  return (before) => {
    const after = Array.from(before, ([name, files]) => {
      const staying = files.map(({ path }) => path).filter((path) => !moves.has(path));
      // A file may arrive where one stays: a conflict copy that is merged into its original.
      const paths = Array.from(new Set([...staying, ...(arriving.get(name) ?? [])])).sort();
      return [name, paths.map((path) => ({ path }))] as const;
    });
    return new Map(after);
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
  { moves, names, settings }: LinkChange,
  { leads, restyled }: { readonly leads: Leads; readonly restyled: Known<string | undefined> },
): PlannedLink | undefined {
  const from = source.path;
  const to = moves.get(from) ?? from;
  // A link to a place in its own file has no path, and gets none.
  if (link.path === '' || (from === to && !isNamed(link, names))) return { link, edits: [] };
  const target = leads.before(link.path);
  if (target === undefined) return { link, edits: [] };
  const expected = moves.get(target) ?? target;
  if (expected === target && leads.after(link.path) === target) {
    // Where another file is now as good a target, the link is made unambiguous, as the app does.
    if (!leads.becomesTied(link.path)) return { link, expected, edits: [] };
  }
  const kind = fileKind(from);
  const written = { link, kind, text: source.text, target };
  // Links that are written alike become alike, so each way of writing is thought about once.
  const look = [link.form, link.angled, source.text.startsWith('[[', link.range.start), link.path];
  const path = restyled.of(look.join('\n'), () =>
    restyledPath(written, { source: to, target: expected }, settings, source.after),
  );
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
  text: string,
  planned: readonly PlannedLink[],
  leads: Leads,
): boolean {
  const links = linksOf(factsOf(fileKind(source.path), text));
  return (
    links.length === planned.length &&
    planned.every(({ link: before, expected, edits }, index) => {
      const link = links[index];
      if (link?.subpath !== before.subpath || link.form !== before.form) return false;
      return edits.length === 0 ? link.path === before.path : leads.after(link.path) === expected;
    })
  );
}

import { fileNameOf, foldName } from '../../base/vault-path.ts';

/** A file that a link may lead to. */
interface LinkCandidate {
  readonly path: string;
}

/** Returns the files whose folded file name is exactly this, in path order. */
export type ByName = (foldedName: string) => readonly LinkCandidate[];

/** The path of a link, decoded and without its subpath, and the file that the link is in. */
interface LinkQuestion {
  readonly path: string;
  readonly source: string;
}

/**
 * Finds the file that a link leads to, as Obsidian does; undefined when there is none. `byName`
 * must know every file of the vault. Aliases never resolve links.
 */
export function resolveLink<C extends LinkCandidate>(
  link: LinkQuestion,
  byName: (foldedName: string) => readonly C[],
): C | undefined {
  const path = trimLinkPath(link.path);
  if (path === '') return selfOf(link.source, byName);
  const folded = foldName(path);
  const segment = fileNameOf(folded);
  if (segment === '') return undefined;
  // The literal name wins over the one with ".md": `[[Report.pdf]]` is never `Report.pdf.md`.
  const literal = byName(segment);
  const candidates = literal.length > 0 ? literal : byName(`${segment}.md`);
  const [only] = candidates;
  if (only === undefined) return undefined;
  if (segment === folded && candidates.length === 1) return only;
  const wanted = literal.length > 0 ? folded : `${folded}.md`;
  if (isRelative(folded)) {
    const absolute = fromFolder(foldedFolderOf(link.source), wanted);
    return candidates.find((candidate) => foldName(candidate.path) === absolute);
  }
  const exact = candidates.find((candidate) => foldName(candidate.path) === withoutRoot(wanted));
  if (exact !== undefined || folded.startsWith('/')) return exact;
  return closest(
    candidates.filter((candidate) => endsWithPath(foldName(candidate.path), wanted)),
    foldedFolderOf(link.source),
  );
}

/**
 * Whether a link leads to its file only because of the order of files: another file is as near and
 * has a path of the same length. The app takes the file that it indexed first, so such a link is
 * unreliable.
 */
export function isTied(
  link: LinkQuestion,
  byName: (foldedName: string) => readonly LinkCandidate[],
): boolean {
  const first = resolveLink(link, byName)?.path;
  if (first === undefined) return false;
  const others = (name: string) => byName(name).filter(({ path }) => path !== first);
  const second = resolveLink(link, others)?.path;
  const folder = foldedFolderOf(link.source);
  return second?.length === first.length && isUnder(first, folder) === isUnder(second, folder);
}

/**
 * Finds the file that a path leads to from every source alike; undefined when that depends on the
 * source. Covers most links: those to a name or path that exactly one file has, or none.
 */
export function resolveAnywhere<C extends LinkCandidate>(
  path: string,
  byName: (foldedName: string) => readonly C[],
): { readonly target: C | undefined } | undefined {
  const folded = foldName(trimLinkPath(path));
  const segment = fileNameOf(folded);
  if (segment === '') return folded === '' ? undefined : { target: undefined };
  if (isRelative(folded)) return undefined;
  const literal = byName(segment);
  const candidates = literal.length > 0 ? literal : byName(`${segment}.md`);
  // A fast way out for nearly every path: a first build asks for every path in the vault.
  const isBare = segment === folded;
  if (candidates.length === 0 || (isBare && candidates.length === 1))
    return { target: candidates[0] };
  const target = resolveLink({ path, source: '' }, byName);
  if (candidates.length <= 1 || target === undefined) return { target };
  const wanted = withoutRoot(literal.length > 0 ? folded : `${folded}.md`);
  return foldName(target.path) === wanted ? { target } : undefined;
}

/**
 * The last name of a link's path, folded. Every file that the link could lead to has this name,
 * with or without `.md`. Empty for a link inside its own file.
 */
export function linkSegment(path: string): string {
  return fileNameOf(foldName(trimLinkPath(path)));
}

/** The last name in a link or in the path of a file, folded and without `.md`. */
export function linkName(path: string): string {
  return linkSegment(path).replace(/\.md$/, '');
}

/** The last names, folded, that a link to this file can have: with and without `.md`. */
export function linkSegments(path: string): string[] {
  const name = foldName(fileNameOf(path));
  return name.endsWith('.md') ? [name, name.slice(0, -'.md'.length)] : [name];
}

/** The name under which a link without a target is listed: its path as written, without `.md`. */
export function unresolvedName(path: string): string {
  const trimmed = trimLinkPath(path);
  return /\.md$/i.test(trimmed) ? trimmed.slice(0, -3) : trimmed;
}

function trimLinkPath(path: string): string {
  return path.trim();
}

function isRelative(path: string): boolean {
  return path.startsWith('./') || path.startsWith('../');
}

/**
 * Chooses among files that a link could lead to: first those under the source's folder, at any
 * depth, then the shortest path, then path order, so that the answer never depends on the order of
 * indexing. How the app chooses is not documented; our hypothesis is in this function alone.
 */
function closest<C extends LinkCandidate>(
  candidates: readonly C[],
  sourceFolder: string,
): C | undefined {
  let best: C | undefined;
  for (const candidate of candidates) {
    if (best === undefined || isCloser(candidate.path, best.path, sourceFolder)) best = candidate;
  }
  return best;
}

function isCloser(path: string, than: string, sourceFolder: string): boolean {
  const near = isUnder(path, sourceFolder);
  if (near !== isUnder(than, sourceFolder)) return near;
  if (path.length !== than.length) return path.length < than.length;
  return path < than;
}

function isUnder(path: string, foldedFolder: string): boolean {
  return foldedFolder === '' || foldName(path).startsWith(`${foldedFolder}/`);
}

/**
 * Whether a path ends with the link's path at a folder boundary. Two sources describe a plain
 * string comparison in the app (`[[older/Note]]` would match `folder/Note.md`); we keep to
 * boundaries.
 */
function endsWithPath(path: string, suffix: string): boolean {
  return path === suffix || path.endsWith(`/${suffix}`);
}

function withoutRoot(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path;
}

function foldedFolderOf(path: string): string {
  const folded = foldName(path);
  const slash = folded.lastIndexOf('/');
  return slash === -1 ? '' : folded.slice(0, slash);
}

/** Resolves a relative path from a folder; undefined when it leads out of the vault. */
function fromFolder(folder: string, relative: string): string | undefined {
  const names = folder === '' ? [] : folder.split('/');
  for (const name of relative.split('/')) {
    if (name === '.' || name === '') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}

/** The file that contains the link. */
function selfOf<C extends LinkCandidate>(
  source: string,
  byName: (foldedName: string) => readonly C[],
): C | undefined {
  return byName(foldName(fileNameOf(source))).find((candidate) => candidate.path === source);
}

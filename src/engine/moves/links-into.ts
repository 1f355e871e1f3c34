import { LineIndex } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import type { Link, NoteFacts, PropertyLink } from '../../markdown/facts/facts.ts';
import { linksOf } from '../links/link-style.ts';
import { resolveLink } from '../links/resolve-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { FilesByName, LinkTarget } from '../ports/note-work.ts';
import type { Draft } from '../vault/draft.ts';
import { isNamed, lookup, namesAround, once } from './rewrite-links.ts';

/** A file with links that lead to a given file, or to places inside itself. */
export interface LinkingFile {
  readonly path: string;
  readonly text: string;
  /** All links of the file, as `linksOf` lists them. */
  readonly all: readonly (Link | PropertyLink)[];
  readonly links: readonly (Link | PropertyLink)[];
}

/**
 * The files that may link to a file, in path order and with the file itself, and the files of each
 * name that those links may ask for.
 */
export async function filesNaming(
  draft: Draft,
  target: VaultPath,
): Promise<{ readonly paths: readonly VaultPath[]; readonly files: FilesByName }> {
  const name = foldName(fileNameOf(target));
  const segments = [name, name.replace(/\.md$/, '')];
  const sources = await draft.sourcesNaming(segments);
  const own = fileKind(target) === 'attachment' ? [] : [target];
  const names = segments.flatMap(namesAround);
  const byName = await draft.byName(names);
  return {
    paths: Array.from(new Set([...sources, ...own])).sort(),
    files: new Map(names.map((each) => [each, byName(each)])),
  };
}

/** All links of a file, and those of them that lead to another file or, within that, to itself. */
export function linksTo(
  facts: NoteFacts,
  { path: source, target, files }: LinkTarget,
): Pick<LinkingFile, 'all' | 'links'> {
  const byName = lookup(files);
  const names = new Set([foldName(fileNameOf(target))]);
  const leads = once((path) => resolveLink({ path, source }, byName)?.path === target);
  const all = linksOf(facts);
  const links = all.filter((link) =>
    link.path === '' ? source === target : isNamed(link, names) && leads(link.path),
  );
  return { all, links };
}

/** Returns the lines of links, counted from 1. */
export function linkLines(text: string, links: readonly Link[]): number[] {
  const lines = new LineIndex(text);
  return links.map(({ range }) => lines.lineAt(range.start) + 1);
}

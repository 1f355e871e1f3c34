import { LineIndex } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import type { Link, NoteFacts, PropertyLink } from '../../markdown/facts/facts.ts';
import { linksOf } from '../links/link-style.ts';
import { linkSegment, resolveLink } from '../links/resolve-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';
import type { Draft } from '../vault/draft.ts';
import { isNamed, namesAround } from './rewrite-links.ts';
import type { UnreadFile } from './unread-files.ts';
import { readTexts } from './unread-files.ts';

/** A file with links that lead to a given file, or to places inside itself. */
export interface LinkingFile {
  readonly path: VaultPath;
  readonly text: string;
  readonly facts: NoteFacts;
  readonly links: readonly (Link | PropertyLink)[];
}

/**
 * Finds the files with links to a file, including the file's links to itself. Reads them as they
 * are now, in path order. The cost depends on the files that mention the name of the file.
 */
export async function linksInto(
  draft: Draft,
  target: VaultPath,
): Promise<{ readonly files: readonly LinkingFile[]; readonly unread: readonly UnreadFile[] }> {
  const name = foldName(fileNameOf(target));
  const names = new Set([name]);
  const sources = await draft.sourcesNaming([name, name.replace(/\.md$/, '')]);
  const own = fileKind(target) === 'attachment' ? [] : [target];
  const { texts, unread } = await readTexts(
    draft,
    Array.from(new Set([...sources, ...own])).sort(),
  );
  const scanned = texts.map(({ path, text }) => {
    const facts = factsOf(fileKind(path), text);
    const isOwn = (link: Link) => link.path === '' && path === target;
    const links = linksOf(facts).filter((link) => isOwn(link) || isNamed(link, names));
    return { path, text, facts, links };
  });
  const wanted = scanned.flatMap(({ links }) =>
    links.flatMap(({ path }) => namesAround(linkSegment(path))),
  );
  const byName = await draft.byName(wanted);
  const leads = (source: VaultPath, { path }: Link) =>
    path === '' || resolveLink({ path, source }, byName)?.path === target;
  const files = scanned
    .map((file) => ({ ...file, links: file.links.filter((link) => leads(file.path, link)) }))
    .filter(({ links }) => links.length > 0);
  return { files, unread };
}

/** Returns the lines of links, counted from 1. */
export function linkLines(text: string, links: readonly Link[]): number[] {
  const lines = new LineIndex(text);
  return links.map(({ range }) => lines.lineAt(range.start) + 1);
}

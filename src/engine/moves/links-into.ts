import { LineIndex } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import type { Link, PropertyLink } from '../../markdown/facts/facts.ts';
import { linksOf } from '../links/link-style.ts';
import { resolveLink } from '../links/resolve-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';
import type { Draft } from '../vault/draft.ts';
import { isNamed, namesAround, once } from './rewrite-links.ts';
import type { UnreadFile } from './unread-files.ts';
import { visitTexts } from './unread-files.ts';

/** A file with links that lead to a given file, or to places inside itself. */
export interface LinkingFile {
  readonly path: VaultPath;
  readonly text: string;
  /** All links of the file, as `linksOf` lists them. */
  readonly all: readonly (Link | PropertyLink)[];
  readonly links: readonly (Link | PropertyLink)[];
}

/**
 * Visits the files with links to a file, including the file itself if it has links to itself. Reads
 * them as they are now, in path order, and returns those that cannot be read. The cost depends on
 * the files that mention the name of the file.
 */
export async function visitLinksInto(
  draft: Draft,
  target: VaultPath,
  visit: (file: LinkingFile) => Promise<void>,
): Promise<readonly UnreadFile[]> {
  const name = foldName(fileNameOf(target));
  const names = new Set([name]);
  const segments = [name, name.replace(/\.md$/, '')];
  const sources = await draft.sourcesNaming(segments);
  const own = fileKind(target) === 'attachment' ? [] : [target];
  const byName = await draft.byName(segments.flatMap(namesAround));
  const paths = Array.from(new Set([...sources, ...own])).sort();
  return visitTexts(draft, paths, async (texts, turns) => {
    for (const { path: source, text } of texts) {
      await turns.next();
      const leads = once((path) => resolveLink({ path, source }, byName)?.path === target);
      const all = linksOf(factsOf(fileKind(source), text));
      const links = all.filter((link) =>
        link.path === '' ? source === target : isNamed(link, names) && leads(link.path),
      );
      if (links.length > 0) await visit({ path: source, text, all, links });
    }
  });
}

/** Returns the lines of links, counted from 1. */
export function linkLines(text: string, links: readonly Link[]): number[] {
  const lines = new LineIndex(text);
  return links.map(({ range }) => lines.lineAt(range.start) + 1);
}

import { fileNameOf, foldName, type VaultPath } from '../../src/base/vault-path.ts';
import type { FactSource } from '../../src/engine/bases/query/fact-source.ts';
import { resolveLink } from '../../src/engine/links/resolve-link.ts';
import { fileKind } from '../../src/engine/ports/file-kind.ts';
import type { FactLink, FileFacts } from '../../src/engine/ports/records.ts';
import { listItems } from '../../src/engine/text/list-items.ts';
import { factsOf, propertyType } from '../../src/engine/text/scan-file.ts';
import type { Link } from '../../src/markdown/facts/facts.ts';

/** A file of a vault in memory. */
export interface MemoryFile {
  readonly text: string;
  readonly birthMs: number;
  readonly mtimeMs: number;
}

/** The facts of a vault in memory, without an index. Of conditions, only folders count. */
export function memoryFacts(files: ReadonlyMap<string, MemoryFile>): FactSource {
  const byName = new Map<string, { path: string }[]>();
  for (const path of Array.from(files.keys()).sort()) {
    const name = foldName(fileNameOf(path));
    byName.set(name, [...(byName.get(name) ?? []), { path }]);
  }
  const named = (name: string) => byName.get(name) ?? [];
  const facts = new Map(
    Array.from(files, ([path, file]) => [path, factsOfFile(path, file, named)] as const),
  );
  for (const [path, each] of facts) {
    const sources = Array.from(facts.values())
      .filter(({ links }) => links?.some(({ target }) => target === path))
      .map((source) => source.path)
      .sort();
    facts.set(path, { ...each, backlinks: sources });
  }
  return {
    files: async ({ conditions: { folders = [''] }, after = '', limit }) =>
      Array.from(facts.values())
        .filter(({ path }) => folders.some((each) => each === '' || path.startsWith(`${each}/`)))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .filter(({ path }) => path > after)
        .slice(0, limit)
        .map(({ path }) => ({ path })),
    load: async (paths, parts) =>
      paths.flatMap((path) => {
        const known = facts.get(path);
        if (known === undefined) return [];
        const wanted = Object.fromEntries(parts.map((part) => [part, known[part]]));
        return [{ path: known.path, ...wanted }];
      }),
    named: async (names) => new Map(names.map((name) => [name, named(name)])),
    turn: async () => {},
  };
}

function factsOfFile(
  path: string,
  { text, birthMs, mtimeMs }: MemoryFile,
  named: (name: string) => { path: string }[],
): FileFacts {
  const kind = fileKind(path as VaultPath);
  const stat = {
    path: path as VaultPath,
    size: new TextEncoder().encode(text).length,
    birthMs,
    mtimeMs,
  };
  if (kind === 'attachment')
    return { ...stat, properties: [], tags: [], links: [], tasks: 0, items: [] };
  const found = factsOf(kind, text);
  const link = (each: Link, place: FactLink['place']): FactLink => {
    const target = resolveLink({ path: each.path, source: path }, named)?.path;
    const { displayRange } = each;
    return {
      place,
      embed: each.embed,
      path: each.path,
      subpath: each.subpath,
      ...(displayRange === undefined ? {} : { display: each.displayText }),
      ...(target === undefined ? {} : { target: target as VaultPath }),
    };
  };
  const tags = [...found.propertyTags, ...found.tags].map(({ tag }) => tag.slice(1));
  return {
    ...stat,
    properties: (found.frontmatter?.properties ?? []).map(({ key, value }) => [
      key,
      propertyType(value),
      value,
    ]),
    tags: Array.from(new Set(tags)),
    tasks: found.listItems.filter(({ task }) => task !== undefined).length,
    items: kind === 'note' ? listItems(text) : [],
    links: [
      ...found.links.map((each) => link(each, 'body')),
      ...found.propertyLinks.map((each) => link(each, 'property')),
    ],
  };
}

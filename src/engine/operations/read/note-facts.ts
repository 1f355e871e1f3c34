import type { TextRange } from '../../../base/text-range.ts';
import { LineIndex } from '../../../base/text-range.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import type { NoteFacts } from '../../../markdown/facts/facts.ts';
import type { CachedMetadata, CachedPosition } from '../../../markdown/scan/cached-metadata.ts';
import { toCachedMetadata } from '../../../markdown/scan/cached-metadata.ts';
import { sectionsOf } from '../../../markdown/scan/sections.ts';
import { linkSegment, resolveLink } from '../../links/resolve-link.ts';
import { findNote } from '../../notes/find-note.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { FileRow } from '../../ports/index-store.ts';
import type { FileKind } from '../../ports/records.ts';
import { wholeVault } from '../../ports/view.ts';
import { factsOf } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** Everything known about a note. `docs/facts.md` describes it field by field. */
interface NoteFactsAnswer {
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly version: Version;
  /** In the shape of Obsidian's own metadata cache. */
  readonly facts: CachedMetadata;
  /**
   * All tags as the app's `getAllTags` lists them: those of the properties first, repeats included.
   */
  readonly allTags: readonly string[];
  /**
   * The tags as the app's `parseFrontMatterTags` lists them: null when the property is missing or
   * empty.
   */
  readonly propertyTags: readonly string[] | null;
  /** The file that each link text leads to; null where there is no such file. */
  readonly targets: Readonly<Record<string, VaultPath | null>>;
  /** Facts that the app's cache does not have. */
  readonly more: MoreFacts;
}

interface MoreFacts {
  readonly aliases: readonly Placed<{ readonly alias: string }>[];
  readonly properties: readonly Placed<{ readonly key: string }>[];
  readonly propertyTags: readonly Placed<{ readonly tag: string }>[];
  readonly propertyLinks: readonly Placed<{ readonly key: string; readonly link: string }>[];
  readonly headingSections: readonly Placed<{ readonly path: readonly string[] }>[];
  readonly callouts: readonly Placed<{ readonly type: string; readonly title: string }>[];
  readonly comments: readonly Placed<unknown>[];
  readonly code: readonly Placed<unknown>[];
  readonly problems: readonly Placed<{ readonly code: string; readonly message: string }>[];
}

type Placed<T> = T & { readonly position: CachedPosition };

/**
 * Reads a note and returns everything that is known about its text, with exact positions. Fails
 * with `not_found` or `ambiguous` when the name does not lead to one file.
 */
export async function noteFacts(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<NoteFactsAnswer> {
  const { path, text, version } = await vault.readText(await findNote(vault, request.name));
  const kind = fileKind(path);
  const facts = factsOf(kind, text);
  return {
    path,
    kind,
    version,
    facts: toCachedMetadata(text, facts),
    allTags: [...facts.propertyTags, ...facts.tags].map(({ tag }) => tag),
    propertyTags: hasTagsProperty(facts) ? facts.propertyTags.map(({ tag }) => tag) : null,
    targets: await targetsOf(vault, path, facts),
    more: moreOf(text, facts),
  };
}

function hasTagsProperty(facts: NoteFacts): boolean {
  const tags = facts.frontmatter?.properties?.find(({ key }) => key.toLowerCase() === 'tags');
  return tags !== undefined && tags.value !== null;
}

/**
 * Finds where the links lead now. Resolves them from file names, because the note may be newer than
 * its links in the index.
 */
async function targetsOf(
  vault: BoundVault,
  source: VaultPath,
  facts: NoteFacts,
): Promise<Record<string, VaultPath | null>> {
  const links = [...facts.propertyLinks, ...facts.links];
  if (links.length === 0) return {};
  const names = new Set(
    links.flatMap(({ path }) => {
      const segment = linkSegment(path === '' ? source : path);
      return [segment, `${segment}.md`];
    }),
  );
  // Resolved over all files, as in the app. A target that the caller may not see looks unresolved.
  const rows = await vault.ask('facts', (store) =>
    store.filesByName(wholeVault, Array.from(names)),
  );
  const byName = new Map<string, FileRow[]>();
  for (const row of rows) {
    const name = linkSegment(row.path);
    byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  return Object.fromEntries(
    links.map(({ link, path }) => {
      const target = resolveLink({ path, source }, (name) => byName.get(name) ?? [])?.path;
      return [link, target !== undefined && vault.sees(target) ? target : null];
    }),
  );
}

function moreOf(text: string, facts: NoteFacts): MoreFacts {
  const lines = new LineIndex(text);
  const at = ({ start, end }: TextRange): { position: CachedPosition } => ({
    position: { start: lines.positionAt(start), end: lines.positionAt(end) },
  });
  return {
    aliases: facts.aliases.map(({ text: alias, range }) => ({ alias, ...at(range) })),
    properties: (facts.frontmatter?.properties ?? []).map(({ key, range }) => ({
      key,
      ...at(range),
    })),
    propertyTags: facts.propertyTags.map(({ tag, range }) => ({ tag, ...at(range) })),
    propertyLinks: facts.propertyLinks.map(({ key, link, range }) => ({ key, link, ...at(range) })),
    headingSections: sectionsOf(text, facts).map(({ path, range }) => ({ path, ...at(range) })),
    callouts: facts.callouts.map(({ range, ...callout }) => ({ ...callout, ...at(range) })),
    comments: facts.comments.map(at),
    code: facts.code.map(at),
    problems: facts.problems.map(({ range, ...problem }) => ({ ...problem, ...at(range) })),
  };
}

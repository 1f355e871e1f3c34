import { fromJson, toJson } from '../../../base/json.ts';
import { fileNameOf, foldName, type VaultPath } from '../../../base/vault-path.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import type { Base, BaseFilter, BaseView } from '../../bases/syntax/base.ts';
import type { JsonFacts } from '../../dataview/query-runner.ts';
import { linksOf } from '../../links/link-style.ts';
import { linkSegment, resolveLink } from '../../links/resolve-link.ts';
import { namesAround } from '../../moves/rewrite-links.ts';
import type { FileFacts } from '../../ports/records.ts';
import { propertyType } from '../../text/scan-file.ts';
import type { Draft } from '../../vault/draft.ts';
import { evaluateView } from './evaluate-query.ts';
import { vaultFacts } from './vault-facts.ts';

/** A note that a draft has just made, and the view that it was made through. */
interface NewNote {
  readonly path: VaultPath;
  readonly text: string;
  readonly base: Base;
  readonly view: BaseView;
  /** The file that the base is in, and what `this` stands for. */
  readonly source: VaultPath;
  readonly self: VaultPath;
  readonly types: ReadonlyMap<string, string>;
}

/** How many of the unmet filters are told. */
const unmetMax = 20;

/** The parts of filters that a new note does not pass, as they are written; at most some of them. */
export async function unmetBy(
  draft: Draft,
  filters: readonly BaseFilter[],
  note: NewNote,
): Promise<readonly string[]> {
  const { base, view, source, self, types } = note;
  const facts = withNote(await vaultFacts(draft.vault), await factsOf(draft, note));
  const { clock } = draft.vault.vault.parts;
  const plain = { ...view, filter: undefined, sort: [], group: undefined, summaries: [] };
  const unmet: string[] = [];
  for (const filter of filters.flatMap(partsOf)) {
    if (unmet.length === unmetMax) break;
    const { matching } = await evaluateView(draft.vault, facts, {
      base: { ...base, filter },
      view: { ...plain, order: [], limit: undefined },
      self,
      source,
      nowMs: clock.nowMs(),
      random: () => 0,
      propertyTypes: types,
      page: { limit: 0, offset: 0 },
    });
    if (matching === 0) unmet.push(textOf(filter));
  }
  return unmet;
}

/** The filters that must all be met. */
function partsOf(filter: BaseFilter): readonly BaseFilter[] {
  return filter.kind === 'and' ? filter.items.flatMap(partsOf) : [filter];
}

function textOf(filter: BaseFilter): string {
  if (filter.kind === 'constant') return String(filter.value);
  if (filter.kind === 'statement') return filter.statement.text ?? '';
  const items = filter.items.map(textOf);
  if (filter.kind === 'not') return `not (${items.join(' or ')})`;
  return `(${items.join(` ${filter.kind} `)})`;
}

/** The facts of the vault, as if its only file that can be a row were this one. */
function withNote(source: JsonFacts, note: FileFacts): JsonFacts {
  const name = foldName(fileNameOf(note.path));
  return {
    files: async ({ after }) => toJson(after === undefined ? [note] : []),
    load: async (paths, parts) => {
      const others = paths.filter((path) => path !== note.path);
      const found = others.length === 0 ? [] : fromJson(await source.load(others, parts));
      return toJson(paths.includes(note.path) ? [...found, note] : found);
    },
    named: async (names) => {
      const found = new Map(await source.named(names));
      if (names.includes(name)) found.set(name, [...(found.get(name) ?? []), { path: note.path }]);
      return found;
    },
  };
}

/** What the index will know of the note. */
async function factsOf(draft: Draft, { path, text }: NewNote): Promise<FileFacts> {
  const facts = scanNote(text);
  const links = linksOf(facts);
  const names = links.flatMap((link) => namesAround(linkSegment(link.path)));
  const byName = await draft.byName(names);
  const isSeen = (target: string | undefined): target is VaultPath =>
    target !== undefined && draft.vault.sees(target as VaultPath);
  const tags = [...facts.propertyTags, ...facts.tags].map(({ tag }) => tag.slice(1));
  return {
    path,
    size: new TextEncoder().encode(text).length,
    mtimeMs: draft.nowMs,
    birthMs: draft.nowMs,
    properties: (facts.frontmatter?.properties ?? []).map(
      ({ key, value }) => [key, propertyType(value), value] as const,
    ),
    tags: Array.from(new Set(tags)),
    links: links.map((link) => {
      const target = resolveLink({ path: link.path, source: path }, byName)?.path;
      return {
        place: 'key' in link ? 'property' : 'body',
        embed: link.embed,
        path: link.path,
        subpath: link.subpath,
        ...(isSeen(target) ? { target } : {}),
      };
    }),
    backlinks: [],
  };
}

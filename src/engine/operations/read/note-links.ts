import type { VaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { LinkRow, Page, PageRequest } from '../../ports/index-store.ts';
import type { LinkText } from '../../ports/note-work.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { Turns } from '../../vault/turns.ts';
import { textNow } from './backlink-lines.ts';

/** How many characters of a link are shown. */
const linkCharsMax = 100;

/** Where a link stands, and how it is written. */
export interface ShownLink {
  /** The file that has the link, or that it leads to; the target as written when it leads to none. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** As it is written; a long one is cut. */
  readonly text: string;
  /** The heading above it. */
  readonly heading?: string;
}

/** The links to and from a note, each list with its own total. */
interface NoteLinks {
  readonly path: VaultPath;
  /** The links that lead to it; `path` is the file that has the link. */
  readonly incoming?: Page<ShownLink>;
  /** Its links that lead to a file; `path` is that file. */
  readonly outgoing?: Page<ShownLink>;
  /** Its links that lead to no file; `path` is the target as written, without the subpath. */
  readonly unresolved?: Page<ShownLink>;
}

/**
 * Lists the links to a note, its own links, or both, as they are written now. A link from a file
 * that the caller may not see is left out, and a link to such a file counts as unresolved. Fails as
 * `listLinks` does.
 */
export async function noteLinks(
  vault: BoundVault,
  request: PageRequest & { readonly name: NoteName; readonly direction: 'in' | 'out' | 'both' },
): Promise<NoteLinks> {
  const { direction, limit, offset } = request;
  const path = await findNote(vault, request.name);
  const view = vault.view();
  const page = { limit, offset };
  const asked = direction === 'out' ? { from: [path] } : { to: [path] };
  const { to, leading, missing } = await vault.askLinks(asked, async (store) => ({
    to: direction === 'out' ? undefined : await store.linksTo(view, path, page),
    leading:
      direction === 'in' ? undefined : await store.linkPage(view, path, { ...page, lead: true }),
    missing:
      direction === 'in' ? undefined : await store.linkPage(view, path, { ...page, lead: false }),
  }));
  const texts = await linkTexts(vault, [to, leading, missing]);
  const shown = (
    rows: Page<LinkRow> | undefined,
    pathOf: (row: LinkRow) => string,
  ): Page<ShownLink> | undefined =>
    rows && { total: rows.total, items: rows.items.map((row) => shownLink(row, pathOf, texts)) };
  const incoming = shown(to, ({ source }) => source);
  const outgoing = shown(leading, ({ target, path: written }) => target ?? written);
  const unresolved = shown(missing, ({ path: written }) => written);
  return {
    path,
    ...(incoming && { incoming }),
    ...(outgoing && { outgoing }),
    ...(unresolved && { unresolved }),
  };
}

/** The texts of links, by the file they stand in and their place in it. */
type Texts = ReadonlyMap<VaultPath, ReadonlyMap<number, LinkText>>;

/** Reads the files that have these links, one after the other, since many large ones fill memory. */
async function linkTexts(
  vault: BoundVault,
  pages: readonly (Page<LinkRow> | undefined)[],
): Promise<Texts> {
  const places = new Map<VaultPath, Set<number>>();
  for (const { source, start } of pages.flatMap((page) => page?.items ?? [])) {
    places.set(source, (places.get(source) ?? new Set()).add(start));
  }
  const texts = new Map<VaultPath, ReadonlyMap<number, LinkText>>();
  const turns = new Turns(vault);
  for (const [source, starts] of places) {
    await turns.next();
    const text = await textNow(vault, source);
    const wanted = { kind: fileKind(source), starts, charsMax: linkCharsMax };
    const found = await vault.work('linkTexts', text, wanted);
    texts.set(source, new Map(found.map((link) => [link.start, link])));
  }
  return texts;
}

function shownLink(row: LinkRow, pathOf: (row: LinkRow) => string, texts: Texts): ShownLink {
  const { source, start, line, path, subpath } = row;
  const found = texts.get(source)?.get(start);
  return {
    path: pathOf(row),
    line: line + 1,
    // The file may have changed since it was indexed: then the link is told as the index has it.
    text: found?.text ?? `[[${path}${subpath}]]`.slice(0, linkCharsMax),
    ...(found?.heading === undefined ? {} : { heading: found.heading }),
  };
}

import type { Json } from '../../src/base/json.ts';
import { toJson } from '../../src/base/json.ts';
import type { VaultPath } from '../../src/base/vault-path.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import type { IndexStore } from '../../src/engine/ports/index-store.ts';
import type { NoteDetail, PackedLinks } from '../../src/engine/ports/note-detail.ts';
import { packLink } from '../../src/engine/ports/note-detail.ts';
import type { FileEntry, NoteRecord, TextRecord } from '../../src/engine/ports/records.ts';
import { packNotes, packTexts } from './pack-records.ts';

/** A file as a walk would find it in its `revision`-th state. */
export function entry(path: string, revision = 1, stat: Partial<FileEntry> = {}): FileEntry {
  return {
    path: vaultPath(path),
    size: 100 + revision,
    mtimeMs: 1_000 * revision + 0.5,
    birthMs: 500,
    stamp: `${path.length}-${revision}`,
    present: true,
    ...stat,
  };
}

/** The facts of a note in its `revision`-th state; links are given by their path. */
export function note(
  path: string,
  links: readonly string[] = [],
  {
    revision = 1,
    detail = {},
    ...rest
  }: Partial<Omit<NoteRecord, 'detail'>> & {
    readonly revision?: number;
    readonly detail?: Partial<NoteDetail>;
  } = {},
): NoteRecord {
  const { path: name, ...stat } = entry(path, revision);
  const paths = Array.from(new Set(links));
  const packed: PackedLinks = { links: [], subpaths: [], keys: [] };
  links.forEach((link, at) => {
    packLink(packed, linkAt(at), paths.indexOf(link));
  });
  return {
    path: name,
    stat,
    linked: paths,
    linkedCounts: paths.map((written) => links.filter((link) => link === written).length),
    tags: [],
    aliases: [],
    properties: [],
    problems: [],
    ...rest,
    detail: toJson<NoteDetail>({
      ...packed,
      properties: [],
      headings: [],
      tasks: [],
      ...detail,
    }),
  };
}

function linkAt(at: number) {
  const range = { start: 10 * at, end: 10 * at + 5, line: at };
  return { place: 'body', embed: false, subpath: '', ...range } as const;
}

/** The full text of a note in its `revision`-th state. */
export function text(path: string, body: string, revision = 1): TextRecord {
  const { path: name, stamp } = entry(path, revision);
  return { path: name, stamp, body };
}

/** Fills a store the way a first walk does: names, then facts, then full text. */
export async function fill(
  store: IndexStore,
  vault: {
    readonly files?: readonly string[];
    readonly notes?: readonly NoteRecord[];
    readonly texts?: readonly TextRecord[];
  },
): Promise<void> {
  const notes = vault.notes ?? [];
  const entries = [
    ...(vault.files ?? []).map((path) => entry(path)),
    ...notes.map(({ path, stat }) => ({ path, ...stat })),
  ];
  await store.seen(1, toJson(entries));
  await store.endWalk(1, '');
  await store.putNotes(packNotes(notes));
  await store.putTexts(packTexts(vault.texts ?? []));
}

/** Everything a store holds. */
export async function dumpOf(store: IndexStore): Promise<string[]> {
  const all: string[] = [];
  await store.dump((lines) => {
    all.push(...lines);
  });
  return all;
}

/** Entries as a batch of a walk. */
export function batch(...entries: readonly FileEntry[]): Json<readonly FileEntry[]> {
  return toJson(entries);
}

/** Paths as the port wants them. */
export function paths(...names: readonly string[]): VaultPath[] {
  return names.map(vaultPath);
}

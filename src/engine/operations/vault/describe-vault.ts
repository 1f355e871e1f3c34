import type { FileSizes } from '../../ports/index-store.ts';
import type { FileKind } from '../../ports/records.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { folderInfo } from '../list/list-folders.ts';

interface VaultDescription {
  readonly name: string;
  readonly location: string;
  /** Whether Obsidian has opened the folder, so that it has `.obsidian`. */
  readonly opened: boolean;
  /** Whether the folder lies inside another vault; links from there are not seen. */
  readonly outer: boolean;
  readonly files: Readonly<Record<FileKind, number>>;
  readonly tags: number;
  readonly properties: number;
  readonly unresolved: number;
  readonly orphans: number;
  /** Files that are listed but not on this disk (cloud placeholders). */
  readonly absent: number;
  /** Conflict copies that sync programs made. */
  readonly conflicts: number;
  /** The paths of the notes that changed last, the latest first. */
  readonly latest: readonly string[];
  /** When each of these was modified. */
  readonly latestMs: readonly number[];
}

const latestMax = 5;

/**
 * Describes a vault in numbers: its files by kind, tags, properties, links without a target and so
 * on.
 */
export async function describeVault(vault: BoundVault): Promise<VaultDescription> {
  const { name, location, outerVault = false } = vault.vault.parts;
  const view = vault.view();
  const listed = await vault.listedView();
  const settings = await vault.vault.settings();
  return vault.ask('facts', async (store) => {
    const count = async (kind: FileKind): Promise<number> =>
      (await store.files(view, { folder: '', kinds: [kind], sort: 'path', limit: 0, offset: 0 }))
        .total;
    const none = { limit: 0, offset: 0 };
    const latest = await store.files(listed, {
      folder: '',
      kinds: ['note'],
      sort: 'modified',
      limit: latestMax,
      offset: 0,
    });
    return {
      name,
      location,
      opened: settings.opened,
      outer: outerVault,
      files: {
        note: await count('note'),
        canvas: await count('canvas'),
        base: await count('base'),
        attachment: await count('attachment'),
      },
      tags: (await store.tags(listed)).length,
      properties: (await store.properties(listed)).length,
      unresolved: (await store.unresolved(listed, none)).total,
      orphans: (await store.orphans(listed, none)).total,
      absent: (await store.status(view)).absent,
      conflicts: (await store.conflicts(view)).length,
      latest: latest.items.map((file) => file.path),
      latestMs: latest.items.map((file) => file.mtimeMs),
    };
  });
}

/** The number of all files and folders of a vault, and the size of the files. */
interface VaultTotals {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

/** Does what `describeVault` does, and adds the number of files and folders and their size. */
export async function measureVault(
  vault: BoundVault,
): Promise<VaultDescription & { readonly totals: VaultTotals }> {
  const description = await describeVault(vault);
  const { files, folders, bytes } = await folderInfo(vault, { folder: '' });
  return { ...description, totals: { files, folders, bytes } };
}

/** Counts the files of a vault by kind, and its notes by size. Waits only for their names. */
export function measureSizes(vault: BoundVault): Promise<FileSizes> {
  return vault.ask('names', (store) => store.sizes(vault.view()));
}

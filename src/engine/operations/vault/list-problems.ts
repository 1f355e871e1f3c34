import type { VaultPath } from '../../../base/vault-path.ts';
import type { IndexStore, Page, PageRequest } from '../../ports/index-store.ts';
import type { FileKind, ProblemRow } from '../../ports/records.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** What needs a look in the vault. */
export interface VaultProblems {
  readonly files: number;
  /** What is wrong in the text of files, such as properties that are not valid YAML. */
  readonly problems: readonly ProblemRow[];
  /** Conflict copies that sync programs made. We never touch them. */
  readonly conflicts: readonly { path: VaultPath; conflictOf: VaultPath }[];
  /** Files that are listed but not on this disk (cloud placeholders). */
  readonly absent: number;
  /** Names of files that cannot be written as a vault path. */
  readonly unreachable: readonly string[];
  /** Files and folders that could not be read, and why. */
  readonly refused: readonly { path: string; reason: string }[];
  /** Problems in the vault's settings, as sentences. */
  readonly settings: readonly string[];
  /** What a file cannot keep on this system when we write it, as sentences. */
  readonly writing: readonly string[];
}

/** The same in pages: the same page of each list, and how long the list is. */
export interface ProblemPages extends Pick<VaultProblems, 'settings' | 'writing'> {
  readonly problems: Page<ProblemRow>;
  readonly conflicts: Page<VaultProblems['conflicts'][number]>;
  readonly absent: Page<VaultPath>;
  /** Those that could not be read, and those whose names cannot be written as a vault path. */
  readonly refused: Page<{ readonly path: string; readonly reason: string }>;
}

const everything: PageRequest = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
const allKinds: readonly FileKind[] = ['note', 'canvas', 'base', 'attachment'];

/** Lists what needs a look, as the index knows it now; waits for nothing and reads no note. */
export async function listProblems(vault: BoundVault): Promise<VaultProblems> {
  const view = vault.view();
  return vault.askNow(async (store) => {
    const { files, absent } = await store.status(view);
    return {
      files,
      problems: (await store.problems(view, everything)).items,
      conflicts: await conflictsIn(store, vault),
      absent,
      unreachable: unreachableIn(vault),
      refused: refusedIn(vault),
      ...(await ofThisPlace(vault)),
    };
  });
}

/** The same, a page at a time. */
export async function pageProblems(vault: BoundVault, page: PageRequest): Promise<ProblemPages> {
  const view = vault.view();
  const placeholders = {
    ...page,
    folder: '',
    kinds: allKinds,
    sort: 'path',
    absent: true,
  } as const;
  const refused = [
    ...refusedIn(vault),
    ...unreachableIn(vault).map((path) => ({ path, reason: unreachableReason })),
  ];
  return vault.askNow(async (store) => {
    // All at once: while the index is built, each question waits for a batch.
    const [absent, problems, conflicts, ofPlace] = await Promise.all([
      store.files(view, placeholders),
      store.problems(view, page),
      conflictsIn(store, vault),
      ofThisPlace(vault),
    ]);
    return {
      problems,
      conflicts: pageOf(conflicts, page),
      absent: { total: absent.total, items: absent.items.map(({ path }) => path) },
      refused: pageOf(refused, page),
      ...ofPlace,
    };
  });
}

const unreachableReason = 'its name cannot be used in a vault';

async function conflictsIn(
  store: IndexStore,
  vault: BoundVault,
): Promise<VaultProblems['conflicts']> {
  return (await store.conflicts(vault.view())).flatMap(({ path, conflictOf }) =>
    conflictOf === undefined ? [] : [{ path, conflictOf }],
  );
}

function unreachableIn(vault: BoundVault): readonly string[] {
  return vault.vault.parts.keeper.summary.unreachable.filter((name) => vault.sees(name));
}

function refusedIn(vault: BoundVault): VaultProblems['refused'] {
  const { keeper } = vault.vault.parts;
  return [
    ...keeper.summary.refused.map(({ path, reason }) => ({ path, reason })),
    ...Array.from(keeper.unread, ([path, reason]) => ({ path, reason })),
  ].filter(({ path }) => vault.sees(path));
}

async function ofThisPlace(
  vault: BoundVault,
): Promise<Pick<VaultProblems, 'settings' | 'writing'>> {
  return {
    settings: (await vault.vault.settings()).problems,
    writing: await vault.vault.parts.disk.cannotKeep(),
  };
}

function pageOf<T>(items: readonly T[], { limit, offset }: PageRequest): Page<T> {
  return { total: items.length, items: items.slice(offset, offset + limit) };
}

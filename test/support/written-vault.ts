import { setMaxListeners } from 'node:events';
import { allScopes, type Caller, type Scopes } from '../../src/base/caller.ts';
import type { IndexKeeper } from '../../src/engine/index/index-keeper.ts';
import type { Vault } from '../../src/engine/open/vault.ts';
import { checkIndex } from '../../src/engine/operations/vault/check-index.ts';
import type { BoundVault } from '../../src/engine/vault/bound-vault.ts';
import type { ChangeReport, Operation } from '../../src/engine/vault/draft.ts';
import type { IndexedVault, VaultOptions } from './indexed-vault.ts';
import { indexFolder, indexMemoryVault } from './indexed-vault.ts';
import type { MemoryDisk } from './memory-disk.ts';
import { memoryDisk } from './memory-disk.ts';

/** A vault that a test writes to, as the person who may do everything. */
export interface WrittenVault {
  readonly vault: BoundVault;
  readonly whole: Vault;
  readonly keeper: IndexKeeper;
  change<Request extends object, Result extends object>(
    operation: Operation<Request, Result>,
    request: Request & { readonly dryRun?: boolean },
  ): Promise<Result & ChangeReport>;
  /** The vault as another caller sees it. */
  as(caller: Partial<Caller>): BoundVault;
  /** Lines in which the kept index differs from a rebuilt one: none, or a bug. */
  indexFaults(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** The same, on a disk in memory. */
export interface MemoryVault extends WrittenVault {
  readonly disk: MemoryDisk;
  text(path: string): string;
  /** Every file with its text, hidden and temporary ones too. */
  files(): Readonly<Record<string, string>>;
}

/** Opens a vault in memory with these files. */
export async function openWrittenVault(
  files: Readonly<Record<string, string | Uint8Array>> | MemoryDisk,
  options: VaultOptions = {},
): Promise<MemoryVault> {
  const disk = isDisk(files) ? files : memoryDisk(files);
  const written = writtenVault(await indexMemoryVault(disk, options));
  return {
    ...written,
    disk,
    text: (path) => disk.text(path),
    files: () => Object.fromEntries(disk.paths().map((path) => [path, disk.text(path)])),
  };
}

/** Opens a vault in a folder. */
export async function openWrittenFolder(
  folder: string,
  options: VaultOptions = {},
): Promise<WrittenVault> {
  return writtenVault(await indexFolder(folder, options));
}

/** The person at the shell. */
export function testCaller(caller: Partial<Caller> & { scopes?: Scopes } = {}): Caller {
  const { signal } = new AbortController();
  setMaxListeners(0, signal); // A test may make many calls at once with one caller; a door makes one.
  return {
    door: 'cli',
    scopes: allScopes,
    signal,
    deadlineMs: 60_000,
    indexWaitMs: 60_000,
    ...caller,
  };
}

function writtenVault({ vault, keeper, close }: IndexedVault): WrittenVault {
  const bind = (caller: Partial<Caller>): BoundVault =>
    vault.bind(testCaller(caller), { tool: 'test', args: {} });
  const bound = bind({});
  return {
    vault: bound,
    whole: vault,
    keeper,
    change: (operation, request) => bound.change(operation, request),
    as: bind,
    indexFaults: () => checkIndex(vault.parts, { reconcile: false }),
    close,
  };
}

function isDisk(files: object): files is MemoryDisk {
  return 'stage' in files && typeof files.stage === 'function';
}

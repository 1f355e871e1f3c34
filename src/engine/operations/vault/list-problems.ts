import type { VaultPath } from '../../../base/vault-path.ts';

/** What needs a look in the vault, as the index knows it. */
export interface VaultProblems {
  /** What is wrong in the text of files, such as properties that are not valid YAML. */
  readonly problems: readonly { path: VaultPath; code: string; message: string }[];
  /** Conflict copies that sync programs made. */
  readonly conflicts: readonly { path: VaultPath; conflictOf: VaultPath }[];
  /** Files that are listed but not on this disk (cloud placeholders). */
  readonly absent: number;
  /** Files and folders that could not be read, and why. */
  readonly refused: readonly { path: string; reason: string }[];
  /** Names of files that cannot be written as a vault path. */
  readonly unreachable: readonly string[];
  /** Problems in the vault's settings, as sentences. */
  readonly settings: readonly string[];
  /** What a file cannot keep on this system when we write it, as sentences. */
  readonly writing: readonly string[];
  readonly files: number;
}

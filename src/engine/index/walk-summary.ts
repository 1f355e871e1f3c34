import { isInside, type VaultPath } from '../../base/vault-path.ts';
import type { WalkSummary } from '../ports/ports.ts';

/** What walks saw beside the files, after one folder of the vault was walked anew. */
export function withFolder(
  whole: WalkSummary,
  folder: VaultPath,
  walked: WalkSummary,
): WalkSummary {
  const isElsewhere = (path: string): boolean => path !== folder && !isInside(path, folder);
  return {
    ...whole,
    unreachable: [...whole.unreachable.filter(isElsewhere), ...walked.unreachable],
    refused: [...whole.refused.filter(({ path }) => isElsewhere(path)), ...walked.refused],
  };
}

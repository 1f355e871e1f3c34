import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { checkMtime } from '../../notes/check-mtime.ts';
import { seenFiles } from '../../notes/seen-files.ts';
import type { Draft } from '../../vault/draft.ts';
import { rawTarget } from './raw-target.ts';

/**
 * Gives a file these bytes, or makes it and the folders it needs. Fails with `conflict` when it is
 * there with another time than expected (0 expects nothing), and as `rawTarget` does.
 */
export async function rawWrite(
  draft: Draft,
  request: {
    readonly path: VaultFolder;
    readonly bytes: Uint8Array;
    readonly expectedMtimeMs: number;
  },
): Promise<{ readonly at: VaultPath }> {
  const { path, bytes, expectedMtimeMs } = request;
  const files = seenFiles(draft.vault);
  const at = await rawTarget(files, path);
  await draft.raw.put(at, bytes);
  // Only now: what changes after `put` has looked at it makes the whole plan be made again.
  const stat = expectedMtimeMs === 0 ? undefined : await files.stat(at);
  if (stat !== undefined) checkMtime(at, stat, expectedMtimeMs);
  return { at };
}

import { setImmediate } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { writtenNames } from '../../engine/links/written-names.ts';
import { decodeText } from '../../engine/text/scan-file.ts';
import { isVaultGone } from '../place/vault-gone.ts';
import type { ScanSource } from './scan-files.ts';

/** See `Scanner.naming`. Lets other work of the thread run every `limits.turnMs`. */
export async function namingFiles(
  source: Pick<ScanSource, 'read'>,
  request: {
    readonly paths: readonly VaultPath[];
    readonly segments: readonly string[];
    readonly isClosed: () => boolean;
  },
): Promise<readonly VaultPath[]> {
  const mayName = writtenNames(request.segments);
  const found: VaultPath[] = [];
  let sinceMs = performance.now();
  for (const path of request.paths) {
    if (mayNameIn(source, path, mayName)) found.push(path);
    if (performance.now() - sinceMs < limits.turnMs) continue;
    await setImmediate();
    if (request.isClosed()) {
      throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    }
    sinceMs = performance.now();
  }
  return found;
}

/** Whether a file may name what is looked for; also when it cannot be read, so that this is noticed. */
function mayNameIn(
  source: Pick<ScanSource, 'read'>,
  path: VaultPath,
  mayName: ReturnType<typeof writtenNames>,
): boolean {
  try {
    const { bytes } = source.read(path, { bytesMax: limits.noteBytesMax });
    if (bytes === undefined) return true; // It has become too large, or was taken off this disk.
    return mayName({ bytes: bytes.toString('latin1'), text: () => decodeText(bytes) });
  } catch (error) {
    if (isVaultGone(error)) throw error;
    return true;
  }
}

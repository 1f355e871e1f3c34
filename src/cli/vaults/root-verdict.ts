import { randomBytes } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { fileSystemType, silentDrive } from '../../node/place/drive-kind.ts';
import { makeFolders, replacePrivateFile } from '../../node/system/private-files.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';

const idFile = join('.vaultdoor', 'root-id');

/**
 * Which folder this is, through whichever mount, and the kind of mount: `<random id> <type>`. The id is
 * in a file in the folder; it is made when it is missing.
 */
export async function rootKind(root: string): Promise<string> {
  const file = join(root, idFile);
  let id = await idIn(file);
  if (id === undefined) {
    await makeFolders(join(root, '.vaultdoor'));
    await replacePrivateFile(file, `${randomBytes(8).toString('hex')}\n`);
    id = (await idIn(file)) ?? '';
  }
  return `${id} ${fileSystemType(await realpath(root)) ?? process.platform}`;
}

async function idIn(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes?.toString('utf8').trim() || undefined;
}

/**
 * How long a node waits before its first look at a vault in this folder. 0 on a disk of this machine.
 * Fails with `unavailable` for a network drive that `cluster check` has not found good.
 */
export async function checkedSettleMs(postgres: Postgres, root: string): Promise<number> {
  const real = await realpath(root);
  const drive = silentDrive(real, process.platform);
  if (drive === undefined) return 0;
  const { keptVerdict } = await import('../../postgres/nodes/root-verdicts.ts');
  const verdict = await keptVerdict(postgres, await rootKind(real));
  if (verdict?.isGood === true) return verdict.settleMs;
  const found =
    verdict === undefined ? 'has not been checked' : `is not good enough: ${verdict.says}`;
  throw new VaultError(
    'unavailable',
    `The file system of "${root}" (${drive}) ${found}. Run "vaultdoor cluster check --vaults-root ${root}" on two nodes at the same time.`,
  );
}

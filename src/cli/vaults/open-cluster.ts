import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { diskError } from '../../node/system/disk-error.ts';
import type { Postgres, PostgresLimits } from '../../postgres/connection/postgres.ts';
import { type ClusterAddress, isPostgresUrl } from '../options/cluster-options.ts';
import type { Shell } from '../shell/shell.ts';

/**
 * Opens the PostgreSQL of a cluster. Fails with `unavailable` when it does not answer, or its tables are
 * too old or too new for this program. The caller closes it. The library is loaded here, since only a
 * cluster needs it.
 */
export async function openCluster(address: ClusterAddress, shell: Shell): Promise<Postgres> {
  const postgres = await openClusterUnchecked(address, shell);
  try {
    const { checkSchema } = await import('../../postgres/schema/migrate.ts');
    await checkSchema(postgres);
    return postgres;
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

/** Opens the PostgreSQL of a cluster whose tables may be missing or old. The caller closes it. */
export async function openClusterUnchecked(
  address: ClusterAddress,
  { currentFolder }: Pick<Shell, 'currentFolder'>,
  limits: PostgresLimits = {},
): Promise<Postgres> {
  const url = 'url' in address ? address.url : await urlIn(resolve(currentFolder, address.file));
  const { openPostgres } = await import('../../postgres/connection/postgres.ts');
  return openPostgres(url, limits);
}

/** The address in a file. It may have a password, so no message repeats it. */
async function urlIn(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw diskError(file, error);
  });
  const url = bytes.toString('utf8').trim();
  if (isPostgresUrl(url)) return url;
  throw new VaultError(
    'invalid_input',
    `"${file}" must have the address of PostgreSQL and nothing else, such as postgres://user@host/vaultdoor.`,
  );
}

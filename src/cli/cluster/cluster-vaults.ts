import { VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import {
  addVault,
  type ClusterStatus,
  clusterStatus,
  drainNode,
  moveVault,
  namedVault,
} from '../../postgres/nodes/cluster-admin.ts';
import { table } from '../../tools/cli/table.ts';
import { counted, lines, plain } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import type { ClusterAnswer } from './cluster-command.ts';

/** `cluster status`: which nodes there are, and who owns which vault. */
export async function showStatus(postgres: Postgres, paint: Paint): Promise<ClusterAnswer> {
  const status = await clusterStatus(postgres);
  return { text: statusText(status, paint), value: status };
}

/** `cluster add`: a vault that the nodes serve from now on. */
export async function addToCluster(
  postgres: Postgres,
  vault: { readonly name: string; readonly path: string; readonly pinned?: string },
): Promise<ClusterAnswer> {
  checkName(vault.name);
  const path = checkedPath(vault.path);
  const id = await addVault(postgres, { ...vault, path });
  const where = vault.pinned === undefined ? 'every node' : `the node "${vault.pinned}"`;
  return {
    text: `Added the vault "${vault.name}": "${path}", seen by ${where}.\n`,
    value: { id, ...vault, path },
  };
}

/** `cluster move`: another node serves the vault from its next call on. */
export async function moveToNode(
  postgres: Postgres,
  { vault, node }: { readonly vault: string; readonly node: string },
): Promise<ClusterAnswer> {
  const { id } = await namedVault(postgres, vault);
  await moveVault(postgres, { vault: id, node });
  return {
    text: `The vault "${vault}" goes to the node "${node}" with its next call.\n`,
    value: { vault, node },
  };
}

/** `cluster drain`: a node gives its vaults away. */
export async function drain(postgres: Postgres, node: string): Promise<ClusterAnswer> {
  const vaults = await drainNode(postgres, node);
  return {
    text: `The node "${node}" has given away ${counted(vaults, 'vault')} and takes no others until it is started again.\n`,
    value: { node, vaults },
  };
}

const nameCharsMax = 100;

function checkName(name: string): void {
  if (
    name.trim() === name &&
    name !== '' &&
    name.length <= nameCharsMax &&
    !/[\p{C}/\\]/u.test(name)
  )
    return;
  throw new VaultError(
    'invalid_input',
    `A vault needs a name of at most ${nameCharsMax} visible characters, without slashes.`,
  );
}

/** A path as the tables have it: below the root of the vaults; it may be absolute. Fails with `invalid_input`. */
export function checkedPath(given: string): string {
  const names = given.split('/').filter((name) => name !== '');
  const wrong = ['.', '..', '.vaultdoor'];
  if (names.length > 0 && !names.some((name) => wrong.includes(name))) {
    return `${given.startsWith('/') ? '/' : ''}${names.join('/')}`;
  }
  throw new VaultError(
    'invalid_input',
    'Give the path of the vault below the folder that the nodes serve (--vaults-root), without "." and "..".',
  );
}

function statusText({ nodes, vaults }: ClusterStatus, paint: Paint): string {
  const nodeRows = nodes.map((node) => [
    plain(node.node),
    node.alive ? (node.drains ? 'drains' : 'runs') : 'does not run',
    plain(node.address),
    `Vaultdoor ${plain(node.version)}`,
    `owns ${counted(node.vaults, 'vault')}`,
    `${node.awake} awake`,
  ]);
  const vaultRows = vaults.map((vault) => [
    plain(vault.name),
    plain(vault.path),
    plain(ownerText(vault)),
    counted(vault.changes, 'change'),
    ...(vault.open === 0 ? [''] : [`${vault.open} not finished`]),
  ]);
  return [
    lines(
      table(
        ['node', 'state', 'address', 'version', 'vaults', 'awake'].map((title) => ({ title })),
        nodeRows,
        paint,
      ),
    ),
    lines(
      table(
        ['vault', 'path', 'owner', 'changes', 'open'].map((title) => ({ title })),
        vaultRows,
        paint,
      ),
    ),
  ].join('\n');
}

function ownerText({ owner, pinned }: ClusterStatus['vaults'][number]): string {
  if (owner !== null) return pinned === null ? owner : `${owner} (only there)`;
  return pinned === null ? 'asleep, nobody owns it' : `not available: only ${pinned} sees it`;
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { VaultError } from '../../base/vault-error.ts';
import { fileSystemType } from '../../node/place/drive-kind.ts';
import { removeProbe, watchProbe, writeProbe } from '../../node/place/probe-root.ts';
import { diskError } from '../../node/system/disk-error.ts';
import { makeFolders } from '../../node/system/private-files.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { offeredProbes, offerProbe, takeProbe } from '../../postgres/nodes/probe-turns.ts';
import { keepVerdict, keptVerdict, type RootVerdict } from '../../postgres/nodes/root-verdicts.ts';
import type { Shell } from '../shell/shell.ts';
import { rootKind } from '../vaults/root-verdict.ts';
import type { ClusterAnswer } from './cluster-command.ts';

/** File systems whose stamps cannot tell whether a file has changed, with the reason. */
const refused: Readonly<Record<string, string>> = {
  'fuse.sshfs': 'sshfs shows whole seconds and inodes of its own, so changes cannot be told',
  'fuse.rclone': 'rclone renames by copying, so a step is not made at once',
};

/**
 * `cluster check`: finds out through two mounts how long a change is not seen, and whether a removed
 * folder stops whoever still uses it. The verdict is kept for this folder and kind of mount. The first
 * of two programs offers a probe, the second takes it; with `alsoAt` this one is both.
 */
export async function checkRoot(
  postgres: Postgres,
  { currentFolder }: Shell,
  asked: { readonly root: string; readonly alsoAt?: string },
): Promise<ClusterAnswer> {
  const root = await folderAt(resolve(currentFolder, asked.root));
  const kind = await rootKind(root).catch((error: unknown) => {
    throw diskError(root, error, 'write');
  });
  const reason = refused[fileSystemType(root) ?? ''];
  const verdict =
    reason === undefined
      ? await probe(postgres, root, kind, asked.alsoAt && resolve(currentFolder, asked.alsoAt))
      : { isGood: false, settleMs: 0, says: reason };
  await keepVerdict(postgres, kind, verdict);
  return {
    text: `${root}: ${verdict.isGood ? 'good' : 'REFUSED'}\n  ${verdict.says}\n  settleMs ${verdict.settleMs}\n`,
    value: { root, kind, ...verdict },
  };
}

async function folderAt(path: string): Promise<string> {
  return realpath(path).catch((error: unknown) => {
    throw diskError(path, error);
  });
}

async function probe(
  postgres: Postgres,
  root: string,
  kind: string,
  alsoAt: string | undefined,
): Promise<RootVerdict> {
  if (alsoAt === undefined) {
    const joined = await joinOther(postgres, root);
    if (joined) return afterOther(postgres, kind);
  }
  const id = randomBytes(8).toString('hex');
  const folder = probeFolder(root, id);
  await makeFolders(folder);
  try {
    if (alsoAt !== undefined) await untilThere(alsoAt, id);
    const [turns] = await Promise.all([
      offerProbe(postgres, id),
      alsoAt === undefined ? undefined : joinItself(postgres, alsoAt, id),
    ]);
    try {
      const { longestMs, faults } = await writeProbe(folder, turns);
      return verdictOf(longestMs, faults);
    } finally {
      await turns.end();
    }
  } finally {
    await removeProbe(folder);
  }
}

/** Takes part in the check of another program that sees the same folder; false when there is none. */
async function joinOther(postgres: Postgres, root: string): Promise<boolean> {
  for (const id of await offeredProbes(postgres)) {
    const folder = probeFolder(root, id);
    if (!existsSync(folder)) continue;
    const turns = await takeProbe(postgres, id);
    if (turns === undefined) continue;
    await watchProbe(folder, turns);
    return true;
  }
  return false;
}

/** Takes the probe that this program offers, and watches it through the second mount meanwhile. */
async function joinItself(postgres: Postgres, alsoAt: string, id: string): Promise<void> {
  for (;;) {
    const turns = await takeProbe(postgres, id);
    if (turns !== undefined) {
      // The other side reports a failure: it waits for the next step in vain.
      watchProbe(probeFolder(alsoAt, id), turns).catch(() => turns.end());
      return;
    }
    await setTimeout(lookMs);
  }
}

async function untilThere(alsoAt: string, id: string): Promise<void> {
  for (const endMs = performance.now() + thereMs; performance.now() < endMs; ) {
    if (existsSync(probeFolder(alsoAt, id))) return;
    await setTimeout(lookMs);
  }
  throw new VaultError(
    'invalid_input',
    `"${alsoAt}" does not show what is in the folder of --vaults-root.`,
  );
}

function probeFolder(root: string, id: string): string {
  return join(root, '.vaultdoor', `probe-${id}`);
}

const lookMs = 10;
/** How long a new folder may take to be seen through the second mount. */
const thereMs = 5_000;

/** How long the verdict of the other program is waited for. */
const verdictMs = 10_000;

/** The verdict that the other program has kept, which has seen both sides. */
async function afterOther(postgres: Postgres, kind: string): Promise<RootVerdict> {
  await setTimeout(100);
  for (const endMs = performance.now() + verdictMs; performance.now() < endMs; ) {
    const verdict = await keptVerdict(postgres, kind);
    if (verdict !== undefined) return verdict;
    await setTimeout(100);
  }
  throw new VaultError('timeout', 'The other node has ended without a verdict; try again.');
}

function verdictOf(longestMs: number, faults: readonly string[]): RootVerdict {
  const settleMs = Math.ceil(longestMs * 2);
  if (faults.length > 0) return { isGood: false, settleMs, says: `${faults.join('; ')}.` };
  return {
    isGood: true,
    settleMs,
    says: `A change is seen by the other side after ${Math.ceil(longestMs)} ms at most; a removed folder stops whoever still uses it.`,
  };
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { VaultError } from '../../base/vault-error.ts';
import { fileSystemType } from '../../node/place/drive-kind.ts';
import { removeProbe, settleMsOf, watchProbe, writeProbe } from '../../node/place/probe-root.ts';
import { diskError } from '../../node/system/disk-error.ts';
import { makeFolders } from '../../node/system/private-files.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import {
  offeredProbes,
  offerMs,
  offerProbe,
  type ProbeTurns,
  takeProbe,
  withdrawProbe,
} from '../../postgres/nodes/probe-turns.ts';
import { keepVerdict, type RootVerdict } from '../../postgres/nodes/root-verdicts.ts';
import type { Shell } from '../shell/shell.ts';
import { rootKind } from '../vaults/root-verdict.ts';
import type { ClusterAnswer } from './cluster-command.ts';

/** File systems whose stamps cannot tell whether a file has changed, with the reason. */
const refused: Readonly<Record<string, string>> = {
  'fuse.sshfs': 'sshfs shows whole seconds and inodes of its own, so changes cannot be told',
  'fuse.rclone': 'rclone renames by copying, so a step is not made at once',
};

/**
 * `cluster check`: measures through two mounts how long a change made in one stays unseen in the
 * other, and whether a write into a removed folder fails. The verdict is stored for this folder and kind
 * of mount. Two programs do this together: the first offers a probe in PostgreSQL, the second takes it.
 * With `alsoAt`, this program does both.
 */
export async function checkRoot(
  postgres: Postgres,
  { currentFolder, stderr }: Shell,
  asked: { readonly root: string; readonly alsoAt?: string },
): Promise<ClusterAnswer> {
  const root = await folderAt(resolve(currentFolder, asked.root));
  const kind = await rootKind(root).catch((error: unknown) => {
    throw diskError(root, error, 'write');
  });
  const reason = refused[fileSystemType(root) ?? ''];
  const verdict =
    reason === undefined
      ? await probe(postgres, root, {
          alsoAt: asked.alsoAt && resolve(currentFolder, asked.alsoAt),
          onAlone: () => stderr.write(aloneText),
        })
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
  { alsoAt, onAlone }: { readonly alsoAt: string | undefined; readonly onAlone: () => void },
): Promise<RootVerdict> {
  const id = randomBytes(8).toString('hex');
  const folder = probeFolder(root, id);
  await makeFolders(folder);
  try {
    if (alsoAt !== undefined) await untilThere(alsoAt, id);
    const turns = await offerProbe(postgres, id);
    try {
      if (alsoAt !== undefined) await joinItself(postgres, alsoAt, id);
      else {
        const earlier = await earlierOffer(postgres, { root, own: id, onAlone });
        if (earlier !== undefined) return await secondSide(postgres, root, earlier);
      }
      return await firstSide(folder, turns);
    } finally {
      await turns.end();
    }
  } finally {
    await removeProbe(folder);
  }
}

/** What the two sides say after both have written and watched. */
const found = 300;
const judged = 301;
const read = 302;

/** The side that has offered the probe: first writes, then watches, then judges. */
async function firstSide(folder: string, turns: ProbeTurns): Promise<RootVerdict> {
  const [there, back] = [join(folder, 'there'), join(folder, 'back')];
  await makeFolders(there);
  await makeFolders(back);
  const one = await writeProbe(there, turns);
  await watchProbe(back, later(turns));
  const other = JSON.parse(await turns.wait(found)) as Awaited<ReturnType<typeof writeProbe>>;
  const verdict = verdictOf(Math.max(one.longestMs, other.longestMs), [
    ...new Set([...one.faults, ...other.faults]),
  ]);
  await turns.say(judged, JSON.stringify(verdict));
  await turns.wait(read);
  return verdict;
}

/** The side that has taken the probe: first watches, then writes, and learns the verdict. */
async function secondSide(postgres: Postgres, root: string, id: string): Promise<RootVerdict> {
  const turns = await takeProbe(postgres, id);
  if (turns === undefined) throw new VaultError('conflict', 'Another node was faster; try again.');
  const folder = probeFolder(root, id);
  await watchProbe(join(folder, 'there'), turns);
  await turns.say(found, JSON.stringify(await writeProbe(join(folder, 'back'), later(turns))));
  const verdict = JSON.parse(await turns.wait(judged)) as RootVerdict;
  await turns.say(read);
  return verdict;
}

/** The turns of the second half, in which the sides have changed. */
function later(turns: ProbeTurns): ProbeTurns {
  const half = 100;
  return {
    ...turns,
    say: (step, note) => turns.say(half + step, note),
    wait: (step) => turns.wait(half + step),
  };
}

/** Takes the probe of this program, for the second mount. */
async function joinItself(postgres: Postgres, alsoAt: string, id: string): Promise<void> {
  // After a failure the first side waits for the next step in vain, and says so.
  secondSide(postgres, alsoAt, id).catch(() => undefined);
  while ((await offeredProbes(postgres)).includes(id)) await setTimeout(lookMs);
}

/**
 * Waits until another program that sees the same folder takes the offer; then undefined. If there is an
 * earlier offer, this one is withdrawn, and the answer is the earlier one. `onAlone` is called after a
 * moment without another program.
 */
async function earlierOffer(
  postgres: Postgres,
  {
    root,
    own,
    onAlone,
  }: { readonly root: string; readonly own: string; readonly onAlone: () => void },
): Promise<string | undefined> {
  const fromMs = performance.now();
  let isTold = false;
  while (performance.now() < fromMs + waitMs) {
    const offers = await offeredProbes(postgres);
    if (!offers.includes(own)) return undefined;
    const earlier = offers
      .slice(0, offers.indexOf(own))
      .find((id) => existsSync(probeFolder(root, id)));
    if (earlier !== undefined && (await withdrawProbe(postgres, own))) return earlier;
    if (!isTold && performance.now() > fromMs + aloneMs) {
      isTold = true;
      onAlone();
    }
    await setTimeout(lookMs);
  }
  throw new VaultError(
    'timeout',
    'No other node has joined the check. Run the same command on another node at the same time, or give a second mount with --also-at.',
  );
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
/** How long another program is waited for: less than an offer stands, after which it counts as taken. */
const waitMs = offerMs - 5_000;
/** After how long without another program the person is told what is waited for. */
const aloneMs = 1_000;
const aloneText =
  'Waiting for the same command on another node, up to two minutes. With a second mount of the folder on this machine, --also-at does without.\n';
/** How long a new folder may take to be seen through the second mount. */
const thereMs = 5_000;

function verdictOf(longestMs: number, faults: readonly string[]): RootVerdict {
  const settleMs = settleMsOf({ longestMs });
  if (faults.length > 0) return { isGood: false, settleMs, says: `${faults.join('; ')}.` };
  return {
    isGood: true,
    settleMs,
    says: `A change is seen by the other side after ${Math.ceil(longestMs)} ms at most; a removed folder stops whoever still uses it.`,
  };
}

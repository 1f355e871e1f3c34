import { realpath } from 'node:fs/promises';
import { limits } from '../../base/limits.ts';
import { vaultFolders } from '../../node/place/vault-folders.ts';
import { connectLocal, localSocketPath, readFirstLine } from '../../node/server/local-socket.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { consoleHello } from './attach-protocol.ts';

/**
 * Asks the running server of one of these vaults for a link to its console on this machine, and for
 * `others` at its public addresses; only the first that is used works. Undefined when none runs;
 * `reason` says why the one that runs gives none.
 */
export async function askForConsole(
  choices: readonly VaultChoice[],
  { env }: Pick<Shell, 'env'>,
): Promise<
  | { readonly link: string; readonly others: readonly string[] }
  | { readonly reason: string }
  | undefined
> {
  let refused: { readonly reason: string } | undefined;
  for (const { path } of choices) {
    const real = await realpath(path).catch(() => path);
    const folders = vaultFolders(real, env, process.platform);
    const found = await ask(localSocketPath(folders, process.platform));
    if (found !== undefined && 'link' in found) return found;
    refused ??= found;
  }
  return refused;
}

async function ask(path: string): ReturnType<typeof askForConsole> {
  const socket = await connectLocal(path);
  if (socket === undefined) return undefined;
  if (socket === 'busy') return { reason: 'The server cannot be reached now.' };
  socket.write(`${consoleHello}\n`);
  const { helloBytesMax: bytesMax, helloMs: waitMs } = limits;
  const line = await readFirstLine(socket, { bytesMax, waitMs });
  socket.destroy();
  const answer = answerIn(line ?? '');
  if (typeof answer.link === 'string') return { link: answer.link, others: textsIn(answer.others) };
  return { reason: answer.reason ?? 'The server does not answer.' };
}

/** A server of an older version sends none. */
function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function answerIn(line: string): {
  readonly link?: unknown;
  readonly others?: unknown;
  readonly reason?: string;
} {
  try {
    return JSON.parse(line) as ReturnType<typeof answerIn>;
  } catch {
    return {};
  }
}

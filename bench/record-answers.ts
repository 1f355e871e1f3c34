import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchProgram, type PeerName, peerPackages } from './bench-programs.ts';
import { prepareWorld, restoreWorld, type World } from './bench-world.ts';
import { generateVault } from './generate-vault.ts';
import { installPeers } from './install-peers.ts';
import type { Question } from './right-answers.ts';
import { ServerClient } from './server-client.ts';

// `node scripts/run-ts.mjs bench/record-answers.ts` asks the peers every question once on a small
// vault and saves their answers, so that the tests of the benchmark need neither the peers nor a
// network.

/**
 * What is saved of one peer: the required arguments of its tools, and its answer to each question.
 */
export interface RecordedPeer {
  readonly required: Readonly<Record<string, readonly string[]>>;
  readonly answers: Readonly<Partial<Record<Question, string>>>;
}

/** The options of the generated vault. They give the same bytes each time. */
export const recordedVault = { notes: 30, seed: 1 };

const file = fileURLToPath(new URL('../test/bench/peer-answers.json', import.meta.url));

export async function main(): Promise<void> {
  const home = join(realpathSync.native(tmpdir()), `vaultdoor-record-${process.pid}`);
  mkdirSync(home);
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'vault');
  generateVault(folder, recordedVault);
  const world = prepareWorld(folder);
  const names = Object.keys(peerPackages) as PeerName[];
  const recorded: Record<string, RecordedPeer> = {};
  for (const peer of await installPeers(names, { home, say: console.error })) {
    recorded[peer.name] = await recordPeer(peer, world);
  }
  // Some answers contain the path of the temporary folder, which should not be saved.
  const text = JSON.stringify(recorded, null, 2).replaceAll(folder, '/vault');
  writeFileSync(file, `${text}\n`);
}

async function recordPeer({ command, asks }: BenchProgram, world: World): Promise<RecordedPeer> {
  const client = new ServerClient(command(world.folder));
  await client.greet();
  const { tools } = await client.result<{
    tools: readonly { name: string; inputSchema: { required?: readonly string[] } }[];
  }>('tools/list');
  const answers: Partial<Record<Question, string>> = {};
  for (const [question, ask] of Object.entries(asks)) {
    const { text } = await client.call(ask.tool, ask.args(world, 0));
    answers[question as Question] = text ?? '';
  }
  await client.end();
  restoreWorld(world.folder);
  const required = tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]);
  return { required: Object.fromEntries(required), answers };
}

import { mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unpackVault } from '../test/support/unpack-vaults.ts';
import { type PeerName, peerPackages } from './bench-programs.ts';
import { benchTable } from './bench-table.ts';
import { prepareWorld } from './bench-world.ts';
import { generateVault } from './generate-vault.ts';
import { installPeers } from './install-peers.ts';
import { measureVault } from './measure-vault.ts';

// `npm run bench [-- --notes 10000 --vaults generated,garden,blue-book --peers mcpvault,…]`: us
// beside the programs of others and beside what no program can beat, all in one run, all driven by
// the same client. Prints a Markdown table for each vault; nothing is asserted. `--peers none`
// measures ours alone.

const note = `Times are medians from request to answer over stdio. "–": no tool for it. "wrong": the answer lacks what was to be found, or the disk what was to be changed. †: no such tool; a text search for the link in its place. obsidian-mcp runs on Node 22, the others on ${process.version}.`;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '10000' },
      vaults: { type: 'string', default: 'generated,garden,blue-book' },
      peers: { type: 'string', default: Object.keys(peerPackages).join(',') },
    },
  });
  // In small letters: one of the peers knows no other folders.
  const home = join(realpathSync.native(tmpdir()), `vaultdoor-bench-${process.pid}`);
  mkdirSync(home);
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const say = (what: string): void => console.error(`… ${what}`);
  const names = values.peers.split(',').filter((name): name is PeerName => name in peerPackages);
  const peers = await installPeers(names, { home, say });
  for (const name of values.vaults.split(',')) {
    const folder = await vaultNamed(name, { home, notes: Number(values.notes) }).catch(
      (error: Error) => say(`${name} is left out. ${error.message}`),
    );
    if (typeof folder !== 'string') continue;
    const world = prepareWorld(folder);
    const megabytes = (world.bytes / 1e6).toFixed(world.bytes < 1e7 ? 1 : 0);
    const title = `${name}: ${world.notes.toLocaleString('en')} notes, ${megabytes} MB`;
    say(title);
    const table = benchTable(await measureVault(world, { peers, say }));
    console.log(`\n### ${title}\n\n${table}`);
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${note}\n\n${machine()}`);
}

/** Where this was: times of different machines, or of a busy one, say nothing beside each other. */
function machine(): string {
  const [load = 0] = loadavg();
  const [cpu] = cpus();
  const busy = `load average at the end ${load.toFixed(1)}`;
  return `${cpu?.model ?? 'unknown processor'}, ${cpus().length} threads, Node ${process.version}, ${busy}.`;
}

/** The folder of a vault that the bench may change. */
async function vaultNamed(
  name: string,
  { home, notes }: { readonly home: string; readonly notes: number },
): Promise<string> {
  const folder = join(home, name);
  if (name === 'generated') generateVault(folder, { notes });
  else renameSync(await unpackVault(name), folder);
  return folder;
}

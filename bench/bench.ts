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

// `npm run bench [-- --notes 10000 --vaults generated,garden,blue-book --peers mcpvault,…]`
// compares Vaultdoor with peers (programs of other people) and with limits (what no program can
// beat), all in one run and with the same client. It prints a Markdown table for each vault, and
// never fails because of a figure. `--peers none` measures Vaultdoor alone.

const note = `Times are medians from request to answer over stdio. "–": the program has no tool for this. "wrong": the answer does not name what should be found, or the files on disk are not changed as they should be. †: the program has no tool for this, and was asked for a text search for the link instead. obsidian-mcp runs on Node 22, the others on ${process.version}.`;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      notes: { type: 'string', default: '10000' },
      vaults: { type: 'string', default: 'generated,garden,blue-book' },
      peers: { type: 'string', default: Object.keys(peerPackages).join(',') },
    },
  });
  // The path is in lower case, because one of the peers cannot find other folders.
  const home = join(realpathSync.native(tmpdir()), `vaultdoor-bench-${process.pid}`);
  mkdirSync(home);
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const say = (what: string): void => console.error(`… ${what}`);
  const names = values.peers.split(',').filter((name): name is PeerName => name in peerPackages);
  const peers = await installPeers(names, { home, say });
  for (const name of values.vaults.split(',')) {
    const folder = await vaultNamed(name, { home, notes: Number(values.notes) }).catch(
      (error: Error) => say(`the vault ${name} is left out: ${error.message}`),
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

/** Describes the machine and its load, because times can be compared only on one quiet machine. */
function machine(): string {
  const [load = 0] = loadavg();
  const [cpu] = cpus();
  const busy = `load average at the end ${load.toFixed(1)}`;
  return `${cpu?.model ?? 'unknown processor'}, ${cpus().length} threads, Node ${process.version}, ${busy}.`;
}

/** Makes a vault that the benchmark may change, and returns its folder. */
async function vaultNamed(
  name: string,
  { home, notes }: { readonly home: string; readonly notes: number },
): Promise<string> {
  const folder = join(home, name);
  if (name === 'generated') generateVault(folder, { notes });
  else renameSync(await unpackVault(name), folder);
  return folder;
}

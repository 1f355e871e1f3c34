import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BenchProgram, type PeerName, peer, peerPackages } from './bench-programs.ts';

const script = fileURLToPath(new URL('../scripts/install-packages.mjs', import.meta.url));

/** Installs the peers, and returns those that could be installed. Says which could not, and why. */
export async function installPeers(
  names: readonly PeerName[],
  { home, say }: { readonly home: string; readonly say: (what: string) => void },
): Promise<readonly BenchProgram[]> {
  const peers: BenchProgram[] = [];
  for (const name of names) {
    const wanted = peerPackages[name];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [script, wanted]);
      const { modules, newerNode } = JSON.parse(stdout) as {
        modules: Record<string, string>;
        newerNode: string;
      };
      // obsidian-mcp needs Node 22; for Node 20, npm would install an older version of it.
      const node = name === 'obsidian-mcp' ? newerNode : process.execPath;
      peers.push(peer(name, { modules: modules[wanted] ?? '', node }, join(home, name)));
    } catch (error) {
      const [reason] = String((error as { stderr?: string }).stderr || error).split('\n');
      say(`${wanted} is left out: ${reason}`);
    }
  }
  return peers;
}

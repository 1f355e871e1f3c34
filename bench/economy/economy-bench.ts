// `npm run bench:economy`: what everyday tasks cost a model, in calls, bytes and tokens, with our
// toolset `notes` and with two other servers. `--ours` leaves the others out, `--long` shows the
// longest answer of each task, and `--each` opens a connection for each vault instead of one for all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPeers } from '../install-peers.ts';
import type { Command } from '../server-client.ts';
import { vaultdoorCommand } from '../stdio-client.ts';
import { type Column, economyTable, type Result } from './economy-table.ts';
import { mcpvaultScripts } from './mcpvault-script.ts';
import { obsidianMcpScripts } from './obsidian-mcp-script.ts';
import type { Scripts } from './script.ts';
import { Session } from './session.ts';
import { tasks } from './tasks.ts';
import { vaultdoorScripts } from './vaultdoor-script.ts';
import { makeWorld, type VaultName, vaultNames, type World } from './world.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const shared = resolve(repository, process.env['VAULTDOOR_SHARED'] ?? '../shared');
const words = new Set(process.argv.slice(2));
const homes = mkdtempSync(join(tmpdir(), 'vaultdoor-economy-homes-'));

interface Program {
  readonly name: string;
  readonly scripts: Scripts;
  readonly isNotYet?: (said: string) => boolean;
  /** Starts the server of a vault; vaults with the same key share a connection. */
  readonly connect: (world: World, vault: VaultName) => { key: string; command: Command };
  /** Whether calls name their vault. */
  readonly namesVault: boolean;
}

function vaultdoor(): Program {
  const isOne = !words.has('--each');
  return {
    name: 'vaultdoor',
    scripts: vaultdoorScripts,
    isNotYet: (said) => said.includes('still being indexed'),
    namesVault: isOne,
    connect: ({ folders }, vault) => {
      const one = vaultdoorCommand(folders[vault], join(homes, 'vaultdoor'), 'notes');
      if (!isOne) return { key: vault, command: one };
      const args = one.args.slice(0, -2);
      for (const name of vaultNames) args.push('--vault', `${name}=${folders[name]}`);
      return { key: '', command: { ...one, args } };
    },
  };
}

async function peers(): Promise<readonly Program[]> {
  const names = ['mcpvault', 'obsidian-mcp'] as const;
  const installed = await installPeers(names, { home: homes, say: (what) => console.error(what) });
  return installed.map(({ name, command }) => ({
    name,
    scripts: name === 'mcpvault' ? mcpvaultScripts : obsidianMcpScripts,
    namesVault: name !== 'mcpvault',
    connect: ({ folders }: World, vault: VaultName) => {
      const one = command(folders[vault]);
      if (name === 'mcpvault') return { key: vault, command: one };
      const args = one.args.slice(0, -2);
      for (const each of vaultNames) args.push('--vault', `${each}=${folders[each]}`);
      return { key: '', command: { ...one, args } };
    },
  }));
}

/** Runs all tasks with one program, on copies of the vaults of its own. */
async function run(program: Program): Promise<Column> {
  const world = makeWorld({ shared, example: join(repository, 'examples', 'vault') });
  const session = new Session({
    connect: (vault) => program.connect(world, vault as VaultName),
    ...(program.isNotYet === undefined ? {} : { isNotYet: program.isNotYet }),
  });
  const results = new Map<string, Result | undefined>();
  try {
    for (const { id, vault, title, check } of tasks) {
      const script = program.scripts[id];
      if (script === undefined) {
        results.set(id, undefined);
        continue;
      }
      const inVault = (args: object): object => (program.namesVault ? { vault, ...args } : args);
      const wrong = await script({
        call: (tool, args) => {
          // The one tool that is about no vault.
          const given = tool === 'obsidian_list_vaults' ? args : inVault(args);
          return session.call(vault, tool, given);
        },
        ask: (tool, args) => session.ask(vault, tool, inVault(args)),
        today: world.today,
      }).then(
        (told) => check(world, told),
        (error: unknown) => `the script failed: ${String(error)}`,
      );
      const { cost, longest } = session.taken();
      results.set(id, { cost, wrong });
      const { calls, bytes, tokens } = cost;
      console.error(
        `${program.name} ${id} ${title}: ${calls}/${bytes}/${tokens} ${wrong === undefined ? '✓' : `✗ ${wrong}`}`,
      );
      if (words.has('--long') && longest !== undefined) {
        console.error(`  ${longest.tool} (${longest.bytes})\n  ${longest.text.slice(0, 1_500)}`);
      }
    }
  } finally {
    await session.end();
    rmSync(dirname(world.folders.example), { recursive: true, force: true });
  }
  return { name: program.name, fixed: session.fixed, results };
}

const columns: Column[] = [await run(vaultdoor())];
if (!words.has('--ours')) for (const peer of await peers()) columns.push(await run(peer));
rmSync(homes, { recursive: true, force: true });
console.log(`Calls/bytes/tokens.\n\n${economyTable(tasks, columns)}`);

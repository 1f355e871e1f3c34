import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesIn, linksIn, textOf } from './vault-facts.ts';

/** The vaults of the tasks: those that are shared between tests, and the example vault. */
export const vaultNames = [
  'blue-book',
  'example',
  'tasks-demo',
  'astrowiki',
  'knowledge-garden-zh',
  'kepano',
  'garden',
] as const;
export type VaultName = (typeof vaultNames)[number];

/** The copies of the vaults that one program works on, and what they were like before. */
export interface World {
  readonly folders: Readonly<Record<VaultName, string>>;
  /** The day of the run, e.g. `2026-11-17`. */
  readonly today: string;
  /** The texts of all notes and canvases before, and where their links led. */
  before(vault: VaultName): {
    readonly texts: ReadonlyMap<string, string>;
    readonly links: ReturnType<typeof linksIn>;
  };
  /** What the oracle knows: the link graph that the app itself made of `tasks-demo`. */
  readonly graph: Readonly<Record<'resolvedLinks' | 'unresolvedLinks', string>>;
}

/** Notes of the example vault that were changed lately: how many days ago. All others are old. */
export const lately: Readonly<Record<string, number>> = {
  'Areas/Money.md': 1,
  'People/Grandma Vera.md': 3,
  'Recipes/Miso soup.md': 6,
};
const old = new Date('2025-03-01T12:00:00Z');
const dayMs = 24 * 60 * 60_000;

/** Pairs of notes that are put into `garden`: the first two are the same, the others nearly. */
export const planted: readonly (readonly [string, string])[] = [
  ['bench walk notes.md', 'old/bench walk notes copy.md'],
  ['bench tea.md', 'old/bench tea again.md'],
  ['bench rivers.md', 'old/bench rivers draft.md'],
];

const paragraph = (topic: string): string =>
  Array.from(
    { length: 12 },
    (_, n) =>
      `In part ${n} about ${topic} we saw ${n * 7} herons near mile ${n + 3}, and wrote down why the ${topic} of chapter ${n} matter.`,
  ).join('\n\n');

/** Copies every vault into a folder of its own. */
export function makeWorld(options: { readonly shared: string; readonly example: string }): World {
  const root = mkdtempSync(join(tmpdir(), 'vaultdoor-economy-'));
  const folders = Object.fromEntries(vaultNames.map((name) => [name, join(root, name)])) as Record<
    VaultName,
    string
  >;
  for (const name of vaultNames) {
    if (name === 'example') cpSync(options.example, folders.example, { recursive: true });
    else {
      const archive = join(options.shared, 'vaults', `${name}.tar.gz`);
      if (!existsSync(archive)) {
        throw new Error(`${archive} is missing. Set VAULTDOOR_SHARED to the folder with vaults/.`);
      }
      execFileSync('tar', ['-xzf', archive, '-C', root]);
    }
    // One of the peers accepts only folders that contain ".obsidian".
    mkdirSync(join(folders[name], '.obsidian'), { recursive: true });
  }
  plantPairs(folders.garden);
  setTimes(folders.example);
  const known = new Map<VaultName, ReturnType<World['before']>>();
  for (const name of ['example', 'astrowiki', 'kepano'] as const) {
    const files = filesIn(folders[name], ['.md', '.canvas']);
    const texts = new Map(files.map((path) => [path, textOf(folders[name], path)]));
    known.set(name, { texts, links: linksIn(folders[name]) });
  }
  const oracle = join(options.shared, 'obsidian', 'oracle', 'metadataCache');
  return {
    folders,
    today: localDay(Date.now()),
    before: (vault) => known.get(vault) ?? { texts: new Map(), links: new Map() },
    graph: {
      resolvedLinks: join(oracle, 'resolvedLinks.json'),
      unresolvedLinks: join(oracle, 'unresolvedLinks.json'),
    },
  };
}

/** The day of a time in the time zone of this machine. */
export function localDay(timeMs: number): string {
  const at = new Date(timeMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function plantPairs(folder: string): void {
  mkdirSync(join(folder, 'old'), { recursive: true });
  for (const [index, [one, other]] of planted.entries()) {
    const text = `# ${one.slice(0, -3)}\n\n${paragraph(one.slice(6, -3))}\n`;
    writeFileSync(join(folder, one), text);
    const near = text.replace('mile 5', 'mile 55').replace('21 herons', 'two dozen herons');
    writeFileSync(join(folder, other), index === 0 ? text : near);
  }
}

function setTimes(folder: string): void {
  for (const path of filesIn(folder, [''])) {
    const days = lately[path];
    const time = days === undefined ? old : new Date(Date.now() - days * dayMs + 60_000);
    utimesSync(join(folder, path), time, time);
  }
}

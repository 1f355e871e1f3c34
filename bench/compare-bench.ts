// `npm run bench:compare` asks Vaultdoor and its peers to do ordinary things in a small vault, looks at
// the files afterwards, and prints the table of docs/compare.md. Every cell is what was seen in this
// run.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BenchProgram, type PeerName, vaultdoor } from './bench-programs.ts';
import { installPeers } from './install-peers.ts';
import { ServerClient } from './server-client.ts';

const alpha = `---
# How this project is doing
title: "Alpha: the first"
tags: [project, work/active]
count: 007
---
# Alpha

## Goals

Text. ^block
`;

/** The small vault that every program gets anew for each row. The accent of Café is a mark of its own. */
const files: Readonly<Record<string, string>> = {
  '.obsidian/app.json': '{}',
  'Projects/Alpha.md': alpha,
  'Daily/Day.md':
    '[[Alpha]], [[Alpha#Goals]], [[Alpha#^block|the text]], [Alpha](../Projects/Alpha.md) and `[[Alpha]]`.\n',
  'Cafe\u0301.md': 'Espresso.\n',
  'Board.canvas':
    '{"nodes":[{"id":"a","type":"file","file":"Projects/Alpha.md","x":0,"y":0,"width":400,"height":400}],"edges":[]}',
};

/** A call of a tool; undefined where a program has no tool for it. */
type Call = readonly [tool: string, args: object] | undefined;

/** The calls of one program. */
interface Calls {
  readonly read: (path: string) => Call;
  /** Sets the property `status` of Alpha, or where a program can only change tags, adds one. */
  readonly set: Call;
  readonly rename: Call;
  readonly remove: Call;
  /** Replaces the text of a note by what is not what another program has just written there. */
  readonly replace: Call;
  readonly undo: Call;
}

const inVault = (args: object): object => ({ vault: 'bench', ...args });
const added = 'status: done';

const calls: Readonly<Record<'vaultdoor' | PeerName, (folder: string) => Calls>> = {
  vaultdoor: () => ({
    read: (name) => ['read_note', { name }],
    set: ['set_frontmatter', { name: 'Alpha', key: 'status', value: 'done' }],
    rename: ['rename_note', { old_name: 'Alpha', new_name: 'Beta' }],
    remove: ['delete_note', { name: 'Alpha' }],
    replace: ['update_note', { name: 'Day', content: 'New.\n' }],
    undo: ['undo_change', {}],
  }),
  mcpvault: () => ({
    read: (path) => ['read_note', { path }],
    set: ['update_frontmatter', { path: 'Projects/Alpha.md', frontmatter: { status: 'done' } }],
    rename: ['move_note', { oldPath: 'Projects/Alpha.md', newPath: 'Projects/Beta.md' }],
    remove: ['delete_note', { path: 'Projects/Alpha.md', confirmPath: 'Projects/Alpha.md' }],
    replace: ['write_note', { path: 'Daily/Day.md', content: 'New.\n' }],
    undo: undefined,
  }),
  'obsidian-mcp': () => ({
    read: (path) => ['obsidian_read_note', inVault({ path })],
    set: undefined,
    rename: [
      'obsidian_move_note',
      inVault({ source: 'Projects/Alpha.md', destination: 'Projects/Beta.md' }),
    ],
    remove: ['obsidian_delete_note', inVault({ path: 'Projects/Alpha.md' })],
    replace: [
      'obsidian_edit_note',
      inVault({ path: 'Daily/Day.md', operation: 'replace', content: 'New.\n' }),
    ],
    undo: undefined,
  }),
  'mcp-obsidian': () => ({
    read: (path) => ['read_notes', { paths: [path] }],
    set: undefined,
    rename: undefined,
    remove: undefined,
    replace: undefined,
    undo: undefined,
  }),
  filesystem: (folder) => ({
    read: (path) => ['read_text_file', { path: join(folder, path) }],
    set: undefined,
    rename: [
      'move_file',
      { source: join(folder, 'Projects/Alpha.md'), destination: join(folder, 'Projects/Beta.md') },
    ],
    remove: undefined,
    replace: ['write_file', { path: join(folder, 'Daily/Day.md'), content: 'New.\n' }],
    undo: undefined,
  }),
};

/** What a row needs: the vault's folder, its files, and the running program. */
interface Scene {
  readonly calls: Calls;
  readonly call: (call: Exclude<Call, undefined>) => Promise<string | undefined>;
  readonly text: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  readonly all: () => string;
}

type Row = readonly [what: string, see: (scene: Scene) => Promise<string>];

const yes = (holds: boolean): string => (holds ? 'yes' : '**no**');

const rows: readonly Row[] = [
  [
    'finds `Café` whichever way its accent is stored',
    async ({ calls: { read }, call }) => {
      const asked = read('Caf\u00e9.md');
      return asked === undefined ? '–' : yes((await call(asked))?.includes('Espresso') === true);
    },
  ],
  [
    'sets a property and leaves the others as they are typed',
    async ({ calls: { set }, call, text }) => {
      if (set === undefined) return '–';
      await call(set);
      const after = text('Projects/Alpha.md');
      return yes(after.includes(added) && after.replace(`${added}\n`, '') === alpha);
    },
  ],
  [
    'a rename updates the links: wikilinks, Markdown link, canvas',
    async ({ calls: { rename }, call, text }) => {
      if (rename === undefined) return '–';
      await call(rename);
      const [day, board] = [text('Daily/Day.md'), text('Board.canvas')];
      const followed = [
        /\[\[(Projects\/)?Beta(\|Alpha)?\]\]/.test(day),
        /\[\[(Projects\/)?Beta#Goals/.test(day),
        /\[\[(Projects\/)?Beta#\^block\|the text\]\]/.test(day),
        /\]\((\.\.\/Projects\/)?Beta\.md\)/.test(day),
        board.includes('Projects/Beta.md'),
      ].filter(Boolean).length;
      const isCodeKept = day.includes('`[[Alpha]]`');
      return followed === 5 && isCodeKept ? 'all 5' : `${followed} of 5`;
    },
  ],
  [
    'the text of a deleted note is kept',
    async ({ calls: { remove }, call, all }) => {
      if (remove === undefined) return '–';
      await call(remove);
      return yes(all().includes('How this project is doing'));
    },
  ],
  [
    'refuses to overwrite what another program has written since it read the note',
    async ({ calls: { read, replace }, call, text, write }) => {
      if (replace === undefined) return '–';
      const asked = read('Daily/Day.md');
      if (asked !== undefined) await call(asked);
      write('Daily/Day.md', 'Written by hand.\n');
      await call(replace);
      return yes(text('Daily/Day.md').includes('Written by hand.'));
    },
  ],
  [
    'undoes a change when asked',
    async ({ calls: { rename, undo }, call, text }) => {
      if (rename === undefined) return '–';
      if (undo === undefined) return '**no**';
      await call(rename);
      await call(undo);
      return yes(
        text('Projects/Alpha.md') === alpha && text('Daily/Day.md') === files['Daily/Day.md'],
      );
    },
  ],
];

async function see(program: BenchProgram, [, look]: Row): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  const path = (file: string): string => join(folder, file);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const client = new ServerClient(program.command(folder));
  await client.greet();
  const name = program.name as keyof typeof calls;
  const text = (file: string): string =>
    existsSync(path(file)) ? readFileSync(path(file), 'utf8') : '';
  try {
    return await look({
      calls: calls[name](folder),
      call: async ([tool, args]) => (await client.call(tool, args)).text,
      text,
      write,
      all: () =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
          .join('\n'),
    });
  } finally {
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

const home = mkdtempSync(join(tmpdir(), 'compare-home-'));
const say = (what: string): void => void process.stderr.write(`${what}\n`);
const peers = await installPeers(['mcpvault', 'obsidian-mcp', 'mcp-obsidian', 'filesystem'], {
  home,
  say,
});
const programs = [vaultdoor(join(home, 'vaultdoor')), ...peers];
const table = [['', ...programs.map(({ name }) => name)], programs.map(() => '---').concat('---')];
for (const row of rows) {
  const cells: string[] = [];
  for (const program of programs) cells.push(await see(program, row));
  table.push([row[0], ...cells]);
}
process.stdout.write(table.map((cells) => `| ${cells.join(' | ')} |\n`).join(''));
rmSync(home, { recursive: true, force: true });

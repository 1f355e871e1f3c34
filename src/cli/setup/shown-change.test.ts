import { expect, it } from 'vitest';
import { paintFor } from '../shell/terminal.ts';
import { changeText, otherCommand, otherName } from './shown-change.ts';

const client = { section: 'mcpServers' } as const;
const paint = paintFor({ isTTY: false }, {});
const ours = (...flags: readonly string[]) => ({
  command: '/usr/bin/node',
  args: ['/opt/vaultdoor.js', 'stdio', ...flags],
  env: { OBSIDIAN_VAULT_PATH: '/home/you/Notes', KEY: 'a secret' },
});
const other = { command: 'npx', args: ['-y', '@bitbonsai/mcpvault@latest', '/home/you/Notes'] };

function lines(before: object | undefined, after: object | undefined): readonly string[] {
  const text = (value: object): string => JSON.stringify(value);
  const shown = changeText(
    {
      file: { path: 'x.json', real: 'x.json', ...(before ? { text: text(before) } : {}) },
      plan: {
        text: after ? text(after) : '',
        entries: [],
        ...(after ? {} : { removesFile: true }),
      },
    },
    client,
    paint,
  );
  return shown
    .split('\n')
    .slice(2, -1)
    .map((line) => line.slice(2));
}

const added = [
  '+ "vaultdoor": {',
  '+   "command": "/usr/bin/node",',
  '+   "args": [',
  '+     "/opt/vaultdoor.js",',
  '+     "stdio"',
  '+   ],',
  '+   "env": {',
  '+     "OBSIDIAN_VAULT_PATH": "/home/you/Notes",',
  '+     "KEY": "…"',
  '+   }',
  '+ }',
];

it.each<readonly [string, object | undefined, object | undefined, readonly string[]]>([
  ['a new file', undefined, { mcpServers: { vaultdoor: ours() } }, added],
  [
    'a file on one line, with settings of the app and another server',
    { globalShortcut: 'Ctrl+A', mcpServers: { obsidian: other } },
    { globalShortcut: 'Ctrl+A', mcpServers: { obsidian: other, vaultdoor: ours() } },
    added,
  ],
  [
    'another right',
    { mcpServers: { vaultdoor: ours() } },
    { mcpServers: { vaultdoor: ours('--propose') } },
    ['+     "--propose"'],
  ],
  [
    'another server that is taken out',
    { mcpServers: { obsidian: other, vaultdoor: ours() } },
    { mcpServers: { vaultdoor: ours() } },
    ['- "obsidian": { … }'],
  ],
  [
    'a file that is removed',
    { mcpServers: { vaultdoor: ours() } },
    undefined,
    added.map((line) => line.replace('+', '-')),
  ],
])('only what is added and taken out is shown, a line for each value: %s', (_, from, to, shown) => {
  expect(lines(from, to)).toEqual(shown);
});

it('the signs are explained above the lines, and only those that occur', () => {
  const file = { path: 'x.json', real: 'x.json' };
  const plan = { text: JSON.stringify({ mcpServers: { vaultdoor: ours() } }), entries: [] };
  expect(changeText({ file, plan }, client, paint)).toBe(
    `Lines with + are added:\n\n${added.map((line) => `  ${line}\n`).join('')}`,
  );
});

it.each([
  [other, '"obsidian" (mcpvault)'],
  [
    { command: 'C:\\node\\npx.cmd', args: ['obsidian-mcp', 'C:\\Notes'] },
    '"obsidian" (obsidian-mcp)',
  ],
  [
    { command: 'npx', args: ['-y', '@mauricio.wolff/mcp-obsidian@latest', '/home/you/Notes'] },
    '"obsidian" (mcpvault, by its former name)',
  ],
  [{ command: 'npx', args: ['mcp-obsidian', '/home/you/Notes'] }, '"obsidian" (mcp-obsidian)'],
  [{ command: 'npx', args: ['/home/you/secret/place'] }, '"obsidian"'],
  [{ command: 'node', args: ['key=secret'] }, '"obsidian"'],
  ['no object', '"obsidian"'],
])('another server is called by its package: %j', (entry, name) => {
  const text = JSON.stringify({ mcpServers: { obsidian: entry } });
  expect(otherName(text, 'obsidian', client)).toBe(name);
});

it.each<readonly [object, string]>([
  [other, 'npx -y @bitbonsai/mcpvault@latest /home/you/Notes'],
  [
    { command: '/usr/bin/node', args: ['/opt/server.js', '--key', 'sk-1', '--port=1', 'word'] },
    '/usr/bin/node /opt/server.js --key … --port=… …',
  ],
  [{ command: 'uvx', args: ['--from', 'tool', '-ksecret'] }, 'uvx --from tool …'],
  [{ command: 'mcp-server' }, 'mcp-server'],
])('shows the command line of %j without what may be secret', (entry, shown) => {
  const text = JSON.stringify({ mcpServers: { obsidian: entry } });
  expect(otherCommand(text, 'obsidian', client)).toBe(shown);
});

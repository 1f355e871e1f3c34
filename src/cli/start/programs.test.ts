import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Shell } from '../shell/shell.ts';
import { programs } from './programs.ts';
import { run } from './run.ts';

/** Runs a command that ends before a vault is opened, and answers all that it prints. */
async function printed(argv: readonly string[], env: Shell['env'] = {}): Promise<string> {
  const out = new PassThrough();
  const code = await run({
    argv,
    env,
    currentFolder: '/',
    stdin: new PassThrough() as unknown as Shell['stdin'],
    stdout: out as unknown as Shell['stdout'],
    stderr: out as unknown as Shell['stderr'],
    version: '1.2.3',
    entryFile: '/nonexistent',
    signal: new AbortController().signal,
  });
  // Windows puts a drive before a path, and backslashes into it.
  const text = String(out.read() ?? '').replace(/"(?:[A-Z]:)?(\\[^"]*)"/g, (_, path) => {
    return `"${path.replaceAll('\\', '/')}"`;
  });
  return `${text}[exit ${code}]`;
}

const file = fileURLToPath(import.meta.url);
const noAddress = 'This machine has no address "203.0.113.7". Give HOST one that it has: 127.0.0.1';

it('the help lists every program', async () => {
  const help = await printed(['--help']);
  expect(programs.filter(({ usage }) => !help.includes(`\n  ${usage} `))).toEqual([]);
});

it('the help begins with what a new user and an everyday user need', async () => {
  const help = await printed(['--help']);
  const at = (text: string): number => help.slice(0, help.indexOf(text)).split('\n').length;
  expect(at('New here? "vaultdoor setup"')).toBeLessThan(5);
  for (const name of ['setup', 'search', 'history', 'undo', 'doctor']) {
    expect(at(`\n  ${name} `), name).toBeLessThan(at('\nReading:'));
  }
  expect(help.match(/^ {2}undo /gm)).toHaveLength(1);
});

it.each(programs.map(({ name }) => name))('%s has a help of its own', async (name) => {
  const help = await printed(['help', name]);
  expect(help).toMatch(new RegExp(`^Usage: vaultdoor ${name}\\b[\\s\\S]*\\n\\[exit 0\\]$`));
  expect(await printed([name, '--help'])).toBe(help);
  const [options = '', examples = ''] = help.split('\nExamples:\n');
  const lines = examples.split('\n').filter((line) => /^ {2}\S/.test(line));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line).toMatch(new RegExp(`vaultdoor ${name}\\b`));
    // What stands after " -- " are options of "vaultdoor stdio".
    const [own = ''] = line.split(' -- ');
    for (const [flag] of own.matchAll(/(?<= )--[a-z-]+/g)) expect(options, line).toContain(flag);
  }
});

it.each([
  [
    ['stdio'],
    { HOME: '/nonexistent' },
    'No vault: give --vault <folder>, or set OBSIDIAN_VAULT_PATH',
    2,
  ],
  [
    ['stdio'],
    { VAULT_PATH: '/nonexistent' },
    'The vault "/nonexistent" cannot be opened: it does',
    3,
  ],
  [['--vault', file, 'stdio'], {}, /^vaultdoor: The vault ".*" cannot be opened: it is not a/, 3],
  [['stdio', '--frob'], { VAULT_PATH: '/' }, 'There is no option "--frob"', 2],
  [
    ['serve'],
    { HOME: '/nonexistent' },
    'No vault: give --vault <folder>, or set VAULT_PATH or OBSIDIAN_VAULT_PATH to',
    2,
  ],
  ...['serve', 'stdio', 'token list', 'list', 'install cursor --write'].map(
    (words) =>
      [
        words.split(' '),
        { HOME: '/', VAULT_PATH: '/usr', OBSIDIAN_VAULT_PATH: '/etc' },
        /^serve|^token/.test(words)
          ? 'VAULT_PATH ("/usr") and OBSIDIAN_VAULT_PATH ("/etc") lead to different folders; give'
          : 'OBSIDIAN_VAULT_PATH ("/etc") and VAULT_PATH ("/usr") lead to different folders; give',
        2,
      ] as const,
  ),
  [
    ['stdio', '--wait-for-vault'],
    { VAULT_PATH: '/usr', OBSIDIAN_VAULT_PATH: '/etc' },
    'OBSIDIAN_VAULT_PATH ("/etc") and VAULT_PATH ("/usr") lead to different folders',
    2,
  ],
  [['serve'], { VAULT_PATH: '/', PORT: 'http' }, 'PORT takes a number up to 65535.', 2],
  [['serve', '--port=x'], { VAULT_PATH: '/', PORT: 'y' }, '"--port" takes a number up to', 2],
  [
    ['serve'],
    { VAULTDOOR_AUTH: 'x' },
    'VAULTDOOR_AUTH must be one of auto, token, none, proxy.',
    2,
  ],
  [
    ['serve', '--public-url=https://a.example'],
    { VAULT_PATH: '/usr', VAULTDOOR_AUTH: 'none' },
    'With VAULTDOOR_AUTH none and --public-url, everybody who knows the address could read',
    2,
  ],
  [['serve'], { VAULT_PATH: '/usr', HOST: '203.0.113.7', VAULTDOOR_AUTH: 'none' }, noAddress, 6],
  [
    ['serve', '--vault=/usr'],
    { VAULTDOOR_ALLOW_HOST: 'a b' },
    '"a?b" is not a host. VAULTDOOR_',
    2,
  ],
  [['serve', '--vault=/usr'], { VAULTDOOR_PUBLIC_URL: 'x' }, '"x" is not the address of a web', 2],
  [['serve'], { VAULTDOOR_SYNC: 'x' }, 'VAULTDOOR_SYNC must be one of pull, push, bisync.', 2],
  [['serve'], { VAULTDOOR_SYNC: 'pull' }, 'VAULTDOOR_SYNC and "--sync-remote" must be given', 2],
  [
    ['serve', '--sync=pull'],
    { VAULTDOOR_SYNC_REMOTE: '-x' },
    'VAULTDOOR_SYNC_REMOTE cannot begin with a dash.',
    2,
  ],
  [['serve'], { VAULTDOOR_ADR_PUBLISH: 'x' }, 'VAULTDOOR_ADR_PUBLISH must be one of commit,', 2],
  [['serve'], { VAULTDOOR_READ_ONLY: 'x' }, 'VAULTDOOR_READ_ONLY must be true or false.', 2],
  [
    ['serve', '--vault=/usr'],
    { VAULTDOOR_ADR_REPO: '/nonexistent' },
    'VAULTDOOR_ADR_REPO: "/nonexistent" does not exist; it takes the folder of a git checkout.',
    3,
  ],
  [
    ['serve', '--vault=/usr', `--adr-repo=${file}`],
    {},
    /^vaultdoor: --adr-repo: ".*" is not a folder; it takes/,
    2,
  ],
  [
    ['serve', '--vault=/usr', '--bridge'],
    { VAULTDOOR_BRIDGE_TOKEN: 'short', PORT: '0' },
    'The token of Bridge v1 (VAULTDOOR_BRIDGE_TOKEN) must have',
    2,
  ],
  [['bridge'], { OBSIDIAN_MCP_API_KEY: 'a b' }, 'The key (OBSIDIAN_MCP_API_KEY) must consist', 2],
  [['serve'], { VAULT_PATH: '/nonexistent' }, 'The vault "/nonexistent" cannot be opened: it', 3],
  [
    ['serve', '--vault', '/', '--vault', '/usr', '--sync', 'pull', '--sync-remote', 'x:'],
    {},
    '"--sync" works with one vault only; serve the others without it.',
    2,
  ],
  [['bridge', '--url', 'here'], {}, '"here" is not the address of a server. Give an', 2],
  [['bridge', '--key-file', '/nonexistent'], {}, '--key-file: "/nonexistent" does not exist.', 3],
  [['daemon'], { HOME: '/' }, '"--vault-root" is missing: the folder of your notes.', 2],
  [['daemon', '--vault-root=/nonexistent'], { HOME: '/' }, 'The vault "/nonexistent" cannot be', 2],
  [['daemon', '--vault-root=/usr'], {}, 'HOME is not set, so there are no default paths; give', 1],
  [
    ['remote', 'frob'],
    { HOME: '/' },
    '"remote" must be followed by ls, cat, put, watch or info.',
    2,
  ],
  [['remote', 'info'], { HOME: '/nonexistent' }, 'No daemon has left a token in "/nonexistent', 6],
  [
    ['token', 'list'],
    { HOME: '/nonexistent' },
    'No vault: give --vault <folder>, or set VAULT_PATH or OBSIDIAN_VAULT_PA',
    2,
  ],
  [
    ['token', 'frob'],
    { VAULT_PATH: '/' },
    '"token" must be followed by create, list or revoke.',
    2,
  ],
] as const)('%j with %j does not start', async (argv, env, message, code) => {
  const text = await printed(argv, env);
  if (message instanceof RegExp) expect(text).toMatch(message);
  else expect(text.startsWith(`vaultdoor: ${message}`), text).toBe(true);
  expect(text.match(/\n/g)).toHaveLength(1);
  expect(text.endsWith(`[exit ${code}]`), text).toBe(true);
});

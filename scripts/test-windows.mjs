// Tries the built program on Windows as a person would: commands, names that Windows does not allow,
// a rename and its undo, `install` and what it wrote, a server. On Linux it runs itself under Wine
// with a Node for Windows. Wine is not Windows: the last lines say what it cannot show.
// The unit tests under Wine: test-windows-units.mjs.
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectClient } from './mcp-client.mjs';
import {
  check,
  exampleVault,
  repository,
  run,
  serveWords,
  startServer,
  temporaryHome,
} from './outside-programs.mjs';
import { nodeInWine } from './wine.mjs';

if (process.platform === 'win32') await tryEverything();
else await runUnderWine();

async function runUnderWine() {
  const node = await nodeInWine();
  const output = join(temporaryHome('wine').home, 'output.txt');
  const code = await node.run([import.meta.filename], { output });
  process.stdout.write(readFileSync(output, 'utf8'));
  process.exitCode = code ?? 1;
}

async function tryEverything() {
  const { home } = temporaryHome('windows');
  const roaming = join(home, 'AppData', 'Roaming');
  const env = { ...process.env, USERPROFILE: home, APPDATA: roaming, NO_COLOR: '1' };
  const vault = exampleVault(join(home, 'My Notes'));
  const program = join(repository, 'dist', 'vaultdoor.js');
  const vaultdoor = (...words) =>
    run(process.execPath, [program, ...words, '--vault', vault], { env });
  const textOf = (...names) => readFileSync(join(vault, ...names), 'utf8');

  /** Runs a command; it must end with this exit code, and print this. */
  const expectRun = async (words, code, says = '') => {
    const answer = await vaultdoor(...words);
    const holds = answer.code === code && (answer.stdout + answer.stderr).includes(says);
    check(`vaultdoor ${words.join(' ')}`, holds, answer);
  };

  await expectRun(['search', 'greenhouse'], 0, 'Projects/Greenhouse/Greenhouse.md');
  await expectRun(['read', 'PROJECTS/bike SHED'], 0, '# Bike shed');
  await expectRun(['read', 'Projects\\Bike shed'], 5, 'never a backslash');
  const before = textOf('Organizations', 'Velo Club Tarnford.md');
  await expectRun(['rename', 'Bike shed', 'Bike house'], 0, '2 links updated in 2 files');
  const after = textOf('Organizations', 'Velo Club Tarnford.md');
  check(
    'the rename is on disk',
    after === before.replace('[[Bike shed]]', '[[Bike house]]'),
    after,
  );
  await expectRun(['undo'], 0, 'Projects/Bike house.md -> Projects/Bike shed.md');
  const undone = textOf('Organizations', 'Velo Club Tarnford.md');
  check('the undo is on disk', undone === before, undone);
  await expectRun(['delete', 'Swifts'], 0, '.trash/Swifts.md');
  await expectRun(['undo'], 0, 'brought back Notes/Swifts.md');
  for (const name of ['a:b', 'a?b', 'a|b', 'CON', 'com1.txt', 'x\\y', 'NUL/x', 'dots./x']) {
    await expectRun(['create', name, 'text'], 2, 'A new name cannot');
  }
  await expectRun(['create', 'HOME', 'text'], 4, 'There is already "Home.md"');
  await expectRun(['read', 'home.md'], 0, '# Home');
  await expectRun(['append', 'home.md', 'text'], 0, 'changed Home.md');
  await expectRun(['undo'], 0, 'Home.md');
  await expectRun(['create', 'ünï 日本', 'text'], 0, 'created ünï 日本.md');
  check('it has its name on disk', readdirSync(vault).includes('ünï 日本.md'), readdirSync(vault));
  const node = [
    '--vaults-root',
    home,
    '--cluster-secret-file',
    's',
    '--node-address',
    'http://h:1',
  ];
  await expectRun(['serve', '--cluster', 'postgres://h/d', ...node], 2, 'needs Linux or macOS');

  await expectRun(['check'], 0, 'the index equals one built from scratch');

  await tryInstalled(vaultdoor, { roaming, vault, env });
  const server = await startServer(serveWords('--vault', vault), env);
  const found = await callTool(server.url, 'note_read', { path: 'Notes/Swallows.md' });
  check('the server reads the renamed note', found.includes('nineteen swifts'), found);
  await server.stop();
  tellLimits(home);
}

/** Installs into Claude Desktop's file, and starts what it says, as Claude Desktop would. */
async function tryInstalled(vaultdoor, { roaming, vault, env }) {
  mkdirSync(join(roaming, 'Claude'), { recursive: true });
  const file = join(roaming, 'Claude', 'claude_desktop_config.json');
  const empty = '{\r\n  "mcpServers": {}\r\n}\r\n';
  writeFileSync(file, empty);
  const installing = await vaultdoor('install', 'claude-desktop', '--write');
  check('vaultdoor install claude-desktop --write', installing.code === 0, installing);
  const { command, args, env: added } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.vaultdoor;
  check('its file keeps its line ends', !/[^\r]\n/.test(readFileSync(file, 'utf8')));

  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...env, ...added },
    stderr: 'ignore',
  });
  const client = await connectClient(undefined, transport);
  const seen = await client.call('search_notes', { query: 'swifts' });
  check('a client finds notes over stdio', seen.text.includes('Swifts'), seen);
  writeFileSync(join(vault, 'Outside.md'), 'xylophone\r\n');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const outside = await client.call('search_notes', { query: 'xylophone' });
  check(
    'it finds what another program has just written',
    outside.text.includes('Outside'),
    outside,
  );
  const renamed = await client.call('rename_note', { old_name: 'Swifts', new_name: 'Swallows' });
  check('it renames a note', renamed.ok, renamed);
  const appended = await client.call('append_note', { name: 'Outside', text: 'more' });
  const text = readFileSync(join(vault, 'Outside.md'), 'utf8');
  check('line ends stay as they are', text === 'xylophone\r\nmore\r\n', { appended, text });
  await client.close();

  const removing = await vaultdoor('uninstall', 'claude-desktop', '--write');
  check('vaultdoor uninstall claude-desktop --write', removing.code === 0, removing);
}

/** As `callTool` of the other scripts, but without `fetch`, which fails under Wine. */
async function callTool(url, name, args) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const asking = request(url, { method: 'POST', headers });
  const params = { name, arguments: args };
  asking.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const [answer] = await once(asking, 'response');
  return (await answer.setEncoding('utf8').toArray()).join('');
}

/** Says what this system does otherwise than Windows. */
function tellLimits(home) {
  const [from, to] = [join(home, 'case.txt'), join(home, 'CASE.txt')];
  writeFileSync(from, '');
  renameSync(from, to);
  if (!readdirSync(home).includes('CASE.txt')) {
    process.stdout.write('NOT TESTED: a rename that only changes case: this Wine does nothing.\n');
  }
}

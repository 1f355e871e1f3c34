// Tests `vaultdoor stdio` with the MCP Inspector, which lists the tools in strict mode and calls
// some of them, in each era of the protocol. The Inspector is not a dependency (it has 110 MB); it
// is installed next to the other caches in node_modules. If something cannot be run, that is a
// failure, not a skip.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { check, installed, repository, run } from './outside-programs.mjs';

const modules = await installed('@modelcontextprotocol/inspector', '2.12.0');
const program = join(modules, '.bin', 'mcp-inspector');
const server = join(repository, 'dist', 'vaultdoor.js');

const home = mkdtempSync(join(tmpdir(), 'vaultdoor-programs-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

/** Runs the Inspector once. It starts a new server on the vault. */
function inspect(vault, era, args) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  const target = [process.execPath, server, 'stdio'];
  const options = ['-e', `OBSIDIAN_VAULT_PATH=${vault}`, '--protocol-era', era];
  return run(program, ['--cli', ...target, ...options, ...args], { env });
}

// Each row: the tool, its arguments, the expected exit code of the Inspector (5 means that the tool
// failed), and a text that the answer must contain.
const calls = [
  ['read_note', { name: 'Home' }, 0, 'Hello, future me.'],
  ['search_notes', { query: 'flood', limit: 2 }, 0, 'Flood map'],
  ['append_note', { name: 'Example', text: 'From outside.' }, 0, 'appended'],
  ['read_note', { name: 'No such note' }, 5, 'No such note'],
];

for (const era of ['legacy', 'modern']) {
  const vault = join(home, era);
  cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });
  const list = await inspect(vault, era, ['--method', 'tools/list', '--strict']);
  const isListed = list.code === 0 && list.stdout.includes('"append_section"');
  check(`${era}: tools/list --strict`, isListed, list);
  for (const [tool, args, code, has] of calls) {
    const words = ['--method', 'tools/call', '--tool-name', tool];
    const json = ['--tool-args-json', JSON.stringify(args)];
    const answer = await inspect(vault, era, [...words, ...json]);
    const isRight = answer.code === code && (answer.stdout + answer.stderr).includes(has);
    check(`${era}: ${tool}`, isRight, answer);
  }
}

// Programs of others against the built server: the MCP Inspector lists the tools, strictly, and
// calls three of them in each era of the protocol. It is not a dependency (110 MB): it is installed
// beside the other caches of node_modules. Whatever cannot be run is a failure, not a skip.
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

/** One run of the Inspector, which starts the server anew on the vault. */
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

// The tool, its arguments, the exit code of the Inspector (5: the tool says it failed), and what
// the answer has.
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

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
/** The threads of a server that has written something. Each saves its code cache after a second. */
const threads = ['scan', 'index', 'watch', 'state'];
const everyone = [...threads, 'main', 'command'];
/** The commands that people and scripts run most. Each adds its code to the cache of all commands. */
const commands = [
  ['read', 'Home'],
  ['append', 'Home', 'Compiled.'],
  ['search', 'garden'],
  ['history'],
  ['list'],
  ['backlinks', 'Home'],
];
const waitMs = 30_000;

/**
 * Runs the built program as a server on the example vault, reads and writes a note, then runs some
 * commands, and so makes it save V8's code caches in `folder`. Does nothing if the caches are there already. Fails
 * if the program fails.
 */
export async function warmUp({ program, id, folder }) {
  const has = (roles) => roles.every((role) => existsSync(join(folder, keptName(id, role))));
  if (has(everyone)) return;
  rmSync(folder, { recursive: true, force: true });
  const home = mkdtempSync(join(tmpdir(), 'vaultdoor-build-'));
  try {
    cpSync(example, join(home, 'vault'), { recursive: true });
    const env = {
      ...process.env,
      VAULTDOOR_CODE_CACHE: folder,
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_STATE_HOME: join(home, 'state'),
    };
    const server = spawn(process.execPath, [program, 'stdio', '--vault', join(home, 'vault')], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    server.stdout.resume();
    for (const message of messages) server.stdin.write(`${JSON.stringify(message)}\n`);
    const ended = new Promise((resolve) => server.once('close', resolve));
    const until = Date.now() + waitMs;
    while (!has(threads) && server.exitCode === null && Date.now() < until) await setTimeout(100);
    server.stdin.end();
    await ended;
    if (server.exitCode !== 0) throw new Error('The built program does not run.');
    for (const words of commands) {
      execFileSync(process.execPath, [program, ...words, '--vault', join(home, 'vault')], {
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }
    if (!has(everyone)) process.stderr.write('Some code caches of V8 were not saved.\n');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The file name of a code cache, the same as in `launch.cjs`. */
function keptName(id, role) {
  const { version, platform, arch } = process;
  return `${[id, version, platform, arch, role].join('-')}.bin`;
}

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'build', version: '1.0.0' },
};
const call = (name, args) => ['tools/call', { name, arguments: args }];
const messages = [
  { jsonrpc: '2.0', id: 0, method: 'initialize', params: hello },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  ...[
    ['tools/list', {}],
    call('search_notes', { query: 'garden' }),
    call('list_notes', {}),
    call('append_note', { name: 'Home', text: 'Compiled.' }),
    call('read_note', { name: 'Home' }),
  ].map(([method, params], index) => ({ jsonrpc: '2.0', id: index + 1, method, params })),
];

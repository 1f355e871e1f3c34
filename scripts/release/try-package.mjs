import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { callTool, check, run, startProgram, startServer, until } from '../outside-programs.mjs';

/**
 * Runs an installed package on one version of Node as its users do, each time with a vault, a state and
 * a cache of its own: the command line with a write and its undo, MCP over stdio, the server with its
 * console, and the daemon's single file. `isWhole` says whether the optional packages are installed.
 */
export async function tryPackage({ node, modules, isWhole, home, env: bare }) {
  const said = await run(node, ['--version']);
  const major = Number(/^v(\d+)/.exec(said.stdout)?.[1]);
  const name = `Node ${said.stdout.trim()}, ${isWhole ? 'all packages' : 'no optional packages'}`;
  const installed = join(modules, 'vaultdoor');
  const program = join(installed, 'dist', 'vaultdoor.js');
  const folder = join(home, name.replace(/\W+/g, '-'));
  const vault = join(folder, 'vault');
  mkdirSync(folder);
  cpSync(join(installed, 'examples', 'vault'), vault, { recursive: true });
  const env = {
    ...bare,
    HOME: folder,
    USERPROFILE: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const type = (...words) => run(node, [program, ...words, '--vault', vault], { env });
  const expect = (what, holds, seen) => check(`${name}: ${what}`, holds, seen);

  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const told = await run(node, [program, '--version'], { env });
  expect('--version', told.code === 0 && told.stdout === `${version}\n`, told);
  const found = await type('search', 'sourdough');
  if (major < 22 && !isWhole) {
    // This Node has no SQLite of its own.
    const isSaid = found.stderr.includes('Use Node 22.16 or newer, or install Vaultdoor with');
    expect('it says that SQLite is missing', found.code === 6 && isSaid, found);
    const asked = await trySpeaking({ node, program, vault, env });
    expect('stdio: the call says so, too', asked.text.includes('Use Node 22.16'), asked);
  } else {
    const isFound = found.code === 0 && found.stdout.includes('Recipes/Sourdough.md');
    expect('search', isFound && found.stderr === '', found);
    await tryWriting({ type, vault, expect });
    const asked = await trySpeaking({ node, program, vault, env });
    expect('stdio: initialize', asked.hello.includes('"serverInfo"'), asked);
    expect('stdio: a call', asked.text.includes('Recipes/Sourdough.md'), asked);
    await tryServing({ node, program, vault, env, isWhole, expect });
  }
  // Its sockets are for Unix.
  if (process.platform === 'win32') return;
  await tryDaemon({ node, program, installed, folder, vault, env, expect, major });
}

async function tryWriting({ type, vault, expect }) {
  const note = join(vault, 'Notes', 'Swifts.md');
  const before = readFileSync(note, 'utf8');
  const written = await type('append', 'Swifts', 'Written by the package.');
  const isWritten = readFileSync(note, 'utf8').includes('Written by the package.');
  expect('a write', written.code === 0 && isWritten, written);
  const undone = await type('undo');
  expect('its undo', undone.code === 0 && readFileSync(note, 'utf8') === before, undone);
}

/** Speaks MCP over stdio: what is answered to the hello, and to a search. */
async function trySpeaking({ node, program, vault, env }) {
  const clientInfo = { name: 'test-package', version: '1' };
  const messages = [
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    },
    { method: 'notifications/initialized' },
    {
      id: 1,
      method: 'tools/call',
      params: { name: 'search_notes', arguments: { query: 'sourdough' } },
    },
  ];
  const said = await run(node, [program, 'stdio', '--vault', vault], {
    env,
    input: messages
      .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      .join(''),
  });
  const lines = said.stdout.split('\n');
  const line = (id) => lines.find((each) => each.includes(`"id":${id}`)) ?? '';
  return { ...said, hello: line(0), text: line(1) };
}

async function tryServing({ node, program, vault, env, isWhole, expect }) {
  const words = [node, program, 'serve', '--port', '0', '--vault', vault];
  const server = await startServer(words, { ...env, PATH: isWhole ? env.PATH : '' });
  const read = await callTool(server.url, 'note_read', { path: 'Notes/Swifts.md' });
  expect('serve: a call', read.includes('Counted nineteen swifts'), read);
  // This one needs ripgrep: that of the package, or `rg` on the PATH.
  const lines = await callTool(server.url, 'vault_search', { query: 'nineteen' });
  const says = isWhole ? 'Notes/Swifts.md' : 'needs ripgrep';
  expect(`serve: a search by line: "${says}"`, lines.includes(says), lines);
  const [link = ''] = /http:\S+\/c\/enter#k=\S+/.exec(server.seen.stdout) ?? [];
  const page = await fetch(link).then((answer) => answer.text());
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
  const answer = await fetch(new URL(script, server.url));
  const isScript = answer.headers.get('content-type')?.startsWith('text/javascript');
  expect("serve: the console's page and its script", answer.ok && isScript, { link, page, script });
  const end = await server.stop();
  const isWindows = process.platform === 'win32'; // There, a signal ends a program at once.
  expect('serve: it ends', end === 0 || isWindows, { end, ...server.seen });
}

/** The daemon must run from any folder, with nothing beside it. */
async function tryDaemon({ node, program, installed, folder, vault, env, expect, major }) {
  const file = join(folder, 'daemon');
  copyFileSync(join(installed, 'dist', 'vaultdoor-daemon.js'), file);
  const daemon = startProgram([node, file, '--vault-root', vault], env);
  if (major < 22) {
    const isSaid = (await daemon.ended) === 6 && daemon.seen.stderr.includes('needs Node 22.13');
    expect('the daemon says that it needs a newer Node', isSaid, daemon.seen);
    return;
  }
  await until(
    () => /^token: /m.test(daemon.seen.stdout + daemon.seen.stderr),
    () => JSON.stringify(daemon.seen),
  );
  const listed = await run(node, [program, 'remote', 'ls'], { env });
  expect('the daemon lists the vault', listed.stdout.includes('Home.md\n'), listed);
  expect('the daemon ends', (await daemon.stop()) === 0, daemon.seen);
}

// Runs the server on a folder inside a vault, and traces it with strace while it starts, indexes,
// searches, writes and deletes. Neither the server nor ripgrep may ever open anything above that
// folder. All system calls must be among those that the systemd unit allows.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import {
  callTool,
  check,
  exampleVault,
  repository,
  run,
  serveWords,
  startServer,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';

await systemProgram('strace');
if ((await run('strace', ['-o', '/dev/null', 'true'])).code !== 0) {
  process.stdout.write('NOT TESTED: which files the server opens: strace may not trace here.\n');
  process.exit(0);
}
const { home, env } = temporaryHome('parent');
const outer = join(home, 'Obsidian');
const vault = join(outer, 'claude');
mkdirSync(join(outer, '.obsidian'), { recursive: true });
writeFileSync(join(outer, '.obsidian', 'app.json'), '{}');
writeFileSync(join(outer, '.gitignore'), '*.md\n');
writeFileSync(join(outer, 'Private.md'), 'swifts, in private\n');
exampleVault(vault);

const trace = join(home, 'trace.txt');
// With -D, strace runs as a grandchild, so that the child is the server itself and can be stopped.
const strace = ['strace', '-D', '-f', '-y', '-q', '-s', '4096', '-e', 'signal=none', '-o', trace];
// strace does not see file operations that go through io_uring.
const watched = { ...env, UV_USE_IO_URING: '0' };
const server = await startServer([...strace, ...serveWords('--vault', vault)], watched);

const call = (name, args) => callTool(server.url, name, args);

const found = await call('vault_search', { query: 'swifts' });
check('the search finds notes of the served folder', found.includes('Swifts.md'), found);
check('the search finds no notes outside the served folder', !found.includes('private'), found);
for (const [name, args, has] of [
  [
    'note_upsert',
    { path: 'devlog/new.md', content: 'See [[Home]] and [[Private]].' },
    '"created":true',
  ],
  ['note_upsert', { path: 'devlog/new.md', content: 'More.' }, '"created":false'],
  ['note_read', { path: '../Private.md' }, '"isError":true'],
  ['graph_neighbors', { path: 'devlog/new.md' }, 'Home.md'],
  ['backlinks_search', { path: 'Home.md' }, 'devlog/new.md'],
  ['note_delete', { path: 'devlog/new.md' }, '"deleted":true'],
]) {
  const answer = await call(name, args);
  check(name, answer.includes(has), answer);
}
// Changes one file outside the folder and one inside, so that the watcher has something to see.
writeFileSync(join(outer, 'Private.md'), 'changed\n');
writeFileSync(join(vault, 'Edited.md'), 'To [[Swifts]].\n');
await until(
  async () => (await call('backlinks_search', { path: 'Notes/Swifts.md' })).includes('Edited.md'),
  () => server.seen.stderr,
);
await server.stop();
const end = new RegExp(`^${server.child.pid} +\\+{3} exited with 0`, 'm');
const isWhole = () => end.test(readFileSync(trace, 'utf8'));
await until(isWhole, () => readFileSync(trace, 'utf8').slice(-1_000));

const lines = readFileSync(trace, 'utf8').split('\n');
const opened = lines.flatMap(openedPath);
const isInside = (path, folder) => path === folder || path.startsWith(`${folder}/`);
const outside = opened.filter((path) => isInside(path, outer) && !isInside(path, vault));
const inside = opened.filter((path) => isInside(path, vault));
check(`${inside.length} files and folders opened in the folder`, inside.length > 30, opened.length);
const byRipgrep = lines.some((line) => line.includes('execve(') && /\brg\b/.test(line));
check('strace has traced ripgrep too', byRipgrep, lines.length);
check('nothing above the served folder was opened', outside.length === 0, [...new Set(outside)]);

const used = new Set(lines.flatMap((line) => /^\d+ +(\w+)\(/.exec(line)?.[1] ?? []));
const allowed = await allowedCalls();
const refused = [...used].filter((name) => !allowed.has(name));
check(`the unit allows all of the ${used.size} system calls`, refused.length === 0, refused);

/**
 * The absolute path that a line of the trace opens or watches, in a list; empty if there is none. For
 * a path through a handle (/proc/<pid>/fd/<number>), the file that the system has opened.
 */
function openedPath(line) {
  const handle = /"\/proc\/\d+\/fd\/\d+[^"]*".* = \d+<(?<real>\/[^>]*)>$/.exec(line);
  if (handle !== null) return [handle.groups.real];
  const at = /\bopenat2?\((?:AT_FDCWD|\d+)<(?<base>[^>]*)>, "(?<path>[^"]*)"/.exec(line);
  if (at !== null) return [resolve(at.groups.base, at.groups.path)];
  const plain = /\b(?:open|chdir|inotify_add_watch)\((?:\d+<[^>]*>, )?"(?<path>\/[^"]*)"/.exec(
    line,
  );
  return plain === null ? [] : [resolve(plain.groups.path)];
}

/** The names of the system calls that the filter of the unit allows. */
async function allowedCalls() {
  await systemProgram('systemd-analyze', 'systemd');
  const unit = readFileSync(join(repository, 'deploy', 'vaultdoor.service'), 'utf8');
  const names = new Set();
  for (const [, isRefused, words] of unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const name of await expanded(words.split(' '))) {
      if (isRefused === '') names.add(name);
      else names.delete(name);
    }
  }
  return names;
}

async function expanded(words) {
  const sets = words.filter((word) => word.startsWith('@'));
  if (sets.length === 0) return words;
  const { stdout } = await run('systemd-analyze', ['syscall-filter', '--no-pager', ...sets]);
  const members = Array.from(stdout.matchAll(/^ {4}(?!#)(\S+)/gm), ([, member]) => member);
  const names = words.filter((word) => !word.startsWith('@'));
  return [...names, ...(await expanded(members))];
}

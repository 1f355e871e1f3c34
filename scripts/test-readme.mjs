// Runs every command of README.md and of the pages for users as it stands there, in the order of the
// page: README in a copy of the repository of its own, the pages side by side in another, each in a
// home of its own. What a block prints below a command must be what the command prints ("…" stands
// for anything). Servers are started, awaited, and ended with Ctrl-C. Commands that ask are answered
// in a real terminal. The configurations in JSON are started as their clients would start them.
// `scripts/pages/stand-ins.mjs` says which programs are stand-ins.
//
// Each page has the ports that it names for itself, in a network of its own, where the system allows
// that. Otherwise the pages are read one after the other, and the ports 1065 and 3000 must be free.
//
// A block that cannot be run has a comment above it, `<!-- not run by test:readme: <reason> -->`. If
// anything else cannot be run, that is a failure, not a skip.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { check, copyRepository, repository, run, systemProgram } from './outside-programs.mjs';
import { blocksOf } from './pages/page-blocks.mjs';

const blocksNotRunMax = 3;
const users = ['claude-desktop', 'developer', 'home-server', 'scripts', 'remote-vault', 'team'];
const pages = [...users, 'command-line'].map((name) => `docs/${name}.md`);
const [only] = process.argv.slice(2); // One page, to try it while it is written.
const isMeant = (page) => only === undefined || page === only;

for (const name of ['curl', 'jq', 'tmux']) await systemProgram(name);
await systemProgram('sshd', 'openssh-server');
const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-readme-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const unshare = await ownNetwork();

const left = ['README.md', ...pages].flatMap((page) =>
  blocksOf(readFileSync(join(repository, page), 'utf8')).filter(({ reason }) => reason),
);
check(`at most ${blocksNotRunMax} blocks are not run`, left.length <= blocksNotRunMax, left);
const all = [tryReadme, tryPages];
if (unshare.length > 0) await Promise.all(all.map((tries) => tries()));
else for (const tries of all) await tries();

async function tryReadme() {
  if (!isMeant('README.md')) return;
  await tryPage('README.md', await cloned('readme'));
}

async function tryPages() {
  const clone = await cloned('pages');
  // As a person types it, also where this script was started with --silent.
  const env = { ...process.env, npm_config_loglevel: 'notice' };
  const built = await run('npm', ['run', 'build'], { cwd: clone, env });
  const isTold = built.stdout.includes('Built dist/vaultdoor.js. Next: npx vaultdoor setup,');
  check(
    'the program is built, and the build says what comes next',
    built.code === 0 && isTold,
    built,
  );
  const meant = pages.filter(isMeant);
  if (unshare.length > 0) await Promise.all(meant.map((page) => tryPage(page, clone)));
  else for (const page of meant) await tryPage(page, clone);
}

/** A copy of the repository, as a clone has it: git knows its files. */
async function cloned(name) {
  const clone = await copyRepository(join(folder, name, 'vaultdoor'));
  const git = ['-c', 'user.name=reader', '-c', 'user.email=reader@example.org'];
  await run('git', ['init', '--quiet'], { cwd: clone });
  await run('git', ['add', '--all'], { cwd: clone });
  await run('git', [...git, 'commit', '--quiet', '-m', 'Cloned'], { cwd: clone });
  return clone;
}

/** Lets a reader of its own read the page, and prints what came of it. */
async function tryPage(page, clone) {
  const startMs = Date.now();
  const file = fileURLToPath(new URL('pages/try-page.mjs', import.meta.url));
  const [program, ...words] = [...unshare, process.execPath, file, page, clone];
  const { code, stdout, stderr } = await run(program, words, { timeout: 300_000 });
  const seconds = Math.round((Date.now() - startMs) / 1000);
  process.stdout.write(`-- ${page}: ${seconds} s\n${stdout}${stderr}`);
  if (code !== 0) process.exitCode = 1;
}

/** The words that run a program in a network of its own, with its own loopback; none if that fails. */
async function ownNetwork() {
  const words = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const [program, ...rest] = words;
  return (await run(program, [...rest, 'true'])).code === 0 ? words : [];
}

// Tests the package as its users get it: packs it in a copy of this repository that was never built,
// installs the tarball with `npm i -g` and runs it with `npx`. If something cannot be run, that is a
// failure, not a skip.
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { version } from './bundle.mjs';
import { check, copyRepository, repository, run, temporaryHome } from './outside-programs.mjs';

const quiet = ['--no-fund', '--no-audit', '--no-update-notifier'];
const { home, env: bare } = temporaryHome('package');
const setting = async (name) => (await run('npm', ['config', 'get', name])).stdout.trim();
const env = {
  ...bare,
  npm_config_userconfig: await setting('userconfig'), // It may name a registry.
  npm_config_cache: join(home, 'npm'),
  npm_config_prefer_offline: 'true',
};
// The downloads of `npm ci` are used again. What npx installs lies beside them, so npm gets a cache of
// its own here that only links to the downloads.
const downloads = join(await setting('cache'), '_cacache');
mkdirSync(downloads, { recursive: true });
mkdirSync(env.npm_config_cache);
symlinkSync(downloads, join(env.npm_config_cache, '_cacache'));

const tarball = await pack(await copyRepository(join(home, 'clone')));
await Promise.all([tryGlobal(), tryNpx()]);

/** Packs the package, and checks what is in it. Returns the path of the tarball. */
async function pack(folder) {
  const packed = await run('npm', ['pack', '--json', '--pack-destination', home], {
    cwd: folder,
    env,
  });
  check('npm pack builds the program', packed.code === 0, packed);
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n')));
  const paths = files.map(({ path }) => path);
  const needed = [
    'dist/vaultdoor.js',
    'dist/vaultdoor-daemon.js',
    'dist/package.json',
    'dist/console/index.html',
    'dist/console/index.html.br',
    'dist/console/index.html.gz',
    'dist/console/apps/changes.html',
    'dist/console/apps/find.html',
    'deploy/vaultdoor.service',
    'docs/server.md',
    'examples/vault/Home.md',
    '.claude/CLAUDE.md',
    '.claude/skills/devlog.md',
    '.claude/skills/devlog/SKILL.md',
    '.claude/skills/adr.md',
    '.claude/skills/adr/SKILL.md',
  ].filter((path) => !paths.includes(path));
  check('the package has all that it needs', needed.length === 0, { needed, paths });
  const strangers = paths.filter((path) => /^(src|test|scripts|bench|node_modules)\//.test(path));
  check('the package has nothing else', strangers.length === 0, strangers);
  return join(home, filename);
}

/** Installs the tarball with `npm i -g`, and runs the program that this puts on the PATH. */
async function tryGlobal() {
  const prefix = join(home, 'global');
  const installed = await run('npm', ['i', '-g', '--prefix', prefix, ...quiet, tarball], { env });
  check('npm i -g', installed.code === 0, installed);
  const program = process.platform === 'win32' ? prefix : join(prefix, 'bin');
  const modules = process.platform === 'win32' ? prefix : join(prefix, 'lib');
  const vault = join(modules, 'node_modules', 'vaultdoor', 'examples', 'vault');
  await tryProgram('npm i -g', [join(program, 'vaultdoor')], vault);
}

/** Runs the tarball with `npx`, in an empty folder. */
async function tryNpx() {
  const vault = join(repository, 'examples', 'vault');
  await tryProgram('npx', ['npx', '--yes', `file:${tarball}`], vault);
  const names = readdirSync(join(env.npm_config_cache, '_npx'));
  check('npx installs it once', names.length === 1, names);
}

async function tryProgram(how, [file, ...words], vault) {
  const folder = join(home, how.replaceAll(' ', '-'));
  mkdirSync(folder);
  const inFolder = { cwd: folder, env: { ...env, XDG_STATE_HOME: join(folder, 'state') } };
  const asked = (...args) => run(file, [...words, ...args], inFolder);
  const said = await asked('--version');
  check(`${how}: --version`, said.code === 0 && said.stdout === `${version}\n`, said);
  const read = await asked('read', 'Swifts', '--vault', vault);
  check(`${how}: read`, read.code === 0 && read.stdout.startsWith('Counted nineteen'), read);
  // This needs SQLite, which is a package of its own.
  const found = await asked('search', 'sourdough', '--vault', vault);
  check(`${how}: search`, found.code === 0 && found.stdout.includes('.md'), found);
}

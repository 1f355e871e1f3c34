// Tests the package as its users get it: makes it in a copy of this repository that was never built,
// looks at what is in it, installs it with `npm i -g`, runs it with `npx`, and runs it on Node 20, 22, 24
// and 26, with and without its optional packages. If something cannot be run, that is a failure, not a
// skip. `SOAK=1` also runs Node 22 and 24 without the optional packages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { version } from './bundle.mjs';
import {
  check,
  copyRepository,
  newerNode,
  repository,
  run,
  temporaryHome,
} from './outside-programs.mjs';
import { npmEnvironment } from './release/npm-environment.mjs';
import { tryPackage } from './release/try-package.mjs';

const here = process.execPath;
const isNode20 = process.version.startsWith('v20.');
const versions = [...(isNode20 ? [] : ['20.20.2']), '22.23.3', '24.21.0', '26.10.0'];
const quiet = ['--no-fund', '--no-audit', '--no-update-notifier'];
const { home, env: bare } = temporaryHome('package');
const env = await npmEnvironment({ home, env: bare });

const clone = await copyRepository(join(home, 'clone'));
const [tarball, nodes] = await Promise.all([pack(), Promise.all(versions.map(newerNode))]);
const [whole, bareModules] = await Promise.all([install(), install('--omit=optional')]);
checkContent(join(whole, 'vaultdoor'));
await tryRepositoryUrl();
const [newest] = nodes.slice(-1);
const without = process.env.SOAK ? [here, ...nodes] : [here, newest];
await Promise.all([
  tryGlobal(),
  tryNpx(),
  ...[here, ...nodes].map((node) => tryOn({ node, modules: whole, isWhole: true })),
  ...without.map((node) => tryOn({ node, modules: bareModules, isWhole: false })),
]);

function tryOn(what) {
  return tryPackage({ ...what, home, env: bare });
}

/** Makes the package, and returns the path of the tarball. */
async function pack() {
  const words = [join(clone, 'scripts', 'release.mjs'), '--only-package', home];
  const packed = await run(here, words, { cwd: clone, env });
  check('the release script makes the package', packed.code === 0, packed);
  return packed.stdout.trim();
}

/** Installs the tarball in an empty folder, and returns its node_modules. */
async function install(...options) {
  const folder = join(home, `installed${options.join('')}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  const installed = await run('npm', ['i', ...quiet, ...options, tarball], { env, cwd: folder });
  check(`npm i ${options.join(' ')}`, installed.code === 0, installed);
  const modules = join(folder, 'node_modules');
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  const isRight = options.length === 0 ? names.includes('@vscode') : names.join() === 'vaultdoor';
  check(`npm i ${options.join(' ')}: ${names.join(', ')}`, isRight, names);
  return modules;
}

/** Checks what is in the package. */
function checkContent(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'));
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const linked = Array.from(readme.matchAll(/(?:\]\(|src(?:set)?=")([^)#"]+)/g), ([, to]) => to);
  const needed = [
    'bin/vaultdoor.cjs',
    'LICENSE',
    'dist/vaultdoor.js',
    'dist/vaultdoor-daemon.js',
    'dist/pdf-library.cjs',
    'dist/package.json',
    'dist/licenses.txt',
    'dist/console/index.html',
    'dist/console/index.html.br',
    'dist/console/index.html.gz',
    'dist/console/apps/changes.html',
    'dist/console/apps/find.html',
    'deploy/Dockerfile',
    'deploy/vaultdoor.service',
    'docs/server.md',
    'examples/vault/Home.md',
    '.claude/CLAUDE.md',
    '.claude/skills/devlog.md',
    '.claude/skills/devlog/SKILL.md',
    '.claude/skills/adr.md',
    '.claude/skills/adr/SKILL.md',
    ...linked.filter((to) => !/^\w+:/.test(to)), // What README.md leads to.
  ].filter((path) => !paths.includes(path));
  check('the package has all that it needs', needed.length === 0, { needed, paths });
  const strange =
    /^(src|test|scripts|bench|node_modules|\.github)\/|\.map$|\.test\.|\.tsx?$|\.env\.|\.npmrc$/;
  const strangers = paths.filter((path) => strange.test(path) && !path.startsWith('examples/'));
  check('the package has nothing else', strangers.length === 0, strangers);
  // Paths of this machine, source maps, tokens and keys.
  const words = [repository, clone, home, `${homedir()}/`, 'sourceMappingURL', 'PRIVATE KEY-----'];
  const leaks = paths.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'latin1');
    const found = words.filter((word) => text.includes(word));
    return [...found, ...(text.match(/\bvd_[\w-]{43}\b/g) ?? [])].map((word) => `${path}: ${word}`);
  });
  check('the package names no path of this machine, and no secret', leaks.length === 0, leaks);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const fields = Object.keys(manifest).filter((field) =>
    /^(private|scripts|dependencies|devDependencies|repository|homepage|bugs)$/.test(field),
  );
  check('its package.json can be published, and runs nothing', fields.length === 0, fields);
  check('without a repository, README.md has no buttons', !/Install in|release: /.test(readme), {});
}

/** Packs once more, with the address of a repository. */
async function tryRepositoryUrl() {
  const script = join(clone, 'scripts', 'release', 'pack-package.mjs');
  const { packPackage } = await import(pathToFileURL(script).href);
  const to = join(home, 'with-repository');
  const repositoryUrl = 'https://example.com/owner/vaultdoor';
  const file = await packPackage({ to, repositoryUrl });
  await run('tar', ['-xzf', file, '-C', to]);
  const read = (name) => readFileSync(join(to, 'package', name), 'utf8');
  const { repository: from, homepage, bugs } = JSON.parse(read('package.json'));
  const isNamed =
    from?.url === `git+${repositoryUrl}.git` &&
    homepage === `${repositoryUrl}#readme` &&
    bugs?.url === `${repositoryUrl}/issues`;
  check('with a repository, package.json names it', isNamed, { from, homepage, bugs });
  const links = Array.from(
    read('README.md').matchAll(/^\[!\[.*\]\((\S+)\)$/gm),
    ([, link]) => link,
  );
  check('with a repository, README.md has three buttons', links.length === 3, links);
  const [cursor, vsCode, bundle] = links.map((link) => new URL(link));
  const ofCursor = JSON.parse(Buffer.from(cursor.searchParams.get('config'), 'base64'));
  const ofVsCode = JSON.parse(
    decodeURIComponent(new URL(vsCode.searchParams.get('url')).search.slice(1)),
  );
  const areRight = [ofCursor, ofVsCode].every(
    ({ command, args }) => [command, ...args].join(' ') === 'npx -y vaultdoor stdio',
  );
  check('the buttons of Cursor and VS Code start the package', areRight, { ofCursor, ofVsCode });
  const isBundle = bundle.href.endsWith(`/releases/download/v${version}/vaultdoor.mcpb`);
  check('the button of Claude Desktop leads to the bundle', isBundle, bundle);
}

/** Installs the tarball with `npm i -g`, and runs the program that this puts on the PATH. */
async function tryGlobal() {
  const prefix = join(home, 'global');
  const installed = await run('npm', ['i', '-g', '--prefix', prefix, ...quiet, tarball], { env });
  check('npm i -g', installed.code === 0, installed);
  const program = process.platform === 'win32' ? prefix : join(prefix, 'bin');
  await trySearch('npm i -g', [join(program, 'vaultdoor')]);
}

/** Runs the tarball with `npx`, in an empty folder. */
async function tryNpx() {
  await trySearch('npx', ['npx', '--yes', `file:${tarball}`]);
  const names = readdirSync(join(env.npm_config_cache, '_npx'));
  check('npx installs it once', names.length === 1, names);
}

async function trySearch(how, [file, ...words]) {
  const folder = join(home, how.replaceAll(' ', '-'));
  mkdirSync(folder);
  const inFolder = { cwd: folder, env: { ...env, XDG_STATE_HOME: join(folder, 'state') } };
  const vault = join(repository, 'examples', 'vault');
  const asked = (...args) => run(file, [...words, ...args], inFolder);
  const said = await asked('--version');
  check(`${how}: --version`, said.code === 0 && said.stdout === `${version}\n`, said);
  const found = await asked('search', 'sourdough', '--vault', vault);
  check(`${how}: search`, found.code === 0 && found.stdout.includes('.md'), found);
}

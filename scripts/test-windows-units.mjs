// Runs the unit tests (`--project unit`: every room, and the command line) under Wine with a Node for
// Windows, and prints how many of them pass. Other words are folders or files of tests to run alone.
// It takes half an hour or more on two cores, and is no part of `.ci/run`; docs/windows.md has the last result.
//
// The repository is copied and gets the packages for Windows. Each folder of tests is a run of its own,
// so that one that hangs does not take the others with it.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { copyRepository, repository, run, temporaryHome } from './outside-programs.mjs';
import { makeProcessPrng, nodeInWine } from './wine.mjs';

/** Folders with more tests than this are run in parts. */
const filesPerRun = 25;
/** So many runs are under way at once. */
const lanes = Number(process.env.LANES ?? 4);
/** They look at the repository with git, which is not there under Wine. */
const ofRepository = ['doc-links', 'docs', 'tidy', 'walls'].map((name) => `/${name}.test.ts`);
const otherProjects = [
  'bases',
  'cluster',
  'console',
  'corpora',
  'doors',
  'faults',
  'media',
  'sign-in',
];

const wanted = process.argv.slice(2);
/** What vitest says, as JSON and as text, and `all.json` with every test. */
const results = process.env.RESULTS ?? join(repository, 'node_modules', '.cache', 'windows-units');
mkdirSync(results, { recursive: true });
const { home } = temporaryHome('windows-units');
const folder = await windowsCopy(join(home, 'repository'));
const parts = partsOf(testFiles());
const all = [];
const library = await makeProcessPrng(home);
const first = await nodeInWine();
await first.stop();
await Promise.all(Array.from({ length: lanes }, (_, lane) => runParts(lane)));
report(all);

/** Runs what is left in a Wine of its own: when the server of one dies, the others go on. */
async function runParts(lane) {
  const prefix = join(home, `wine-${lane}`);
  // Making one anew takes minutes when the machine is busy.
  await run('cp', ['-a', first.prefix, prefix]);
  const node = await nodeInWine(prefix);
  copyFileSync(library, join(node.system, basename(library)));
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    all.push(...(await runPart(node, part)));
  }
  await node.stop();
}

/** The repository as it is, with what it was built to, and the packages for Windows. */
async function windowsCopy(copy) {
  await copyRepository(copy);
  rmSync(join(copy, 'node_modules'));
  cpSync(join(repository, 'dist'), join(copy, 'dist'), { recursive: true });
  const words = ['ci', '--os=win32', '--cpu=x64', '--force', '--ignore-scripts', '--no-audit'];
  const answer = await run('npm', words, { cwd: copy, timeout: 1_200_000 });
  if (answer.code !== 0) throw new Error(answer.stderr);
  return copy;
}

function testFiles() {
  return ['src', 'test']
    .flatMap((each) =>
      readdirSync(join(folder, each), { recursive: true }).map((file) => `${each}/${file}`),
    )
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => !otherProjects.some((each) => file.startsWith(`test/${each}/`)))
    .filter((file) => !ofRepository.some((each) => file.endsWith(each)))
    .filter((file) => wanted.length === 0 || wanted.some((each) => file.startsWith(each)))
    .sort();
}

/** The files by the folder below `src` or `test` that they are in, as `[name, files]`. */
function partsOf(files) {
  const folders = new Map();
  for (const file of files) {
    const name = file.split('/').slice(0, 2).join('-').replace('.test.ts', '');
    folders.set(name, [...(folders.get(name) ?? []), file]);
  }
  return [...folders].flatMap(([name, own]) => {
    const parts = [];
    for (let at = 0; at < own.length; at += filesPerRun) {
      parts.push([`${name}-${parts.length}`, own.slice(at, at + filesPerRun)]);
    }
    return parts;
  });
}

/** Runs some files of tests; returns each test as `{ file, name, status, message }`. */
async function runPart(node, [name, files]) {
  const [json, output] = [join(results, `${name}.json`), join(results, `${name}.txt`)];
  rmSync(json, { force: true });
  const reporters = [
    '--reporter=json',
    '--reporter=verbose',
    `--outputFile.json=Z:${json.replaceAll('/', '\\')}`,
  ];
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--no-color',
    // On a busy machine a worker may take long to end, and would be killed before there is a result.
    '--teardownTimeout=600000',
    ...reporters,
  ];
  for (let tries = 0; tries < 2 && !existsSync(json); tries++) {
    await node.run([...words, ...files], { cwd: folder, output });
  }
  if (!existsSync(json)) {
    process.stdout.write(`${name}: no result; see ${output}\n`);
    return files.map((file) => ({ file, name: '', status: 'no result', message: '' }));
  }
  const tests = JSON.parse(readFileSync(json, 'utf8')).testResults.flatMap(testsOf);
  const count = (status) => tests.filter((test) => test.status === status).length;
  process.stdout.write(`${name}: ${count('passed')} passed, ${count('failed')} failed\n`);
  return tests;
}

function testsOf({ name, message, status, assertionResults }) {
  const file = name.replaceAll('\\', '/').split('/repository/').at(-1);
  if (assertionResults.length === 0)
    return [{ file, name: '', status: status === 'passed' ? 'pending' : 'failed', message }];
  // What failed after all tests of the file had passed.
  const isOutside = status === 'failed' && !assertionResults.some((test) => test.status === status);
  const outside = isOutside ? [{ file, name: '', status, message }] : [];
  const tests = assertionResults.map((test) => ({
    file,
    name: test.fullName,
    status: test.status,
    message: (test.failureMessages ?? []).join('\n'),
  }));
  return [...tests, ...outside];
}

function report(tests) {
  writeFileSync(join(results, 'all.json'), JSON.stringify(tests, null, 1));
  const passed = tests.filter((test) => test.status === 'passed');
  const bad = tests.filter((test) => test.status === 'failed' || test.status === 'no result');
  for (const { file, name, message } of bad) {
    process.stdout.write(`\nBAD ${file}: ${name}\n${message.split('\n').slice(0, 3).join('\n')}\n`);
  }
  process.stdout.write(
    `\n${passed.length} of ${passed.length + bad.length} passed; ` +
      `${tests.length - passed.length - bad.length} are left out on Windows.\n`,
  );
  if (bad.length > 0) process.exitCode = 1;
}

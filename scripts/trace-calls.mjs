// `npm run trace`: how far three calls travel. For each call it prints how many source files the call
// passes and how many times a function of ours is entered, on all threads, from the request to the
// answer. With `--files`, it also prints every file passed, with the entries into its functions.
import fs from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import {
  exampleVault,
  repository,
  startProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';
import { openWire } from './remote-wire.mjs';

/** The program has nothing left to do when no function was entered for this long. */
const quietMs = 1_000;
const warmCalls = 2;
const measuredCalls = 6;

/** A note that differs for each `i`, but not in its structure. */
const note = (i) =>
  `# Miso soup\n\nPot ${100 + i}, by [[Aiko Senda]]. #cooking/soup\n\n- [ ] Buy *miso*\n`;

const calls = [
  ['update_note', startStdio, (i) => ({ name: 'Miso soup', content: note(i) })],
  ['search_notes', startStdio, () => ({ query: 'miso' })],
  ['fs.write', startDaemon, (i) => ({ path: 'Recipes/Miso soup.md', content: note(i) })],
];

/** Bundles our sources with source maps and without packages; answers the bundle's folder. */
async function buildProgram() {
  // Inside node_modules, because the packages left outside the bundle are looked up from there.
  const caches = join(repository, 'node_modules', '.cache');
  fs.mkdirSync(caches, { recursive: true });
  const folder = fs.realpathSync(fs.mkdtempSync(join(caches, 'trace-')));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const sources = fs.readdirSync(join(repository, 'src'), { recursive: true });
  const entry = sources.find((file) => /(^|[\\/])main\.ts$/.test(file));
  await build({
    entryPoints: { main: join(repository, 'src', entry) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    define: {
      VAULTDOOR_VERSION: '"0.0.0"',
      VAULTDOOR_FILE: 'import.meta.filename',
      VAULTDOOR_CACHE: 'undefined',
    },
    logLevel: 'error',
  });
  return folder;
}

/** A home with a vault, and how to start the program there so that its functions are counted. */
function prepare(bundle) {
  const { home, env } = temporaryHome('trace');
  const [file, vault] = [join(home, 'entries'), exampleVault(join(home, 'vault'))];
  fs.writeFileSync(file, '');
  const counter = new URL('trace/count-entries.mjs', import.meta.url).href;
  const words = [process.execPath, '--import', counter, join(bundle, 'main.mjs')];
  const traced = { TRACED_BUNDLE: pathToFileURL(bundle).href, TRACE_FILE: file };
  return { home, file, vault, words, env: { ...env, TZ: 'UTC', ...traced } };
}

async function startStdio({ words: [command, ...args], vault, env }) {
  const client = new Client({ name: 'trace', version: '1' });
  const words = [...args, 'stdio', '--vault', vault];
  await client.connect(new StdioClientTransport({ command, args: words, env, stderr: 'ignore' }));
  return {
    call: async (name, args) => {
      const answer = await client.callTool({ name, arguments: args });
      if (answer.isError) throw new Error(JSON.stringify(answer));
    },
    stop: () => client.close(),
  };
}

async function startDaemon({ words, vault, env, home }) {
  const { seen, stop } = startProgram([...words, 'daemon', `--vault-root=${vault}`], env);
  await until(
    () => /^token: .*\n/m.test(seen.stderr),
    () => seen.stderr,
  );
  const [socket, token] = ['server.sock', 'token'].map((n) => join(home, '.obsidian-remote', n));
  const wire = openWire(socket);
  const call = async (method, params) => {
    const answer = await wire.call(method, params);
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer));
  };
  await call('auth', { token: fs.readFileSync(token, 'utf8') });
  return { call, stop };
}

/** Waits until the program has nothing left to do. */
async function untilQuiet(file) {
  let size = -1;
  for (let restMs = quietMs; restMs > 0; restMs -= 50) {
    const last = size;
    ({ size } = fs.statSync(file));
    if (size !== last) restMs = quietMs;
    await sleep(50);
  }
}

/** Makes the calls. Answers, for each measured one, the entries by thread and function. */
async function measure([name, start, argumentsOf], bundle) {
  const place = prepare(bundle);
  const program = await start(place);
  const rounds = [];
  await untilQuiet(place.file);
  for (let i = 0; i < warmCalls + measuredCalls; i++) {
    fs.truncateSync(place.file);
    await program.call(name, argumentsOf(i));
    await untilQuiet(place.file);
    const lines = fs.readFileSync(place.file, 'utf8').trim().split('\n');
    const seen = lines.map((line) => JSON.parse(line));
    const before = Math.min(...seen.map(({ answers }) => answers));
    const entered = seen.filter(({ answers }) => answers === before);
    rounds.push(sumBy(entered, ({ thread, place: at }) => `${thread} ${at}`));
  }
  await program.stop();
  return rounds.slice(warmCalls);
}

/**
 * What all measured calls have in common: of each function, the fewest entries. That leaves out checks
 * that the program makes every few seconds, which fall into some of the calls.
 */
function inEveryRound([first, ...others]) {
  return [...first].flatMap(([key, count]) => {
    const fewest = Math.min(count, ...others.map((round) => round.get(key) ?? 0));
    const [, thread, url, at] = /^(\w+) (.*):(\d+)$/.exec(key);
    const file = sourceOf(url, Number(at));
    return fewest === 0 || file === undefined ? [] : [{ thread, file, count: fewest }];
  });
}

const bundled = new Map();

/** The source file of the function at an offset in the bundle; undefined for esbuild's own. */
function sourceOf(url, at) {
  if (!bundled.has(url)) {
    const [text, map] = [url, `${url}.map`].map((each) => fs.readFileSync(new URL(each), 'utf8'));
    bundled.set(url, { text, map: new SourceMap(JSON.parse(map)) });
  }
  const { text, map } = bundled.get(url);
  const lines = text.slice(0, at).split('\n');
  const { originalSource } = map.findEntry(lines.length - 1, lines.at(-1).length);
  if (originalSource === undefined) return undefined;
  return relative(repository, fileURLToPath(new URL(originalSource, url)));
}

/** The sums of counts by what `keyOf` answers, the largest first. */
function sumBy(entries, keyOf) {
  const sums = new Map();
  for (const entry of entries) {
    sums.set(keyOf(entry), (sums.get(keyOf(entry)) ?? 0) + entry.count);
  }
  return new Map([...sums].sort(([, one], [, other]) => other - one));
}

function print(name, entries) {
  const files = sumBy(entries, ({ file }) => file);
  const [[, total]] = sumBy(entries, () => 'all');
  const threads = [...sumBy(entries, ({ thread }) => thread)].map((each) => each.join(' '));
  console.log(`${name}: ${files.size} files, ${total} entries (${threads.join(', ')})`);
  if (!process.argv.includes('--files')) return;
  for (const [file, count] of files) console.log(`${String(count).padStart(6)}  ${file}`);
}

const bundle = await buildProgram();
for (const call of calls) print(call[0], inEveryRound(await measure(call, bundle)));

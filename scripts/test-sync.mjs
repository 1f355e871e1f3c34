// Tests `vault_sync` of the built server with the real rclone and a local folder as the remote:
// pull, push and bisync while notes are being edited, never two at once, and cut off in the middle.
// The index must be right afterwards. Each test has its own vault, so that they can run at the same
// time; most of the time is waiting. If something cannot be run, that is a failure, not a skip.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { connectClient } from './mcp-client.mjs';
import {
  check,
  repository,
  run,
  serveWords,
  startServer,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';

await systemProgram('rclone');
const { home, env } = temporaryHome('sync');
writeFileSync(join(home, 'rclone.conf'), '[copy]\ntype = alias\nremote = /\n');
const rcloneEnv = { ...env, RCLONE_CONFIG: join(home, 'rclone.conf') };
const notes = 60;
const filler = `${'All work and no play. '.repeat(400)}\n`;

/** Writes a file, and sets its time to so many minutes ago. */
function write(folder, path, text, minutesAgo) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  const time = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(join(folder, path), time, time);
}

/** The texts of all files in a folder, by path. */
function filesOf(folder) {
  const all = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.path, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );
}

/** Makes a vault and a remote with this name, and starts a server that synchronises them. */
async function open(name, direction, extra = {}) {
  const [vault, remote] = [join(home, name, 'vault'), join(home, name, 'remote')];
  mkdirSync(remote, { recursive: true });
  write(vault, 'log/here.md', 'Edits:\n', 60);
  const words = ['--sync', direction, '--sync-remote', `copy:${remote.slice(1)}`];
  const start = (more = {}) =>
    startServer(serveWords('--vault', vault, ...words), { ...rcloneEnv, ...extra, ...more });
  const server = await start();
  const client = await connectClient(server.url);
  return {
    vault,
    remote,
    server,
    client,
    start,
    sync: (how) => client.call('vault_sync', {}, how),
  };
}

/** Appends to one note after the other until `stop` is called, which returns what was appended. */
function editing(url, paths) {
  const lines = [];
  const failed = [];
  let isOver = false;
  const work = (async () => {
    const client = await connectClient(url);
    for (let count = 0; !isOver; count++) {
      const path = paths[count % paths.length];
      const content = `edit ${count}.`;
      const answer = await client.call('note_upsert', { path, content });
      if (answer.ok) lines.push({ path, content });
      else failed.push(answer.text);
    }
    await client.close();
  })();
  return {
    async stop() {
      isOver = true;
      await work;
      return { lines, failed };
    },
  };
}

/** The edits that are missing in the vault's notes, or that are there more than once. */
function lost(vault, lines) {
  const texts = filesOf(vault);
  return lines.filter(({ path, content }) => texts[path]?.split(`\n${content}`).length !== 2);
}

/** Checks what must be true of a vault after every test. */
async function checkVault(title, { vault }) {
  const strange = Object.keys(filesOf(vault)).filter((path) => path.includes('.~vd'));
  check(`${title}: nothing of ours is left in the vault`, strange.length === 0, strange);
  const words = [join(repository, 'dist', 'vaultdoor.js'), 'check', '--vault', vault];
  const checked = await run(process.execPath, words, { env });
  check(`${title}: the index is right`, checked.code === 0, checked);
}

const names = Array.from({ length: notes }, (_, index) => `sub/n${index}.md`);
const edited = [...names.slice(0, 20), 'log/here.md'];

async function pull() {
  const title = 'pull';
  const opened = await open('pull', 'pull', { RCLONE_BWLIMIT: '150k' });
  const { vault, remote, server, client, sync } = opened;
  write(vault, 'Hub.md', '# Hub\n', 60);
  write(vault, 'mine.md', 'newer here\n', 1);
  write(remote, 'mine.md', 'older there\n', 60);
  for (const path of names) write(vault, path, 'old\n', 60);
  for (const path of names) write(remote, path, `[[Hub]] ${filler}`, 30);
  write(remote, 'new/New.md', '[[Hub]]\n', 30);
  const edits = editing(server.url, edited);
  const progress = [];
  const answer = await sync({ onprogress: (now) => progress.push(now) });
  const { lines, failed } = await edits.stop();
  check(`${title}: it ends well`, answer.ok && answer.value.direction === 'pull', answer);
  check(`${title}: progress is told`, progress.length > 1, progress);
  const isRising = progress.every(
    ({ progress: now }, at) => now > (progress[at - 1]?.progress ?? 0),
  );
  check(`${title}: progress rises`, isRising, progress);
  check(`${title}: notes are edited meanwhile`, lines.length > 1 && failed.length === 0, failed);
  check(`${title}: no edit is lost`, lost(vault, lines).length === 0, lost(vault, lines));
  const texts = filesOf(vault);
  const linked = names.filter((path) => texts[path].startsWith('[[Hub]]'));
  check(`${title}: what is newer there has come`, linked.length >= notes - 20, linked.length);
  check(`${title}: what is newer here has stayed`, texts['mine.md'] === 'newer here\n', texts);
  const found = await client.call('backlinks_search', { path: 'Hub.md' });
  const total = linked.length + 1;
  check(`${title}: the index knows it at once`, found.value.total === total, [found, total]);
  const again = await sync();
  check(`${title}: a second one has nothing to do`, again.value.transferred === 0, again);
  await checkVault(title, opened);
  check(`${title}: the server ends`, (await server.stop()) === 0, server.seen);
}

async function cutPull() {
  const title = 'a pull that is cut off';
  const opened = await open('cut', 'pull', { RCLONE_BWLIMIT: '25k' });
  const { vault, remote, server, sync, start } = opened;
  for (const path of names) write(vault, path, 'old\n', 60);
  for (const path of names) write(remote, path, filler, 30);
  const before = filesOf(vault);
  const controller = new AbortController();
  const onprogress = () => controller.abort();
  const other = await start();
  const second = await connectClient(other.url);
  const asked = [];
  let wasRunning = '';
  const cut = await sync({
    signal: controller.signal,
    onprogress: async () => {
      if (asked.length > 0) return;
      asked.push('now');
      wasRunning = await processes(`rclone.*${remote.slice(1)}`);
      asked.push(await sync(), await second.call('vault_sync'));
      onprogress();
    },
  });
  check(`${title}: it is given up`, !cut.ok, cut);
  const refused = asked.slice(1).filter(({ text }) => text.includes('already'));
  check(`${title}: no second one runs, from this server or another`, refused.length === 2, asked);
  const rclones = () => processes(`rclone.*${remote.slice(1)}`);
  check(`${title}: rclone ran`, wasRunning !== '', wasRunning);
  await until(async () => (await rclones()) === '', 'rclone still runs');
  check(`${title}: no note is changed or missing`, same(before, filesOf(vault)), 'they differ');
  await second.close();
  check(`${title}: the other server ends`, (await other.stop()) === 0, other.seen);

  let isTold = false;
  const code = new Promise((resolve) => {
    const tell = () => {
      if (!isTold) resolve(server.stop()); // A second SIGTERM would end it at once.
      isTold = true;
    };
    void sync({ onprogress: tell });
  });
  check(`${title}: a server that is told to end does`, (await code) === 0, server.seen);
  check(`${title}: and rclone with it`, (await rclones()) === '', await rclones());
  check(`${title}: and the vault is whole`, same(before, filesOf(vault)), 'they differ');

  const next = await start({ RCLONE_BWLIMIT: 'off' });
  const client = await connectClient(next.url);
  const answer = await client.call('vault_sync');
  check(`${title}: the next one brings all`, answer.value.transferred === notes, answer);
  const { 'log/here.md': _, ...pulled } = filesOf(vault);
  check(`${title}: as it is there`, same(pulled, filesOf(remote)), 'they differ');
  rmSync(remote, { recursive: true });
  const missing = await client.call('vault_sync');
  const isSaid = !missing.ok && missing.text.includes('not found') && !missing.text.includes(vault);
  check(`${title}: a remote that is gone is told with rclone's words`, isSaid, missing);
  check(
    `${title}: and changes nothing`,
    Object.keys(filesOf(vault)).length === notes + 1,
    'it did',
  );
  await checkVault(title, opened);
  await next.stop();
}

async function push() {
  const title = 'push';
  const opened = await open('push', 'push');
  const { vault, remote, server, sync } = opened;
  for (const path of names) write(vault, path, filler, 30);
  write(remote, 'only-there.md', 'stays\n', 90);
  write(remote, 'sub/n5.md', 'newer there\n', 0);
  write(vault, 'sub/.~vd-x.tmp', 'ours', 0);
  const edits = editing(server.url, edited.slice(6));
  const answers = [];
  for (let round = 0; round < 2; round++) answers.push(await sync());
  const { lines, failed } = await edits.stop();
  const isWell = answers.every(({ ok }) => ok) && failed.length === 0;
  check(`${title}: it ends well while notes are edited`, isWell, [answers, failed]);
  check(`${title}: no edit is lost`, lost(vault, lines).length === 0, lost(vault, lines));
  const torn = Object.entries(filesOf(remote)).filter(([path, text]) => {
    return (
      path.startsWith('sub/n') && !/^(All work[^\n]*\n|newer there\n)(\nedit \d+\.)*$/.test(text)
    );
  });
  check(
    `${title}: no note arrives in part`,
    torn.length === 0,
    torn.map(([path]) => path),
  );
  await sync();
  rmSync(join(vault, 'sub/.~vd-x.tmp'));
  const expected = { ...filesOf(vault), 'only-there.md': 'stays\n', 'sub/n5.md': 'newer there\n' };
  check(`${title}: the remote has all, and what it had`, same(expected, filesOf(remote)), 'no');
  await checkVault(title, opened);
  await server.stop();
}

async function bisync() {
  const title = 'bisync';
  const opened = await open('bisync', 'bisync');
  const { vault, remote, server, sync, client } = opened;
  for (const path of names) write(vault, path, filler, 30);
  write(vault, 'both.md', 'older here\n', 60);
  write(remote, 'both.md', 'newer there\n', 30);
  write(vault, 'other.md', 'newer here\n', 30);
  write(remote, 'other.md', 'older there\n', 60);
  write(remote, 'there.md', 'only there\n', 30);
  const first = await sync();
  check(`${title}: the first one ends well`, first.ok, first);
  const texts = filesOf(vault);
  check(`${title}: both sides are the same`, same(texts, filesOf(remote)), Object.keys(texts));
  const newer = [texts['both.md'], texts['other.md']];
  check(`${title}: the newer one won`, same(newer, ['newer there\n', 'newer here\n']), newer);

  const edits = editing(server.url, edited);
  const answers = [];
  for (let round = 0; round < 3; round++) {
    for (const path of names.slice(30 + 10 * round, 40 + 10 * round)) {
      write(remote, path, `[[there]] round ${round}\n`, 0);
    }
    answers.push(await sync());
  }
  const { lines, failed } = await edits.stop();
  const isWell = answers.every(({ ok }) => ok) && failed.length === 0;
  check(`${title}: it ends well while notes are edited`, isWell, [answers, failed]);
  check(`${title}: ${lines.length} edits, none is lost`, lost(vault, lines).length === 0, lines);
  const found = await client.call('backlinks_search', { path: 'there.md' });
  check(`${title}: the index knows it at once`, found.value.total === 30, found.text.slice(0, 500));
  rmSync(join(remote, 'there.md'));
  const last = await sync();
  check(`${title}: what is deleted there goes here`, !existsSync(join(vault, 'there.md')), last);
  check(`${title}: and is counted`, last.value.deleted === 1, last);
  check(`${title}: both sides are the same again`, same(filesOf(vault), filesOf(remote)), last);
  await checkVault(title, opened);
  await server.stop();
}

async function cutBisync() {
  const title = 'a bisync that is cut off';
  const opened = await open('torn', 'bisync', { RCLONE_BWLIMIT: '100k' });
  const { vault, remote, server, client, start } = opened;
  const first = await client.call('vault_sync');
  check(`${title}: the first one ends well`, first.ok, first);
  for (const path of names.slice(0, 20)) write(remote, path, filler, 0);
  for (const path of names.slice(20, 40)) write(vault, path, filler, 0);
  const controller = new AbortController();
  const onprogress = () => setTimeout(() => controller.abort(), 500);
  const cut = await client.call('vault_sync', {}, { signal: controller.signal, onprogress });
  check(`${title}: it is given up`, !cut.ok, cut);
  await server.stop();
  const torn = [vault, remote].map(
    (folder) => Object.values(filesOf(folder)).filter((text) => text.length < 10).length,
  );
  process.stdout.write(`    files that it left empty, here and there: ${torn}\n`);
  const next = await start({ RCLONE_BWLIMIT: 'off' });
  const again = await connectClient(next.url);
  const answer = await again.call('vault_sync');
  check(`${title}: the next one ends well`, answer.ok, answer);
  const whole = Object.fromEntries(names.slice(0, 40).map((path) => [path, filler]));
  const expected = { ...whole, 'log/here.md': 'Edits:\n' };
  check(`${title}: all notes are whole`, same(filesOf(vault), expected), 'they are not');
  check(`${title}: on both sides`, same(filesOf(remote), expected), 'they are not');
  await checkVault(title, opened);
  await next.stop();
}

/**
 * Kills the server with -9 in the middle of a bisync. With `alsoGuard`, the process that watches over
 * rclone is killed before it, so that rclone goes on until the next server ends it.
 */
async function killedBisync(name, title, { alsoGuard }) {
  const opened = await open(name, 'bisync', { RCLONE_BWLIMIT: '20k' });
  const { vault, remote, server, client, start } = opened;
  const first = await client.call('vault_sync');
  check(`${title}: the first sync ends well`, first.ok, first);
  for (const path of names) write(remote, path, filler, 0);
  const others = () => processes(`rclone.*${remote.slice(1)}`);
  const rclone = () => processes(`^[^ ]*rclone bisync.*${remote.slice(1)}`);
  void client.call('vault_sync').catch(() => undefined);
  await until(
    async () => (await rclone()) !== '',
    () => 'rclone does not run',
  );
  // Until it copies files, which it does after it has listed both sides.
  await until(
    () => Object.keys(filesOf(vault)).length > 1,
    () => Object.keys(filesOf(vault)),
  );
  const left = await rclone();
  if (alsoGuard) {
    // Rclone would end when it cannot print any more, and the server would end it without its guard.
    process.kill(Number(left), 'SIGSTOP');
    server.child.kill('SIGSTOP');
    const guards = (await others()).split('\n').filter((pid) => pid !== left);
    for (const pid of guards) process.kill(Number(pid), 'SIGKILL');
  }
  server.child.kill('SIGKILL');
  await server.ended;
  if (alsoGuard) {
    check(`${title}: rclone is left`, (await rclone()) === left, await others());
  } else {
    await until(
      async () => (await others()) === '',
      () => 'rclone still runs',
    );
    check(`${title}: rclone ends with it`, true, '');
  }
  const next = await start({ RCLONE_BWLIMIT: 'off' });
  const again = await connectClient(next.url);
  const [path, content] = ['log/here.md', 'Confirmed.'];
  const answer = await again.call('note_upsert', { path, content });
  const seen = [await others(), filesOf(vault)];
  check(`${title}: the next server writes`, answer.ok, answer);
  check(`${title}: no rclone runs when it has written`, seen[0] === '', seen[0]);
  const isKept = seen[1][path].endsWith(content) && filesOf(vault)[path].endsWith(content);
  check(`${title}: what was confirmed stays`, isKept, seen[1][path]);
  const synced = await again.call('vault_sync');
  check(`${title}: the next sync ends well`, synced.ok, synced);
  const texts = filesOf(vault);
  const torn = names.filter((note) => texts[note] !== filler);
  check(`${title}: all notes are whole`, torn.length === 0, torn);
  check(`${title}: and the confirmed one`, texts[path].endsWith(content), texts[path]);
  await checkVault(title, opened);
  await next.stop();
}

await Promise.all([
  pull(),
  cutPull(),
  push(),
  bisync(),
  cutBisync(),
  killedBisync('killed', 'a server that is killed during a bisync', { alsoGuard: false }),
  killedBisync('both-killed', 'a server that is killed with its guard', { alsoGuard: true }),
]);
// A call that was never answered would keep this process alive.
process.exit();

/** The ids of the processes whose command line matches, one on each line. */
async function processes(pattern) {
  return (await run('pgrep', ['-f', pattern])).stdout.trim();
}

function same(a, b) {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value) {
  return Array.isArray(value) ? value : Object.entries(value).sort();
}

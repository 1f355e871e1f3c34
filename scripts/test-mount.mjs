// Tests a running server with a vault on a real FUSE mount, which rclone makes of a local folder.
// The server notices edits in that folder. If the drive is unmounted, killed or hangs, calls answer
// `vault_not_found` and nothing is lost. When the drive is back, everything works again without a
// restart. This needs /dev/fuse and the right to mount. If anything else cannot be run, that is a
// failure, not a skip.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import {
  callTool,
  canMount,
  check,
  repository,
  run,
  serveWords,
  startProgram,
  startServer,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';

if (!canMount('vaults on mounts')) process.exit(0);

const rclone = await systemProgram('rclone');
await systemProgram('fusermount3', 'fuse3');
const { home, env } = temporaryHome('mount');
const below = join(home, 'below');
const vault = join(home, 'vault');
mkdirSync(vault);
mkdirSync(join(below, 'log'), { recursive: true });
writeFileSync(join(below, 'Hub.md'), '# Hub\n\n#first\n');
writeFileSync(join(below, 'log', 'Day.md'), 'to [[Hub]]\n');

const mountedAt = (path) =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[1] === path);

/** Mounts the folder, and returns the rclone process that serves the mount. */
async function mount() {
  const cache = ['--dir-cache-time', '1s', '--attr-timeout', '1s', '--poll-interval', '0'];
  const words = ['mount', below, vault, '--vfs-cache-mode', 'full', '--vfs-write-back', '0s'];
  const config = ['--config', join(home, 'rclone.conf')];
  const program = startProgram([rclone, ...words, ...cache, ...config], env);
  await until(
    () => mountedAt(vault),
    () => program.seen.stderr,
  );
  return program;
}

async function unmount() {
  const words = process.getuid() === 0 ? ['umount', '-l', vault] : ['fusermount3', '-uz', vault];
  const answer = await run(words[0], words.slice(1));
  if (mountedAt(vault)) throw new Error(`The vault cannot be unmounted:\n${answer.stderr}`);
}
process.on('exit', () => {
  // A folder that is still mounted could not be removed.
  if (mountedAt(vault)) process.stdout.write(`BAD ${vault} is still mounted\n`);
});

const tools = ['--tools', 'notes,agent'];
const serve = () => startServer(serveWords('--vault', vault, ...tools), env);
let drive = await mount();
let server = await serve();
const call = (name, args) => callTool(server.url, name, args);

/** The calls that are made, each with a text of its answer while the vault is there. */
const questions = [
  ['note_read', { path: 'Hub.md' }, '# Hub'],
  ['list_notes', {}, 'Day'],
  ['search_notes', { query: 'Hub' }, 'Hub'],
  ['search_notes', { query: 'first', mode: 'tag' }, 'Hub'],
  ['get_links', { name: 'Hub', direction: 'in' }, 'Day'],
  ['backlinks_search', { path: 'Hub.md' }, 'log/Day.md'],
  ['vault_search', { query: 'Hub' }, 'log/Day.md'],
  ['list_changes', {}, 'changes'],
  ['note_read', { path: 'none.md' }, 'exists'],
];
const writes = [
  ['note_upsert', { path: 'New.md', content: 'lost?' }],
  ['note_upsert', { path: 'Hub.md', content: 'lost?' }],
  ['create_note', { name: 'deep/New', content: 'lost?' }],
  ['rename_note', { old_name: 'Hub', new_name: 'Home' }],
  ['delete_note', { name: 'Hub' }],
];

async function checkThere(when) {
  for (const [tool, args, has] of questions) {
    let seen = '';
    const holds = async () => {
      seen = await call(tool, args);
      return seen.includes(has) && !isFailure(seen);
    };
    await until(holds, () => seen).catch(() => undefined);
    check(`${when}: ${tool} ${JSON.stringify(args)}`, await holds(), seen);
  }
}

function isFailure(answer) {
  return answer.includes('"isError":true') || answer.includes('"error":');
}

/** Unmounts the drive, and returns whether the folder beneath the mount is empty. */
async function isEmptyBeneath() {
  await unmount();
  await drive.ended;
  return readdirSync(vault).length === 0;
}

const advice = /(mounted\. Mount it again|cannot be reached any more|does not answer)/;

async function checkAway(when) {
  for (const [tool, args] of [...questions, ...writes]) {
    const seen = await call(tool, args);
    const isRight = isFailure(seen) && advice.test(seen);
    check(`${when}: ${tool} ${JSON.stringify(args)} says what to do`, isRight, seen);
  }
  const health = await fetch(new URL('/health', server.url));
  const text = await health.text();
  check(`${when}: /health`, health.status === 503 && text.includes('vault_not_found'), text);
}

/** Waits until the server notices. The system caches the drive's answers, here for one second. */
function untilAway() {
  const health = async () => (await fetch(new URL('/health', server.url))).status === 503;
  return until(health, () => 'the server says that all is well');
}

const follows = async (when, word) => {
  writeFileSync(join(below, `${word}.md`), `[[Hub]] #${word}\n`);
  let seen = '';
  const holds = async () => {
    seen = await call('search_notes', { query: word, mode: 'tag' });
    return seen.includes(`${word}.md`) || seen.includes(`\\"${word}\\"`);
  };
  await until(holds, () => seen).catch(() => undefined);
  check(`${when}: the index follows what changes below`, await holds(), seen);
};

await checkThere('mounted');
await follows('mounted', 'second');
const made = await call('note_upsert', { path: 'log/Mine.md', content: 'mine' });
check('mounted: a note is written', made.includes('created'), made);
await until(
  () => existsSync(join(below, 'log', 'Mine.md')),
  () => 'the note did not arrive below',
);

await unmount();
await drive.ended;
await checkAway('unmounted');
check('unmounted: nothing is written beneath', readdirSync(vault).length === 0, readdirSync(vault));
writeFileSync(join(vault, 'Stray.md'), 'stray\n');
await checkAway('unmounted, with a stray file beneath');

drive = await mount();
await checkThere('mounted again');
await follows('mounted again', 'third');
const changed = await call('note_upsert', { path: 'Hub.md', content: 'kept' });
check('mounted again: a note is written', changed.includes('"created'), changed);

drive.child.kill('SIGKILL');
await drive.ended;
const atOnce = await call('note_read', { path: 'Hub.md' });
check('its program killed: told at once', advice.test(atOnce), atOnce);
await untilAway();
await checkAway('its program killed');
await unmount();
drive = await mount();
await checkThere('mounted after that');

drive.child.kill('SIGSTOP');
await untilAway();
await checkAway('it hangs');
drive.child.kill('SIGCONT');
await checkThere('it answers again');

await unmount();
await drive.ended;
await server.stop();
rmSync(join(vault, 'Stray.md'));
const [program, ...args] = serveWords('--vault', vault);
const refused = await run(program, args, { env, timeout: 20_000 });
const isRefused = refused.code === 3 && refused.stderr.includes('Mount the drive');
check('started without the drive: refused, with what to do', isRefused, refused);
server = await startServer(serveWords('--vault', vault, '--wait-for-vault', ...tools), env);
const waiting = await call('list_notes', {});
check('waiting for the drive: says what to do', waiting.includes('Mount the drive'), waiting);
drive = await mount();
await checkThere('waited for the drive');
await server.stop();
check('nothing was written beneath the drive', await isEmptyBeneath(), 'see above');

drive = await mount();
server = await serve();
await checkThere('started with the drive');
const words = [join(repository, 'dist', 'vaultdoor.js'), 'check', '--vault', vault];
const checked = await run(process.execPath, words, { env });
check('the index is right in the end', checked.code === 0, checked);
await server.stop();
await unmount();
await drive.ended;

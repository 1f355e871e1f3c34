import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demoBrake, demoDay } from './demo-day.mjs';
import { makeDemoDay, makeDemoTokens } from './make-demo-day.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const program = join(repository, 'dist', 'vaultdoor.js');

/**
 * Serves a copy of the example vault until Ctrl-C, over MCP at port 1065 and Bridge v1 at port 3000,
 * and lets two clients change it. The last line that it prints is a link to the console. Vault and
 * state are in a temporary folder that is removed at the end. `--empty` leaves the changes out; all
 * other arguments are for `vaultdoor serve`.
 */
export async function serveDemo(args) {
  const flags = args.filter((arg) => arg !== '--empty');
  const isEmpty = flags.length < args.length;
  if (flags.some((flag) => flag === '--' || /^--vault(=|$)/.test(flag))) {
    process.stderr.write(
      'npm start serves a copy of the example vault. For your own: npx vaultdoor serve --vault <folder>\n',
    );
    process.exit(2);
  }
  const { env, vault } = makeFolder();
  const vaultdoor = async (words) => {
    const all = [program, ...words, '--vault', vault];
    return (await promisify(execFile)(process.execPath, all, { env })).stdout;
  };
  const tokens = isEmpty ? [] : await makeDemoTokens(demoDay, vaultdoor);
  const served = ['--vault', vault, '--bridge', '--log-reads', '--brake', `${demoBrake}`];
  const server = startServer([...served, '--log-level', 'warn', ...flags], env);

  const { url, link } = await server.addresses;
  if (!isEmpty) {
    const { leave } = server;
    const made = makeDemoDay({ day: demoDay, url, tokens, leave });
    const wrong = await made.catch((error) => [String(error)]);
    for (const line of wrong) process.stderr.write(`This part of the demo failed: ${line}\n`);
  }
  if (server.isEnding()) return;
  process.stdout.write(`\n${isEmpty ? emptyText : dayText}\n`);
  if (link === undefined) return;
  process.stdout.write(`${linkText}\n\n${link}\n`);
  // A link is good for one page. The keyboard is the way to another: `vaultdoor console` of the
  // reader's own shell does not know the temporary folder.
  if (!process.stdin.isTTY) return;
  process.stdin.resume().on('data', async () => {
    const printed = await vaultdoor(['console', '--no-browser']).catch(String);
    process.stdout.write(`${linkIn(printed) ?? printed}\n`);
  });
}

const dayText = `This is a copy of the example vault, and it is deleted at the end. Claude and Cursor have changed it
today: links were followed, a recipe was ruined, daily notes were deleted. Cursor wants to delete more
than the brake allows (here ${demoBrake} files in ten minutes, usually 25), and Claude proposes a change from the
phone: both wait for you in the console.`;

const emptyText = `This is a copy of the example vault, and it is deleted at the end. What a client changes in it
appears in the console.`;

const linkText = `The link opens the console once, within ten minutes${process.stdin.isTTY ? '; Enter prints another' : ''}:`;

/** Makes the vault, and the environment of a program that keeps everything beside it. */
function makeFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vaultdoor-demo-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const vault = join(folder, 'Tarnford');
  cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });
  // What the reader has set for vaults of their own does not hold for this one.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VAULTDOOR_|VAULT_PATH$|OBSIDIAN_VAULT_PATH$)/.test(name),
  );
  const env = {
    ...Object.fromEntries(kept),
    HOME: folder,
    USERPROFILE: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  return { env, vault };
}

/**
 * Starts `vaultdoor serve`, prints what it prints but for the link, and ends this process when it
 * ends. `addresses` resolves when it has printed them. The functions in
 * `leave` are called before it is told to end.
 */
function startServer(flags, env) {
  const child = spawn(process.execPath, [program, 'serve', ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches it through us alone: a second signal would end it at once.
    detached: true,
  });
  let isEnding = false;
  const leave = [];
  const end = async () => {
    if (isEnding) child.kill('SIGKILL');
    isEnding = true;
    // Otherwise the server waits for the call that waits for the owner.
    const left = Promise.allSettled(leave.map((ends) => ends()));
    await Promise.race([left, sleep(1_000)]);
    child.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  // A signal to npm ends the shell between npm and this process, and nothing else.
  const parent = process.ppid;
  const lost = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(lost);
    void end();
  }, 500);
  lost.unref();
  child.on('exit', (code) => {
    if (isEnding) process.exit(0);
    // It has said why, and which option helps: perhaps a port is taken.
    process.stderr.write('Options go behind "--": npm start -- --port 1066 --bridge-port 3001\n');
    process.exit(code ?? 1);
  });
  process.on('exit', () => child.kill('SIGKILL'));

  let text = '';
  const addresses = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      // It prints all of it at once, and the link last.
      const [before, after] = text.split(/(?<=^Ctrl-C ends it\.\n)/m);
      if (after === undefined) return;
      child.stdout.removeAllListeners('data').resume();
      process.stdout.write(before);
      resolve({ url: /http:\/\/\S+\/mcp\b/.exec(before)?.[0], link: linkIn(after) });
    });
  });
  return { addresses, leave, isEnding: () => isEnding };
}

function linkIn(text) {
  return /http:\/\/localhost:\d+\/c\/enter#k=[\w-]+/.exec(text)?.[0];
}

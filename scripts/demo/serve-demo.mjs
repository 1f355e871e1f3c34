import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
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

/** Where MCP and Bridge v1 are served, if nobody else is there. */
const usualPorts = { port: 1065, 'bridge-port': 3000 };
/** What the demo explains in its own words; with any other flag it prints all that the server says. */
const explained = /^--(port|bridge|bridge-port)(=|$)|^\d+$/;

/**
 * Serves a copy of the example vault over MCP until Ctrl-C, and plays three clients that change it. The last
 * line that it prints is a link to the console. Vault and state are in a temporary folder that is
 * removed at the end. Where a port is taken, it uses one that is free. `--empty` leaves the changes
 * out; all other arguments are for `vaultdoor serve`.
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
  const ports = await chosenPorts(flags);
  const { env, vault } = makeFolder();
  const vaultdoor = async (words) => {
    const all = [program, ...words, '--vault', vault];
    return (await promisify(execFile)(process.execPath, all, { env })).stdout;
  };
  const tokens = isEmpty ? [] : await makeDemoTokens(demoDay, vaultdoor);
  // A client of the reader's own, without a token, gets the tools that most people want.
  const tools = flags.some((flag) => /^--tools(=|$)/.test(flag)) ? [] : ['--tools', 'notes'];
  const brake = ['--brake', `${demoBrake}`];
  const served = ['--vault', vault, '--log-reads', ...brake, ...tools, ...ports.flags];
  const server = startServer([...served, '--log-level', 'warn', ...flags], env);

  const { said, url, bridge, link } = await server.addresses;
  if (!isEmpty) {
    const { leave } = server;
    const made = makeDemoDay({ day: demoDay, url, tokens, leave });
    const wrong = await made.catch((error) => [String(error)]);
    for (const line of wrong) process.stderr.write(`This part of the demo failed: ${line}\n`);
  }
  if (server.isEnding()) return;
  if (!flags.every((flag) => explained.test(flag))) process.stdout.write(`${said}\n`);
  process.stdout.write(
    [
      '',
      'Serving "Tarnford", a copy of the example vault, deleted at the end.',
      isEmpty ? emptyText : dayText,
      '',
      `For apps, not for a browser: ${url}`,
      ...(bridge === undefined ? [] : [`For scripts (Bridge v1): ${bridge}`]),
      ...ports.taken.map((port) => `Port ${port} is taken, so another one was chosen.`),
      'To connect your own notes: npx vaultdoor setup',
      'Ctrl-C ends it.',
      '',
    ].join('\n'),
  );
  if (link === undefined) return;
  process.stdout.write(`${linkText(env, vault)}\n\n${bold(link)}\n`);
  // A link is good for one page. The keyboard is the way to another: `vaultdoor console` of the
  // reader's own shell does not know the temporary folder.
  if (!process.stdin.isTTY) return;
  process.stdin.resume().on('data', async () => {
    const printed = await vaultdoor(['console', '--no-browser']).catch(String);
    process.stdout.write(`${linkIn(printed) ?? printed}\n`);
  });
}

const dayText = `Three apps are played for you; no app of yours is used, and no model. "Claude Desktop" and "Cursor"
have changed the copy: links were updated, a recipe was ruined, daily notes were deleted. The brake stopped "Cursor"
when it had deleted more than ${demoBrake} files in ten minutes (usually more than 25), and "claude.ai" proposes a change
from the phone: both wait for you in the console. "Claude Desktop" and "claude.ai" have the tools of the
toolset notes, "Cursor" those of the toolset agent; an app of your own that you connect gets notes.`;

const emptyText = 'What an app changes in it appears in the console.';

/** How to open the console, also a second time. */
function linkText(env, vault) {
  const once = 'Open this link in your browser; it works once, within ten minutes';
  if (process.stdin.isTTY) return `${once}. Enter prints another:`;
  if (process.platform === 'win32') return `${once}; after that, run npm start again:`;
  return `${once}. "sh ${writeLinkScript(env, vault)}" prints another:`;
}

/** Makes a text stand out at a terminal. */
function bold(text) {
  return process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text;
}

/** Writes a script that prints a link: the command itself is long. Answers its path. */
function writeLinkScript({ HOME, XDG_STATE_HOME, XDG_CACHE_HOME }, vault) {
  const script = join(HOME, 'link');
  const quoted = (words) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const places = [`XDG_STATE_HOME=${XDG_STATE_HOME}`, `XDG_CACHE_HOME=${XDG_CACHE_HOME}`];
  const command = [process.execPath, program, 'console', '--no-browser', '--vault', vault];
  writeFileSync(script, `exec env ${quoted([...places, ...command])}\n`);
  return script;
}

/** Flags for free ports in the place of usual ones that are taken, and which of those are. */
async function chosenPorts(flags) {
  const given = (name) =>
    flags.some((flag) => flag === `--${name}` || flag.startsWith(`--${name}=`));
  const wanted = [
    ...(given('port') || process.env.PORT ? [] : ['port']),
    ...(given('bridge') && !given('bridge-port') ? ['bridge-port'] : []),
  ];
  const chosen = { flags: [], taken: [] };
  for (const name of wanted) {
    if (await isFree(usualPorts[name])) continue;
    chosen.flags.push(`--${name}`, '0');
    chosen.taken.push(usualPorts[name]);
  }
  return chosen;
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}

/**
 * Gives the files of the copy times over the last year, as a vault has them that someone works in:
 * otherwise all of them were changed when the repository was cloned. A daily note or a meeting has the
 * time of the day in its name.
 */
function spreadTimes(vault) {
  const nowMs = Date.now();
  const files = readdirSync(vault, { recursive: true }).sort();
  for (const [at, file] of files.entries()) {
    // Neighbours in the list of files get times that lie far apart, most of them in the last weeks.
    const place = (((at * 29) % files.length) + 1) / files.length;
    const [day] = /\d{4}-\d\d-\d\d/.exec(file) ?? [];
    const dayMs = day === undefined ? Number.NaN : Date.parse(`${day}T18:30:00`);
    const timeMs = dayMs < nowMs ? dayMs : nowMs - 24 * 3_600_000 * (1 + 364 * place ** 3);
    utimesSync(join(vault, file), timeMs / 1000, timeMs / 1000);
  }
}

/** Makes the vault, and the environment of a program that keeps everything beside it. */
function makeFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vaultdoor-demo-')));
  process.on('exit', (code) => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (code === 0) process.stdout.write('\nThe copy was deleted.\n');
  });
  const vault = join(folder, 'Tarnford');
  cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });
  spreadTimes(vault);
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
    // The commands that the console shows are for a clone, in which only npx finds the program.
    npm_lifecycle_event: 'npx',
    npm_lifecycle_script: 'vaultdoor',
    // The console says that this vault does not last.
    VAULTDOOR_DEMO: 'true',
  };
  return { env, vault };
}

/**
 * Starts `vaultdoor serve`, and ends this process when it ends. `addresses` resolves when it has printed
 * them, with all that it has `said` but for the link. The functions in `leave` are called before it is
 * told to end.
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
    process.stderr.write('Options go behind "--": npm start -- --port 1066\n');
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
      const address = (pattern) => pattern.exec(before)?.[0];
      resolve({
        said: before,
        url: address(/http:\/\/\S+\/mcp\b/),
        bridge: address(/http:\/\/\S+\/bridge\/v1\b/),
        link: linkIn(after),
      });
    });
  });
  return { addresses, leave, isEnding: () => isEnding };
}

function linkIn(text) {
  return /http:\/\/localhost:\d+\/c\/enter#k=[\w-]+/.exec(text)?.[0];
}

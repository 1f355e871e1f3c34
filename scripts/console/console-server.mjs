import { cpSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { repository, run, startProgram, temporaryHome, until } from '../outside-programs.mjs';

const program = join(repository, 'dist', 'vaultdoor.js');

/**
 * Starts the built program on a copy of the example vault, in a home of its own. `prepare` is given the
 * vault before the server starts. The server is killed when this process ends.
 */
export async function startConsole({ name, flags = [], prepare = () => undefined, port = 0 }) {
  const { home, env } = temporaryHome(name);
  const vault = join(home, 'Tarnford');
  cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });
  const command = (words) =>
    run(process.execPath, [program, ...words, '--vault', vault], { env, timeout: 30_000 });
  await prepare({ vault, command });
  const words = [program, 'serve', '--vault', vault, '--port', String(port), ...flags];
  const { seen, stop } = startProgram([process.execPath, ...words], env);
  await until(
    () => linkIn(seen.stdout) !== '' && seen.stdout.includes('Ctrl-C'),
    () => `${seen.stdout}${seen.stderr}`,
    60,
  );
  const link = linkIn(seen.stdout);
  const { origin } = new URL(link);
  return {
    vault,
    link,
    origin,
    /** Everything that the server has printed so far, and its log. */
    said: () => seen.stdout,
    log: () => seen.stderr,
    stop,
    /** Runs a command of the same program on the same vault. */
    command,
    /** A new link to the console. */
    newLink: async () => {
      const { stdout } = await command(['console', '--no-browser']);
      return linkIn(stdout);
    },
    connectAs: (client, token) => connectAs(mcpOf(origin), client, token),
    callAs: (client, calls, token) => callAs(mcpOf(origin), client, calls, token),
  };
}

/** The link to the console in what a program has printed. */
function linkIn(text) {
  return /http:\/\/localhost:\d+\/c\/enter#k=[\w-]+/.exec(text)?.[0] ?? '';
}

/** Where clients reach a server. */
function mcpOf(origin) {
  return new URL('/mcp', origin.replace('localhost', '127.0.0.1'));
}

/** A client that has connected to an address. */
export async function connectAs(url, name, token) {
  const client = new Client({ name, version: '1.0.0' });
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

/** Calls tools as one client. Calls that wait for the owner are left alone after three seconds. */
async function callAs(url, name, calls, token) {
  const client = await connectAs(url, name, token);
  const answers = [];
  for (const [tool, args] of calls) {
    const call = client.callTool({ name: tool, arguments: args }).catch((error) => ({ error }));
    const late = new Promise((resolve) => setTimeout(resolve, 3_000, { isLate: true }));
    answers.push(await Promise.race([call, late]));
  }
  return answers;
}

/**
 * Records what must never happen on a page: dialogs and errors of scripts, messages about the policy,
 * and requests to anything but this machine.
 */
export function watchPage(page, messages) {
  page.on('pageerror', ({ message }) => messages.push(message));
  page.on('dialog', (dialog) => {
    messages.push(`a dialog of a script: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => messages.push(`a window: ${popup.url()}`));
  page.on('console', (message) => {
    // Chromium reports every answer that is no success, which the page shows to the owner, and what
    // slows drawing without a graphics card.
    const text = message.text();
    const isUsual = text.startsWith('Failed to load resource') || text.includes('GPU stall');
    if (['error', 'warning'].includes(message.type()) && !isUsual) messages.push(text);
  });
  page.on('request', (request) => {
    if (!/^(blob:)?http:\/\/localhost:/.test(request.url())) messages.push(request.url());
  });
}

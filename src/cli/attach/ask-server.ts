import { lstatSync, realpathSync } from 'node:fs';
import type { Socket } from 'node:net';
import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { vaultFolders } from '../../node/place/vault-folders.ts';
import { cliToolNames } from '../../tools/cli/load-cli-tool.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { hasFlag, splitCommand } from '../options/command-line.ts';
import { hint } from '../options/program-text.ts';
import type { Shell } from '../shell/shell.ts';
import {
  type AskedCommand,
  type CommandNews,
  type CommandReply,
  commandHello,
  commandVariables,
  surroundingsOf,
} from './attach-protocol.ts';

/**
 * Has a command done by the running server of its vault, and answers its exit code. Undefined when
 * there is none that can do it: then nothing has been read or changed. This is in the part of the
 * program that every start loads, so it imports little.
 */
export async function askServer(shell: Shell): Promise<number | undefined> {
  const path = socketOf(shell);
  if (path === undefined) return undefined;
  const { connectLocal, readFirstLine } = await import('../../node/server/local-socket.ts');
  const waitMs = limits.commandHelloMs;
  const endMs = performance.now() + waitMs;
  const socket = await connectLocal(path);
  if (socket === undefined || socket === 'busy') return undefined;
  socket.write(`${commandHello(shell.version)}\n`);
  const bytesMax = limits.helloBytesMax;
  const leftMs = Math.max(1, endMs - performance.now());
  if (!isAccepted(await readFirstLine(socket, { bytesMax, waitMs: leftMs }))) {
    socket.destroy();
    return undefined;
  }
  try {
    return await relayCommand(shell, socket);
  } finally {
    socket.destroy();
  }
}

/**
 * The socket of the server that may serve the vault of this command; undefined when there is none, or
 * when the command is not one for a server. The server itself looks exactly at which vault is meant.
 */
function socketOf({ argv, env, currentFolder }: Shell): string | undefined {
  // The pipes of Windows do not tell whose server listens there.
  if (process.platform === 'win32' || env['npm_lifecycle_event'] === 'npx') return undefined;
  const { name = '', rest } = splitCommand(argv, cliToolNames);
  const isTool = cliToolNames.some((tool) => tool === name || tool === `${name} list`);
  if (!isTool || hasFlag(rest, '--help', '-h')) return undefined;
  const at = argv.findLastIndex((word) => word === '--vault' || word.startsWith('--vault='));
  const flag = at === -1 ? undefined : argv[at]?.split('=').slice(1).join('=') || argv[at + 1];
  try {
    const { path } = chooseVault(flag, { env, currentFolder });
    const { state } = vaultFolders(realpathSync.native(path), env, process.platform);
    const socket = `${state}/mcp.sock`;
    const found = lstatSync(socket);
    return found.isSocket() && found.uid === process.getuid?.() ? socket : undefined;
  } catch {
    return undefined; // No server runs, or the command fails by itself and says why.
  }
}

function isAccepted(line: string | undefined): boolean {
  try {
    return (JSON.parse(line ?? '') as { ok?: unknown }).ok === true;
  } catch {
    return false;
  }
}

/** Sends the command, and does what the server asks for, until the command has ended. */
async function relayCommand(shell: Shell, socket: Socket): Promise<number | undefined> {
  const { argv, currentFolder, env, stdin, stdout, stderr, signal } = shell;
  const columns = stdout.columns ?? stderr.columns;
  const asked: AskedCommand = {
    argv,
    currentFolder,
    env: Object.fromEntries(commandVariables.map((name) => [name, env[name]])),
    terminal: {
      stdin: stdin.isTTY === true,
      stdout: stdout.isTTY === true,
      stderr: stderr.isTTY === true,
      ...(columns === undefined ? {} : { columns }),
    },
    surroundings: surroundingsOf(env),
  };
  const say = (what: AskedCommand | CommandReply): void =>
    void socket.write(`${JSON.stringify(what)}\n`);
  const abort = (): void => say({ is: 'abort' });
  signal.addEventListener('abort', abort, { once: true });
  say(asked);
  if (signal.aborted) abort();
  try {
    for await (const news of newsFrom(socket)) {
      if (news.is === 'alone') return undefined;
      if (news.is === 'end') return news.code;
      if (news.is === 'stdout') stdout.write(news.text);
      else if (news.is === 'stderr') stderr.write(news.text);
      else if (news.is === 'ask' || news.is === 'read') say(await replyTo(news, shell));
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
  throw new VaultError(
    'unavailable',
    `The server that did this command has ended; ${hint('history')} says whether something was changed.`,
  );
}

/** Reads the text, or asks the person, as the server wants. */
async function replyTo(
  news: Extract<CommandNews, { is: 'ask' | 'read' }>,
  shell: Shell,
): Promise<CommandReply> {
  try {
    if (news.is === 'read') {
      const { contentAt } = await import('../call/content-at.ts');
      return { is: 'content', text: await contentAt(shell, news.source, news.wanted) };
    }
    const { askAt } = await import('../shell/terminal.ts');
    const { stdin, stderr, signal } = shell;
    const ask = askAt(stdin, stderr, signal);
    return { is: 'answer', yes: (await ask?.(news.question, news.enter)) === true };
  } catch (error) {
    const { code, message } = toVaultError(error);
    return { is: 'failed', code, message };
  }
}

/** The lines of the server, until it hangs up. */
async function* newsFrom(socket: Socket): AsyncGenerator<CommandNews> {
  let rest: Buffer[] = [];
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
        const line = Buffer.concat([...rest, chunk.subarray(from, end)]);
        rest = [];
        from = end + 1;
        yield JSON.parse(line.toString('utf8')) as CommandNews;
      }
      rest.push(chunk.subarray(from));
    }
  } catch {
    // The connection was cut off.
  }
}

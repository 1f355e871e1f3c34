import { realpath } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { LineSplitter } from '../../doors/mcp/stdio/line-splitter.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { CommandPlace } from '../call/run-command.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hasFlag } from '../options/command-line.ts';
import { report } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';
import type { AskedCommand, CommandNews, CommandReply, Surroundings } from './attach-protocol.ts';

/** What a server needs to do the commands of its owner. */
export interface CommandServer {
  /** The shell of the server. */
  readonly shell: Shell;
  readonly vaults: readonly VaultSource[];
  /** Of the server, taken once: asking for the umask sets it for a moment, in all threads. */
  readonly surroundings: Surroundings;
  /** The `--allow-root` of the server: commands that are given another one work alone. */
  readonly allowRoots: readonly string[];
  readonly logger: Logger;
}

/**
 * Does a command that was typed elsewhere, over its socket, as its own process would: the caller's
 * door is `cli`, and what the server hides from its clients or forbids them does not hold for its
 * owner. Texts are read and questions are asked by the process of the command. When that process
 * leaves, the command is cancelled.
 */
export async function doCommand(socket: Socket, server: CommandServer): Promise<void> {
  const gone = new AbortController();
  const replies = new Replies(socket, () => gone.abort());
  const tell = (news: CommandNews): void => void socket.write(`${JSON.stringify(news)}\n`);
  const late = setTimeout(() => replies.end(), limits.helloMs);
  const asked = await replies.next();
  clearTimeout(late);
  const { surroundings, logger, shell: own } = server;
  const isHere = isAsked(asked) && isDeepStrictEqual(asked.surroundings, surroundings);
  if (!isHere || own.signal.aborted) return tell({ is: 'alone' });
  // When the server is told to end, a command gets as much time as the calls of clients.
  let ending: NodeJS.Timeout | undefined;
  const stop = (): void => {
    ending = setTimeout(() => replies.end(), limits.shutdownMs);
  };
  own.signal.addEventListener('abort', stop, { once: true });
  const shell = shellOf(asked, { server, signal: gone.signal, tell });
  const startMs = Date.now();
  try {
    const code = await run(shell, placeOf(asked, { server, replies, tell }));
    await flushed(socket, gone.signal, () => tell({ is: 'end', code }));
    logger.log('info', 'command', { ms: Date.now() - startMs, code });
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    tell({ is: 'alone' });
  } finally {
    own.signal.removeEventListener('abort', stop);
    clearTimeout(ending);
  }
}

/** Writes the last line, then waits until the system has taken all output, or the command has left. */
function flushed(socket: Socket, gone: AbortSignal, write: () => void): Promise<void> {
  return new Promise((resolve) => {
    gone.addEventListener('abort', () => resolve(), { once: true });
    write();
    if (gone.aborted || socket.destroyed) resolve();
    else socket.write('', () => resolve());
  });
}

/** The command is not for this server; nothing was done. */
class NotHere extends Error {}

async function run(shell: Shell, place: CommandPlace): Promise<number> {
  const { runCommand } = await import('../call/run-command.ts');
  try {
    return await runCommand(shell, [], place);
  } catch (error) {
    if (error instanceof NotHere) throw error;
    const json = hasFlag(shell.argv, '--json');
    return report(shell, { ok: false, error: toVaultError(error), content: [] }, json);
  }
}

/** The shell that the command was typed in. Its streams lead to the process of the command. */
function shellOf(
  { argv, currentFolder, env, terminal }: AskedCommand,
  parts: {
    readonly server: CommandServer;
    readonly signal: AbortSignal;
    readonly tell: (news: CommandNews) => void;
  },
): Shell {
  const { server, signal, tell } = parts;
  const { version, entryFile } = server.shell;
  const stream = (is: 'stdout' | 'stderr'): NodeJS.WriteStream => {
    const { columns } = terminal;
    const write = (text: string): boolean => {
      tell({ is, text });
      return true;
    };
    const seen = { isTTY: terminal[is], write, ...(columns === undefined ? {} : { columns }) };
    return seen as unknown as NodeJS.WriteStream;
  };
  return {
    argv,
    env,
    currentFolder,
    // Nothing is read from it here: see `placeOf`.
    stdin: { isTTY: false } as NodeJS.ReadStream,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    version,
    entryFile,
    signal,
  };
}

function placeOf(
  { terminal }: AskedCommand,
  parts: {
    readonly server: CommandServer;
    readonly replies: Replies;
    readonly tell: (news: CommandNews) => void;
  },
): CommandPlace {
  const { server, replies, tell } = parts;
  const reply = async (news: CommandNews): Promise<CommandReply> => {
    tell(news);
    return (await replies.next()) as CommandReply;
  };
  return {
    check: async (choice, allowRoots) => {
      if (allowRoots.length > 0 || server.allowRoots.length > 0) throw new NotHere();
      if ((await servedVault(choice, server.vaults)) === undefined) throw new NotHere();
    },
    open: async (choice) => {
      const vault = await servedVault(choice, server.vaults);
      // After `check` it is too late to let the command work alone: its stdin has been read.
      if (vault === undefined) throw new VaultError('unavailable', 'The vault is gone.');
      // The process of the command would look at every file now. While the index is being built, the
      // command waits for what it needs of it.
      const { keeper } = vault.parts;
      if (keeper.isReady('text')) await keeper.settleWithin(limits.courtesyWaitMs);
      return { vault, close: async () => undefined };
    },
    read: async (source, wanted) => {
      const got = await reply({ is: 'read', source, wanted });
      if (got.is === 'content') return got.text;
      if (got.is === 'failed') throw new VaultError(got.code, got.message);
      throw new VaultError('cancelled', 'The call was cancelled.');
    },
    ...(terminal.stdin && terminal.stderr
      ? {
          ask: async (question, enter) => {
            const got = await reply({ is: 'ask', question, enter });
            return got.is === 'answer' && got.yes;
          },
        }
      : {}),
  };
}

/** The vault of the command; undefined when this server does not serve it, or calls it otherwise. */
async function servedVault(
  { name, path }: VaultChoice,
  sources: readonly VaultSource[],
): Promise<Vault | undefined> {
  const folder = await realpath(path).catch(() => undefined);
  const source = sources.find((each) => each.name === name);
  const vault = await source?.open().catch(() => undefined);
  return vault?.parts.location === folder ? vault : undefined;
}

/** The lines that the process of a command sends. `abort`, and its end, do not wait to be asked for. */
class Replies {
  readonly #waiting: ((reply: unknown) => void)[] = [];
  readonly #come: unknown[] = [];
  readonly #onGone: () => void;
  #isOver = false;

  constructor(socket: Socket, onGone: () => void) {
    const lines = new LineSplitter(limits.commandBytesMax);
    this.#onGone = onGone;
    const over = (): void => this.end();
    socket.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        const reply = line.kind === 'line' ? parsed(line.bytes) : { is: 'abort' };
        if (isObject(reply) && reply['is'] === 'abort') over();
        else this.#take(reply);
      }
    });
    socket.on('end', over).on('close', over);
    socket.resume();
  }

  /** Answers `abort` to everyone who waits for a reply, now and later. */
  end(): void {
    this.#isOver = true;
    this.#onGone();
    for (const give of this.#waiting.splice(0)) give({ is: 'abort' });
  }

  next(): Promise<unknown> {
    if (this.#come.length > 0) return Promise.resolve(this.#come.shift());
    if (this.#isOver) return Promise.resolve({ is: 'abort' });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #take(reply: unknown): void {
    const give = this.#waiting.shift();
    if (give === undefined) this.#come.push(reply);
    else give(reply);
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return { is: 'abort' };
  }
}

/** Both programs have the same version, so what has the right members has the right form. */
function isAsked(value: unknown): value is AskedCommand {
  return isObject(value) && Array.isArray(value['argv']) && isObject(value['surroundings']);
}

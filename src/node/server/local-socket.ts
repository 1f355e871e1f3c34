import { randomBytes } from 'node:crypto';
import { chmod, lstat, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolders } from '../place/vault-folders.ts';
import { errnoOf } from '../system/disk-error.ts';

export interface LocalListener {
  /** Accepts no more connections and removes the socket. Open connections stay. */
  close(): Promise<void>;
}

const ownerOnly = 0o600;
/** The longest path that a socket may have on macOS; on Linux it is four bytes more. */
const pathBytesMax = 103;

/** The path at which this user's programs reach the server of a vault: a socket, or a Windows pipe. */
export function localSocketPath(
  { id, state }: Pick<VaultFolders, 'id' | 'state'>,
  platform: NodeJS.Platform,
): string {
  return platform === 'win32' ? `\\\\.\\pipe\\vaultdoor-${id}` : `${state}/mcp.sock`;
}

/**
 * Listens for connections of this user's programs. A socket that a dead server has left is replaced.
 * Fails with `already_exists` when another server listens there, or when something other than a socket
 * is at the path, and with `unavailable` when the system refuses. `alone` runs its work while no other
 * process does the same.
 */
export async function listenLocal(parts: {
  readonly path: string;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onConnection: (socket: Socket) => void;
  /** The message when a server is already listening, and the advice when the path is too long. */
  readonly says: { readonly taken: string; readonly shorter: string };
}): Promise<LocalListener> {
  const { path, alone, onConnection, says } = parts;
  const temporary = isPipe(path) ? path : join(dirname(path), `.${randomBytes(3).toString('hex')}`);
  if (Math.max(Buffer.byteLength(path), Buffer.byteLength(temporary)) > pathBytesMax) {
    throw new VaultError(
      'unavailable',
      `The path "${path}" is too long for a socket; ${says.shorter}.`,
    );
  }
  return alone(async () => {
    const other = await connectLocal(path);
    if (other !== undefined) {
      if (other !== 'busy') other.destroy();
      throw new VaultError('already_exists', says.taken);
    }
    if (!isPipe(path)) await refuseOther(path);
    // A client may close its sending side and still wait for the answer.
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined); // The client has left; reading from the socket ends too.
      onConnection(socket);
    });
    try {
      return await (isPipe(path)
        ? listenAtPipe(server, path)
        : listenAtFile(server, { temporary, path }));
    } catch (error) {
      server.close();
      const reason = errnoOf(error) ?? 'unknown';
      throw new VaultError('unavailable', `The system refused to open the socket (${reason}).`, {
        cause: error,
      });
    }
  });
}

/**
 * A connection to the server at this path. Undefined when there is none, `busy` when it cannot answer.
 */
export function connectLocal(path: string): Promise<Socket | 'busy' | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('error', (error) => {
      const errno = errnoOf(error) ?? '';
      resolve(['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(errno) ? undefined : 'busy');
    });
    socket.once('connect', () => {
      socket.removeAllListeners('error').on('error', () => undefined);
      resolve(socket);
    });
  });
}

/**
 * Reads the first line, without its line end, and leaves the rest unread. Undefined when the other
 * side closes before the line ends, sends more than `bytesMax`, or takes longer than `waitMs`.
 */
export function readFirstLine(
  socket: Socket,
  { bytesMax, waitMs }: { readonly bytesMax: number; readonly waitMs: number },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const end = (line?: string): void => {
      clearTimeout(timer);
      socket.pause().off('data', take).off('end', giveUp).off('close', giveUp);
      resolve(line);
    };
    const giveUp = (): void => end();
    const timer = setTimeout(giveUp, waitMs);
    const take = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const at = received.indexOf('\n');
      if (at < 0) {
        if (received.length > bytesMax) giveUp();
        return;
      }
      end(received.toString('utf8', 0, at));
      if (at + 1 < received.length) socket.unshift(received.subarray(at + 1));
    };
    socket.on('data', take).once('end', giveUp).once('close', giveUp);
  });
}

/** Fails when something other than a socket of this user is at the path: it is not ours to remove. */
async function refuseOther(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  const isOurs = found.uid === (process.getuid?.() ?? found.uid);
  if (found.isSocket() && isOurs) return;
  throw new VaultError(
    'already_exists',
    `"${path}" exists and is not a socket${isOurs ? '' : ' of yours'}; move it away, or choose another path.`,
  );
}

/**
 * Listens under a temporary name and then renames the socket: under its real name it is private from
 * the first moment, and it replaces an old one. Node removes a socket by the name at which it
 * listened, so it cannot remove the socket of a later server when ours closes.
 */
async function listenAtFile(
  server: Server,
  { temporary, path }: { readonly temporary: string; readonly path: string },
): Promise<LocalListener> {
  await listening(server, temporary);
  await chmod(temporary, ownerOnly);
  await rename(temporary, path);
  const { dev, ino } = await lstat(path);
  return {
    async close() {
      server.close();
      const now = await lstat(path).catch(() => undefined);
      if (now?.dev === dev && now.ino === ino) await rm(path, { force: true });
    },
  };
}

async function listenAtPipe(server: Server, path: string): Promise<LocalListener> {
  await listening(server, path);
  return {
    async close() {
      server.close();
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      // Later errors are about single connections.
      server.off('error', reject).on('error', () => undefined);
      resolve();
    });
  });
}

function isPipe(path: string): boolean {
  return path.startsWith('\\\\');
}

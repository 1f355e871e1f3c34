import { randomBytes } from 'node:crypto';
import { chmod, lstat, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolders } from '../place/vault-folders.ts';
import { errnoOf } from '../system/disk-error.ts';

export interface LocalListener {
  /** Lets nobody in any more, and takes the socket away; those who are in stay. */
  close(): Promise<void>;
}

const ownerOnly = 0o600;
/** The longest path of a socket on macOS; Linux has four bytes more. */
const pathBytesMax = 103;

/** Where programs of this user reach the server of a vault: a socket file, on Windows a named pipe. */
export function localSocketPath(
  { id, state }: Pick<VaultFolders, 'id' | 'state'>,
  platform: NodeJS.Platform,
): string {
  return platform === 'win32' ? `\\\\.\\pipe\\vaultdoor-${id}` : `${state}/mcp.sock`;
}

/**
 * Listens for programs of this user. A socket that a dead server left is replaced; anything else
 * that lies there is not ours to remove. Fails with `already_exists` then, and where another server
 * listens, and with `unavailable` where the system does not let us. `alone` keeps other processes
 * from doing the same meanwhile.
 */
export async function listenLocal(parts: {
  readonly path: string;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onConnection: (socket: Socket) => void;
  /** The sentence for a server that listens already, and what to do about a path that is too long. */
  readonly says: { readonly taken: string; readonly shorter: string };
}): Promise<LocalListener> {
  const { path, alone, onConnection, says } = parts;
  const begun = isPipe(path) ? path : join(dirname(path), `.${randomBytes(3).toString('hex')}`);
  if (Math.max(Buffer.byteLength(path), Buffer.byteLength(begun)) > pathBytesMax) {
    throw new VaultError(
      'unavailable',
      `A socket cannot have a path as long as "${path}"; ${says.shorter}.`,
    );
  }
  return alone(async () => {
    const other = await connectLocal(path);
    if (other !== undefined) {
      if (other !== 'busy') other.destroy();
      throw new VaultError('already_exists', says.taken);
    }
    if (!isPipe(path)) await refuseOther(path);
    // A half-closed connection has said all, and is yet to be answered.
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined); // It has left: reading tells of it, too.
      onConnection(socket);
    });
    try {
      return await (isPipe(path)
        ? listenAtPipe(server, path)
        : listenAtFile(server, { begun, path }));
    } catch (error) {
      server.close();
      const reason = errnoOf(error) ?? 'unknown';
      throw new VaultError('unavailable', `The system does not let us listen there (${reason}).`, {
        cause: error,
      });
    }
  });
}

/**
 * A connection to the server that listens there. Undefined where none does, `busy` where one cannot
 * be reached now.
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
 * The first line that comes, without its end; what comes after it is left to be read. Undefined
 * when the other side leaves before, or says too much, or takes too long.
 */
export function readFirstLine(
  socket: Socket,
  { bytesMax, waitMs }: { readonly bytesMax: number; readonly waitMs: number },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let come = Buffer.alloc(0);
    const end = (line?: string): void => {
      clearTimeout(timer);
      socket.pause().off('data', take).off('end', giveUp).off('close', giveUp);
      resolve(line);
    };
    const giveUp = (): void => end();
    const timer = setTimeout(giveUp, waitMs);
    const take = (chunk: Buffer): void => {
      come = Buffer.concat([come, chunk]);
      const at = come.indexOf('\n');
      if (at < 0) {
        if (come.length > bytesMax) giveUp();
        return;
      }
      end(come.toString('utf8', 0, at));
      if (at + 1 < come.length) socket.unshift(come.subarray(at + 1));
    };
    socket.on('data', take).once('end', giveUp).once('close', giveUp);
  });
}

/** Whatever is no socket was not left by a server. */
async function refuseOther(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isSocket()) return;
  throw new VaultError(
    'already_exists',
    `"${path}" is there, and is no socket; move it away, or listen elsewhere.`,
  );
}

/**
 * Listens under another name first: the socket is there for its owner alone from its first moment,
 * and takes the place of an old one. Nor does the system then remove a later one at our end.
 */
async function listenAtFile(
  server: Server,
  { begun, path }: { readonly begun: string; readonly path: string },
): Promise<LocalListener> {
  await listening(server, begun);
  await chmod(begun, ownerOnly);
  await rename(begun, path);
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
      // What fails from here on is one connection.
      server.off('error', reject).on('error', () => undefined);
      resolve();
    });
  });
}

function isPipe(path: string): boolean {
  return path.startsWith('\\\\');
}

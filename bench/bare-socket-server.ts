import {
  appendFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { replacePlainly } from './replace-plainly.ts';

// The floor for bench/remote-bench.ts: the frames of the remote protocol and the system calls that an
// answer cannot do without, synchronously and with no checks: no token, no schema, no symlinks, no
// lock, no history to undo from. `node scripts/run-ts.mjs bench/bare-socket-server.ts <socket>
// <folder> <record>` serves a folder and appends to a record beside it.

type Params = Readonly<Record<string, string>>;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: Params;
}

/** What is asked, with the system calls of each. */
function answerers(root: string, record: string): Readonly<Record<string, (p: Params) => unknown>> {
  const log = openSync(record, 'a');
  const at = (path = ''): string => join(root, path);

  /** stat */
  const stat = ({ path }: Params) => {
    const { mtimeMs, size, mode } = statSync(at(path));
    return { type: 'file', mtime: Math.floor(mtimeMs), size, mode: mode & 0o7777 };
  };

  /**
   * Those of a safe write: the record with the new bytes appended and fsynced (ours is a row of
   * history), the temporary file made, written and fsynced, rename, fsync of the folder, stat.
   */
  const put = (path: string, bytes: Buffer): unknown => {
    writeSync(log, Buffer.concat([Buffer.from(`${path} ${bytes.length}\n`), bytes]));
    fsyncSync(log);
    const file = at(path);
    replacePlainly(file, bytes);
    return { mtime: Math.floor(statSync(file).mtimeMs) };
  };

  /** readdir of each folder and lstat of each entry. */
  const walk = (folder: string, entries: object[]): object[] => {
    for (const entry of readdirSync(at(folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const { mtimeMs, size } = lstatSync(at(path));
      const isFolder = entry.isDirectory();
      const type = isFolder ? 'folder' : 'file';
      entries.push({ path, type, mtime: Math.floor(mtimeMs), size: isFolder ? 0 : size });
      if (isFolder) walk(path, entries);
    }
    return entries;
  };

  return {
    auth: () => ({ ok: true }),
    'fs.stat': stat,
    /** open, fstat, read, close */
    'fs.readBinary': ({ path }) => {
      const bytes = readFileSync(at(path));
      return { contentBase64: bytes.toString('base64'), mtime: 0, size: bytes.length };
    },
    'fs.write': ({ path = '', content = '' }) => put(path, Buffer.from(content)),
    /** An append that is old or new, as ours is: the file read, and written anew. */
    'fs.append': ({ path = '', content = '' }) =>
      put(path, Buffer.concat([readFileSync(at(path)), Buffer.from(content)])),
    'fs.walk': () => ({ entries: walk('', []), truncated: false }),
  };
}

function serve(socket: Socket, answers: ReturnType<typeof answerers>): void {
  let come: Buffer = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    come = come.length === 0 ? chunk : Buffer.concat([come, chunk]);
    for (;;) {
      const end = come.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(come.toString('latin1', 'Content-Length: '.length, end));
      if (come.length < end + 4 + length) return;
      const call = JSON.parse(come.toString('utf8', end + 4, end + 4 + length)) as Call;
      come = come.subarray(end + 4 + length);
      const result = answers[call.method]?.(call.params);
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }));
      socket.cork();
      socket.write(`Content-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
      socket.uncork();
    }
  });
}

export function main([socket = '', folder = '', record = '']: readonly string[]): void {
  appendFileSync(record, '');
  const answers = answerers(folder, record);
  createServer((client) => serve(client, answers)).listen(socket);
}

import {
  appendFileSync,
  closeSync,
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

// The server that bench/remote-bench.ts compares the daemon with: the least that any server must
// do. It reads the messages of the remote protocol and makes only the system calls that an answer
// needs, all of them synchronously. It checks nothing: it has no token, no schema, no check of
// symlinks, no lock and no history. `node scripts/run-ts.mjs bench/bare-socket-server.ts <socket>
// <folder> <record>` serves a folder, and appends every write to the file `record`.

type Params = Readonly<Record<string, string>>;

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: Params;
}

/** The function that answers each method. The comments list its system calls. */
function answerers(root: string, record: string): Readonly<Record<string, (p: Params) => unknown>> {
  const log = openSync(record, 'a');
  const at = (path = ''): string => join(root, path);

  /** stat */
  const stat = ({ path }: Params) => {
    const { mtimeMs, size, mode } = statSync(at(path));
    return { type: 'file', mtime: Math.floor(mtimeMs), size, mode: mode & 0o7777 };
  };

  /**
   * The calls of a safe write: append the new bytes to the record and fsync it (the daemon writes a
   * row of its history), create, write and fsync the temporary file, rename, fsync of the folder,
   * stat.
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
    /**
     * An append that a crash cannot leave half done, as in the daemon: read the file, write it
     * anew.
     */
    'fs.append': ({ path = '', content = '' }) =>
      put(path, Buffer.concat([readFileSync(at(path)), Buffer.from(content)])),
    /** An append in place, as the first public daemon made it: open, write, fsync, stat. */
    'fs.appendBinary': ({ path = '', contentBase64 = '' }) => {
      const file = openSync(at(path), 'a');
      writeSync(file, Buffer.from(contentBase64, 'base64'));
      fsyncSync(file);
      closeSync(file);
      return { mtime: Math.floor(statSync(at(path)).mtimeMs) };
    },
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

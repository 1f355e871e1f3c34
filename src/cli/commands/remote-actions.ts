import { once } from 'node:events';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { RemoteClient } from '../../doors/remote/remote-client.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { readBytes } from '../call/read-content.ts';
import type { RemoteAction } from '../options/remote-options.ts';
import { print } from '../shell/report.ts';
import type { Shell } from '../shell/shell.ts';

/** How much of a large file is read with one call. */
const rangeBytes = 8 * 1024 * 1024;

/** Does one action and prints its result. Fails with the `RemoteError` that the daemon answers. */
export async function runRemoteAction(
  shell: Shell,
  client: RemoteClient,
  action: RemoteAction & { readonly json: boolean },
): Promise<void> {
  switch (action.name) {
    case 'ls':
      return list(shell, client, action);
    case 'cat':
      return printFile(shell, client, action);
    case 'put':
      return put(shell, client, action);
    case 'watch':
      return watch(shell, client, action);
    case 'info':
      return printInfo(shell, client, action);
  }
}

type Asked<Name> = Extract<RemoteAction, { readonly name: Name }> & { readonly json: boolean };

async function list(shell: Shell, client: RemoteClient, asked: Asked<'ls'>): Promise<void> {
  const answer = (await client.call('fs.list', { path: asked.path })) as {
    readonly entries: readonly { readonly name: string; readonly type: string }[];
  };
  const names = answer.entries.map(
    ({ name, type }) => plain(name) + (type === 'folder' ? '/' : ''),
  );
  print(shell, asked.json ? asJson(answer) : lines(names));
}

/** Prints a file. A large one is read in pieces; it fails if the file changes between two of them. */
async function printFile(
  shell: Shell,
  client: RemoteClient,
  { path }: Asked<'cat'>,
): Promise<void> {
  const stat = (await client.call('fs.stat', { path })) as { readonly size: number } | null;
  if (stat !== null && stat.size > limits.remoteReadBytesMax) {
    return printRanges(shell, client, path);
  }
  const { contentBase64 } = (await client.call('fs.readBinary', { path })) as Piece;
  await write(shell, Buffer.from(contentBase64, 'base64'));
}

interface Piece {
  readonly contentBase64: string;
  readonly mtime: number;
  readonly size: number;
}

async function printRanges(shell: Shell, client: RemoteClient, path: string): Promise<void> {
  let expectedMtime = 0; // 0 accepts any time.
  let size = 1;
  for (let offset = 0; offset < size; ) {
    const piece = (await client.call('fs.readBinaryRange', {
      path,
      offset,
      length: rangeBytes,
      expectedMtime,
    })) as Piece;
    const bytes = Buffer.from(piece.contentBase64, 'base64');
    if (bytes.length === 0) return; // The file became shorter within the same millisecond.
    await write(shell, bytes);
    offset += bytes.length;
    expectedMtime = piece.mtime;
    size = piece.size;
  }
}

async function write({ stdout, signal }: Shell, bytes: Uint8Array): Promise<void> {
  if (!stdout.write(bytes)) await once(stdout, 'drain', { signal });
}

async function put(shell: Shell, client: RemoteClient, asked: Asked<'put'>): Promise<void> {
  const { path, file, ifMtime, json } = asked;
  const { stdin, currentFolder, signal } = shell;
  const source =
    file === undefined ? ({ from: 'stdin' } as const) : { from: 'file' as const, file };
  if (file === undefined && stdin.isTTY) {
    shell.stderr.write('vaultdoor: Reading the file from the terminal; Ctrl-D ends it.\n');
  }
  const bytesMax = limits.remoteReadBytesMax;
  const bytes = await readBytes(source, { stdin, currentFolder, signal, bytesMax });
  const answer = await client.call('fs.writeBinary', {
    path,
    contentBase64: Buffer.from(bytes).toString('base64'),
    ...(ifMtime === undefined ? {} : { expectedMtime: ifMtime }),
  });
  print(shell, json ? asJson(answer) : `Wrote ${plain(path)} (${bytes.length} bytes).\n`);
}

async function watch(shell: Shell, client: RemoteClient, asked: Asked<'watch'>): Promise<void> {
  const { signal } = shell;
  await client.watch(asked.path, { recursive: true }, ({ event, path, mtime }) => {
    print(
      shell,
      asked.json
        ? `${JSON.stringify({ event, path, mtime })}\n`
        : `${event.padEnd('modified'.length)} ${plain(path)}\n`,
    );
  });
  await new Promise<void>((resolve, reject) => {
    client.onClose(() => reject(new VaultError('unavailable', 'The daemon has gone away.')));
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function printInfo(shell: Shell, client: RemoteClient, { json }: Asked<'info'>): Promise<void> {
  const { version, protocolVersion, vaultRoot, capabilities } = client.info;
  print(
    shell,
    json
      ? asJson(client.info)
      : lines([
          `version: ${plain(version)}`,
          `protocol: ${protocolVersion}`,
          `vault: ${plain(vaultRoot)}`,
          `capabilities: ${capabilities.map(plain).join(', ')}`,
        ]),
  );
  return Promise.resolve();
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

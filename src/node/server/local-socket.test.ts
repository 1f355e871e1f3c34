import { once } from 'node:events';
import { existsSync, lchownSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { socketPair } from '../../../test/support/socket-pair.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  connectLocal,
  type LocalListener,
  listenLocal,
  localSocketPath,
  readFirstLine,
} from './local-socket.ts';

/** Listens there and answers everybody with a word. */
async function listen(path: string, word: string): Promise<LocalListener> {
  const listener = await listenLocal({
    path,
    alone: (work) => work(),
    onConnection: (socket) => socket.end(`${word}\n`),
    says: { taken: 'Someone listens.', shorter: 'set XDG_STATE_HOME' },
  });
  onTestFinished(() => listener.close());
  return listener;
}

/** Who answers there. */
async function whoAnswers(path: string): Promise<string | undefined> {
  const socket = await connectLocal(path);
  if (socket === undefined || socket === 'busy') return undefined;
  onTestFinished(() => void socket.destroy());
  return readFirstLine(socket, { bytesMax: 100, waitMs: 10_000 });
}

/** A socket whose server is dead. */
async function leaveSocket(path: string): Promise<void> {
  const server = createServer().listen(`${path}-1`);
  await once(server, 'listening');
  renameSync(`${path}-1`, path);
  server.close();
  await once(server, 'close');
}

it.each<[NodeJS.Platform, string]>([
  ['linux', '/state/0123/mcp.sock'],
  ['darwin', '/state/0123/mcp.sock'],
  ['win32', '\\\\.\\pipe\\vaultdoor-0123'],
])('on %s the server of a vault is at %s', (platform, path) => {
  expect(localSocketPath({ id: '0123', state: '/state/0123' }, platform)).toBe(path);
});

describe.skipIf(process.platform === 'win32')('a local socket', () => {
  it('is for its owner alone, and gone at the end', async () => {
    const path = join(tempFolder(), 'mcp.sock');
    const listener = await listen(path, 'here');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await whoAnswers(path)).toBe('here');
    await listener.close();
    expect(existsSync(path)).toBe(false);
    expect(await connectLocal(path)).toBeUndefined();
  });

  it.each<[string, (path: string) => Promise<void>]>([['a socket of a dead server', leaveSocket]])(
    'takes the place of %s',
    async (_what, leave) => {
      const path = join(tempFolder(), 'mcp.sock');
      await leave(path);
      expect(await connectLocal(path)).toBeUndefined();
      await listen(path, 'new');
      expect(await whoAnswers(path)).toBe('new');
    },
  );

  it('leaves a file alone that is no socket', async () => {
    const path = join(tempFolder({ 'mcp.sock': 'mine' }), 'mcp.sock');
    expect(await failureOf(listen(path, 'new'))).toMatchObject({ code: 'already_exists' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  // Only root can give a socket away.
  it.skipIf(process.getuid?.() !== 0)('leaves the socket of another user alone', async () => {
    const path = join(tempFolder(), 'mcp.sock');
    await leaveSocket(path);
    lchownSync(path, 65_534, 65_534);
    const failure = await failureOf(listen(path, 'new'));
    expect(failure).toMatchObject({ code: 'already_exists' });
    expect(failure.message).toContain('is not a socket of yours');
    expect(statSync(path).uid).toBe(65_534);
  });

  it('leaves nothing but itself in its folder', async () => {
    const folder = tempFolder();
    await listen(join(folder, 's'), 'here');
    expect(readdirSync(folder)).toEqual(['s']);
  });

  it('leaves a server alone that listens', async () => {
    const path = join(tempFolder(), 'mcp.sock');
    await listen(path, 'first');
    expect(await failureOf(listen(path, 'second'))).toMatchObject({ code: 'already_exists' });
    expect(await whoAnswers(path)).toBe('first');
  });

  it('leaves the socket of a later server alone at its end', async () => {
    const path = join(tempFolder(), 'mcp.sock');
    const first = await listen(path, 'first');
    renameSync(path, `${path}-old`);
    await listen(path, 'second');
    await first.close();
    expect(await whoAnswers(path)).toBe('second');
  });

  it('has a path of limited length, and says how to make it shorter', async () => {
    const path = join(tempFolder(), 'x'.repeat(100), 'mcp.sock');
    const failure = await failureOf(listen(path, 'here'));
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(failure.message).toContain('XDG_STATE_HOME');
  });

  it('needs a folder that may be written to', async () => {
    const failure = await failureOf(listen(join(tempFolder(), 'none', 'mcp.sock'), 'here'));
    expect(failure).toMatchObject({ code: 'unavailable' });
  });
});

describe.skipIf(process.platform === 'win32')('the first line', () => {
  it('is read without what follows it', async () => {
    const { server: socket, client: other } = await socketPair();
    other.write('hel');
    other.end('lo\nand\nmore');
    expect(await readFirstLine(socket, { bytesMax: 100, waitMs: 10_000 })).toBe('hello');
    let rest = '';
    for await (const chunk of socket) rest += String(chunk);
    expect(rest).toBe('and\nmore');
  });

  it.each<[string, (other: Socket) => void]>([
    ['the other side leaves', (other) => other.end('no line')],
    ['the other side breaks off', (other) => other.destroy()],
    ['it is too long', (other) => other.write('x'.repeat(200))],
    ['it takes too long', () => undefined],
  ])('is not there when %s', async (_when, act) => {
    const { server: socket, client: other } = await socketPair();
    act(other);
    expect(await readFirstLine(socket, { bytesMax: 100, waitMs: 200 })).toBeUndefined();
  });
});

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { standInPrograms } from '../../../../test/support/stand-in-programs.ts';
import { tempFolder, writeFiles } from '../../../../test/support/temp-folder.ts';
import { connectLocal, listenLocal, readFirstLine } from '../../server/local-socket.ts';
import { forwardOverSsh } from './ssh-forward.ts';

type SshTarget = Parameters<typeof forwardOverSsh>[0];

const target: SshTarget = { host: 'me@host', socket: 'own/s', tokenFile: "own/it's a token" };

/** A home with a token, and a daemon that says a word to everybody. */
function home() {
  const programs = standInPrograms('ssh');
  writeFiles(programs.folder, { "own/it's a token": 'secret' });
  return programs;
}

function forward(
  env: Readonly<Record<string, string>>,
  changes: Partial<SshTarget> = {},
): ReturnType<typeof forwardOverSsh> {
  const place = { asks: false, platform: process.platform, signal: new AbortController().signal };
  return forwardOverSsh({ ...target, ...changes }, { ...place, env });
}

describe.skipIf(process.platform === 'win32')('a daemon behind ssh', () => {
  it.each(['works', 'greets'])('is reached as if it were here (ssh %s)', async (how) => {
    const { env, folder, calls } = home();
    const listener = await listenLocal({
      path: join(folder, 'own', 's'),
      alone: (work) => work(),
      onConnection: (socket) => socket.end('here\n'),
      says: { taken: '', shorter: '' },
    });
    onTestFinished(() => listener.close());
    const { path, token, close } = await forward({ ...env, STAND_IN_SSH: how });
    expect(token).toBe('secret');
    const socket = await connectLocal(path);
    if (socket === undefined || socket === 'busy') throw new Error('Nobody listens.');
    expect(await readFirstLine(socket, { bytesMax: 100, waitMs: 10_000 })).toBe('here');
    socket.destroy();
    await close();
    expect(existsSync(dirname(path))).toBe(false);
    for (const call of calls() as readonly (readonly string[])[]) {
      expect(call.join(' ')).toContain('BatchMode=yes');
      expect(call[call.indexOf('--') + 1]).toBe('me@host');
    }
  });

  it.each<[string, string, Partial<SshTarget>, string, string]>([
    ['a key that is refused', 'refuses', {}, 'unavailable', 'ssh cannot reach me@host: me@host: '],
    ['forwarding that is refused', 'no-forward', {}, 'unavailable', 'Could not request local'],
    ['no token', 'works', { tokenFile: 'none' }, 'unavailable', 'No daemon has left a token in'],
    ['an option for a host', 'works', { host: '-v' }, 'invalid_input', '"-v" is not a host'],
    ['no host', 'works', { host: '' }, 'invalid_input', '"" is not a host'],
    ['a colon in the path', 'works', { socket: '/a:b' }, 'invalid_input', 'the path has a colon'],
  ])('%s is told, and nothing is left', async (_what, how, changes, code, message) => {
    const { env } = home();
    const temporary = tempFolder();
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = temporary;
    onTestFinished(() => {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    });
    const failure = await failureOf(forward({ ...env, STAND_IN_SSH: how }, changes));
    expect(failure).toMatchObject({ code });
    expect(failure.message).toContain(message);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('needs ssh', async () => {
    const failure = await failureOf(forward({ PATH: tempFolder() }));
    expect(failure).toMatchObject({ code: 'unavailable' });
  });
});

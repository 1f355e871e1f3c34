import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { standInPrograms } from '../../../test/support/stand-in-programs.ts';
import { writeFiles } from '../../../test/support/temp-folder.ts';
import { listenLocal } from '../../node/server/local-socket.ts';
import type { Shell } from '../shell/shell.ts';
import { remoteProgram } from './remote-command.ts';

/** What is printed is of no interest, and nobody types. */
function shellAt(home: string, env: Shell['env']): Shell {
  const stream = (): never => new PassThrough() as never;
  return {
    argv: [],
    env,
    currentFolder: home,
    stdin: stream(),
    stdout: stream(),
    stderr: stream(),
    version: '0.0.0',
    entryFile: '',
    signal: new AbortController().signal,
  };
}

/** How `remote info` fails in a home where a killed daemon has left its token. */
async function failureWith(...argv: readonly string[]): Promise<unknown> {
  const { env, folder } = standInPrograms('ssh');
  writeFiles(folder, { '.obsidian-remote/token': 'secret' });
  return failureOf(remoteProgram.run(shellAt(folder, env), [...argv, 'info']));
}

it('says so where nobody listens', async () => {
  expect(await failureWith()).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^No daemon listens at ".*"; start "vaultdoor daemon" first\.$/),
  });
});

it.skipIf(process.platform === 'win32')(
  'says so where nobody listens at the other end of ssh, which lets us in all the same',
  async () => {
    expect(await failureWith('--ssh', 'me@host')).toMatchObject({
      code: 'unavailable',
      message: `No daemon listens at ".obsidian-remote/server.sock" on me@host; start "vaultdoor daemon" there.`,
    });
  },
);

it.skipIf(process.platform === 'win32')('says so where it is hung up on', async () => {
  const { env, folder } = standInPrograms('ssh');
  writeFiles(folder, { '.obsidian-remote/token': 'secret' });
  const listener = await listenLocal({
    path: join(folder, '.obsidian-remote', 'server.sock'),
    alone: (work) => work(),
    onConnection: (socket) => socket.destroy(),
    says: { taken: '', shorter: '' },
  });
  onTestFinished(() => listener.close());
  expect(await failureOf(remoteProgram.run(shellAt(folder, env), ['info']))).toMatchObject({
    code: 'unavailable',
  });
});

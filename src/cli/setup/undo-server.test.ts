import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { thisMachine } from '../install/this-machine.ts';
import type { Shell } from '../shell/shell.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import { serviceFiles, unitText, withSettings } from './service-files.ts';
import { undoServer } from './undo-server.ts';

/** A home in which setup has made a server with a token. */
async function someServer() {
  const home = tempFolder({ 'Notes/a.md': '' });
  const path = join(home, 'Notes');
  const env = { HOME: home };
  const stdout = new PassThrough();
  const shell = { env, currentFolder: home, stdout } as unknown as Shell;
  const machine = thisMachine(shell);
  const files = serviceFiles(machine);
  const kept = { settings: { VAULT_PATH: path }, token: 'setup' };
  for (const [file, text] of [
    [files.env, withSettings('', kept)],
    [files.unit, unitText({ node: 'node', script: 'x.js' }, files.env)],
  ] as const) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const book = openVaultTokens([{ name: 'Notes', path }], env);
  await book.create({ name: 'setup', effects: ['read'], folders: [] });
  const undo = () =>
    undoServer(
      shell,
      { undo: true, mode: 'write', json: false, clients: [] },
      { machine, isAsked: false },
    );
  return { env, files, book, undo, stdout };
}

describe.runIf(process.platform === 'linux')('taking a server back', () => {
  it('removes the files and revokes the token, and does not say that it has stopped what it cannot stop', async () => {
    const { files, book, undo, stdout } = await someServer();
    expect(await undo()).toBe(0);
    expect(String(stdout.read())).toMatch(/^(?![\s\S]*is stopped)[\s\S]*The service is removed/);
    expect(await book.list()).toEqual([]);
    expect([files.env, files.unit].filter((file) => existsSync(file))).toEqual([]);
  });

  it('leaves the files, and can be tried again, when the token cannot be revoked', async () => {
    const { env, files, undo } = await someServer();
    const { state } = appFolders(env, process.platform);
    const [id = ''] = (await readdir(state)).filter((name) => /^[0-9a-f]{16}$/.test(name));
    await writeFile(join(state, id, 'tokens.json'), '{');
    await expect(undo()).rejects.toThrow(/token "setup" cannot be revoked/);
    expect([files.env, files.unit].filter((file) => existsSync(file))).toHaveLength(2);
  });
});

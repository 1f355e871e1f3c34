import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
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
async function someServer(more: Readonly<Record<string, string>> = {}) {
  const home = tempFolder({ 'Notes/a.md': '' });
  const path = join(home, 'Notes');
  const env = { HOME: home };
  const stdout = new PassThrough();
  const shell = { env, currentFolder: home, stdout } as unknown as Shell;
  const machine = thisMachine(shell);
  const files = serviceFiles(machine);
  const settings = { VAULT_PATH: path, HOST: '127.0.0.1', ...more };
  const kept = { settings, token: 'setup' };
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

  it.each([
    [
      'https://vault.example.com',
      /delete its block in \/etc\/caddy\/Caddyfile, then: sudo systemctl/,
    ],
    ['https://nas.tail1.ts.net', /sudo tailscale funnel --https=443 off\n/],
  ])('says what is left of a server at %s, and how to take that back', async (publicUrl, way) => {
    const { files, undo, stdout } = await someServer({ VAULTDOOR_PUBLIC_URL: publicUrl });
    const wants = join(dirname(files.unit), 'default.target.wants');
    await mkdir(wants);
    await symlink(files.unit, join(wants, 'vaultdoor.service'));
    expect(await undo()).toBe(0);
    const text = String(stdout.read());
    expect(text).toMatch(way);
    expect(text).toMatch(/vaultdoor owner reset --revoke\n/);
    expect(text).toMatch(/rm -r \S+vaultdoor \S+vaultdoor\n/);
    expect(text).toMatch(/npm rm -g vaultdoor\n/);
    expect(existsSync(wants)).toBe(false);
  });

  it('names the lines of others in the settings, and the copies of the files', async () => {
    const { files, undo, stdout } = await someServer();
    await appendFile(files.env, 'VAULTDOOR_ASK_NEW_TAGS=false\n');
    const copies = [`${files.env}.vaultdoor-backup`, `${files.unit}.vaultdoor-backup-2`];
    for (const copy of copies) await writeFile(copy, '');
    expect(await undo()).toBe(0);
    const [, listed = ''] = /: rm (.*)\n/.exec(String(stdout.read())) ?? [];
    const left = [files.env, copies[0], `${files.env}.vaultdoor-backup-2`, copies[1]];
    expect(listed.split(' ')).toEqual(left);
    expect(left.filter((file = '') => existsSync(file))).toEqual(left);
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

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Shell } from '../shell/shell.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import type { Systemd } from './systemd.ts';
import { writeServer } from './write-server.ts';

/** Sets up a new server with a token; `start` is what happens when its service is started. */
async function set(start: (abort: () => void) => void) {
  const folder = tempFolder({ 'Notes/a.md': '' });
  const vault = { name: 'Notes', path: join(folder, 'Notes') };
  const unit = join(folder, 'vaultdoor.service');
  const interrupted = new AbortController();
  const did: string[] = [];
  const step = async (name: string): Promise<void> => {
    did.push(`${name}${existsSync(unit) ? '' : ' without a unit'}`);
  };
  const systemd: Systemd = {
    start: async () => {
      await step('start');
      start(() => interrupted.abort());
    },
    stop: () => step('stop'),
    reload: () => step('reload'),
    isActive: async () => true,
    lastFailure: async () => undefined,
  };
  const env = { HOME: folder, USERPROFILE: folder, LOCALAPPDATA: folder };
  const shell = {
    env,
    version: '1.0.0',
    signal: interrupted.signal,
    stderr: new PassThrough(),
  } as unknown as Shell;
  const file = { path: unit, real: unit };
  const result = await writeServer(shell, {
    decided: {
      vaultPath: vault.path,
      address: { host: '0.0.0.0' },
      port: 1,
      access: 'token',
      allow: 'change',
    },
    vault,
    before: { unit: file, env: { path: `${unit}.env`, real: `${unit}.env` } },
    changed: [{ file, plan: { text: 'x', entries: [] } }],
    settings: {},
    paths: { node: 'node', script: 'x.js' },
    isRunning: false,
    systemd,
    token: { name: 'setup', isNew: true },
    url: 'http://127.0.0.1:1/mcp',
    origin: 'http://127.0.0.1:1',
    says: () => undefined,
  }).catch((error: VaultError) => error);
  const tokens = await openVaultTokens([vault], env).list();
  return { result, did, isWritten: existsSync(unit), tokens: tokens.length };
}

describe('setting up a server', () => {
  it('stops the service that cannot be started, and takes everything back', async () => {
    const ended = await set(() => {
      throw new VaultError('unavailable', 'It failed.');
    });
    expect(ended.result).toMatchObject({ code: 'unavailable', message: 'It failed.' });
    expect(ended.did).toEqual(['start', 'stop', 'reload without a unit']);
    expect(ended).toMatchObject({ isWritten: false, tokens: 0 });
  });

  it('answers the token, which is shown only once, also when the first call is interrupted', async () => {
    const ended = await set((abort) => abort());
    expect(ended.result).toMatchObject({
      token: expect.stringMatching(/^vd_/),
      failure: 'The first call was interrupted.',
    });
    expect(ended).toMatchObject({ isWritten: true, tokens: 1 });
  });
});

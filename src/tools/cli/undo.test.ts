import { expect, it } from 'vitest';
import { rawChange } from '../../../test/faults/raw-changes.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { paintFor } from '../../cli/terminal.ts';
import { cliToolset } from './cli-toolset.ts';

it('takes back, and does again, what a remote client did to a dot file and to folders', async () => {
  const file = '.obsidian/app.json';
  const vault = await openToolset({ [file]: '{}' }, cliToolset(paintFor({ isTTY: false }, {})));
  await rawChange(vault, (raw) => raw.remove(vaultPath(file)));
  await rawChange(vault, (raw) => raw.removeFolder(vaultPath('.obsidian'), { recursive: true }));
  await rawChange(vault, (raw) => raw.makeFolder(vaultPath('New')));
  expect(await vault.call('undo', { last: 3 })).toMatchObject({ ok: true });
  expect([vault.files(), vault.disk.folders()]).toEqual([{ [file]: '{}' }, ['.obsidian']]);
  expect(await vault.call('redo')).toMatchObject({ ok: true });
  expect([vault.files(), vault.disk.folders()]).toEqual([{}, ['New']]);
  const history = await vault.call('history');
  expect(history.text).toContain('New');
  expect(history.text).toContain(file);
  await vault.close();
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { newProposal } from '../../../test/support/owner-stores-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Shell } from '../shell/shell.ts';
import { openCommandVault } from '../vaults/command-vault.ts';
import { waitingText } from './waiting-text.ts';

it('says how many proposals still wait, and how to decide them', async () => {
  const home = tempFolder({ 'Notes/a.md': '' });
  const path = join(home, 'Notes');
  const vault = { name: 'Notes', path };
  const shell = {
    env: { HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, 's'), XDG_CACHE_HOME: home },
    currentFolder: home,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    entryFile: '/x/dist/vaultdoor.js',
    signal: new AbortController().signal,
  } as unknown as Shell;
  expect(await waitingText(shell, vault)).toEqual([]);
  expect(existsSync(join(home, 's'))).toBe(false); // Nothing is made for a vault that nobody uses.
  const opened = openCommandVault(vault, shell, { allowRoots: [] });
  await opened.parts.proposals.add(newProposal({ timeMs: Date.now() }));
  await opened.close();
  expect(await waitingText(shell, vault)).toEqual([
    `1 proposal still waits for you: vaultdoor proposals --vault ${path}`,
  ]);
});

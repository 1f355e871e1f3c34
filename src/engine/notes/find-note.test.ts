import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { type MemoryVault, openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes, type Scopes } from '../../base/caller.ts';
import type { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { renameFile } from '../operations/move/rename-file.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { NoteName } from '../vault/note-name.ts';
import { findNote } from './find-note.ts';
import { closestNames } from './findable-names.ts';

let opened: MemoryVault;

beforeAll(async () => {
  opened = await openWrittenVault({
    '.obsidian/app.json': '{}',
    'Home.md': '---\naliases: [Start, Way/In]\n---\n',
    'A/Log.md': '',
    'B/log.md': '',
    'B/Project plan.md': '',
    'Board.canvas': '{}',
    'Secret/Plan.md': '---\naliases: [Hush hush]\n---\n',
    'Archive/Old log.md': '',
    'pic.png': '',
    'A/日本語.md': '---\naliases: [Notes, 例/Kana]\n---\n',
  });
});
afterAll(() => opened.close());

const seenBy = (scopes: Partial<Scopes>): BoundVault =>
  opened.as({ scopes: { ...allScopes, ...scopes } });
const everyone = (): BoundVault => seenBy({});
const without = (): BoundVault => seenBy({ hide: ['Secret'] });

describe('an exact path', () => {
  const rows: readonly [NoteName, string][] = [
    [{ path: 'Home.md' }, 'Home.md'],
    [{ path: 'Home' }, 'Home.md'],
    [{ path: 'A/Log' }, 'A/Log.md'],
    [{ path: 'Board.canvas' }, 'Board.canvas'],
    [{ path: 'home' }, 'not_found'],
    [{ path: 'Log' }, 'not_found'],
    [{ path: ' Home' }, 'not_found'],
    [{ path: '.obsidian/app.json' }, 'not_found'],
    [{ path: '/Home' }, 'outside_vault'],
  ];
  it.each(rows)('%j is %s, and nothing else is looked for', async (name, expected) => {
    const found = findNote(everyone(), name).catch((error: VaultError) => error.code);
    expect(await found).toBe(expected);
    const drafted = everyone()
      .change(async (draft) => ({ path: await draft.find(name) }), { dryRun: true })
      .then(
        ({ path }) => path,
        (error: VaultError) => error.code,
      );
    expect(await drafted).toBe(expected);
  });

  it('is found in a draft where the draft has put it, and not where it was', async () => {
    const seen = await opened.change(
      async (draft) => {
        await draft.move(vaultPath('Home.md'), vaultPath('B/House.md'));
        const old = await failureOf(draft.find({ path: 'Home' }));
        return { path: await draft.find({ path: 'B/House' }), old: old.code };
      },
      { dryRun: true },
    );
    expect(seen).toMatchObject({ path: 'B/House.md', old: 'not_found' });
  });
});

describe('a name that is not found', () => {
  const rows: readonly [name: NoteName, message: RegExp, candidates: string[] | undefined][] = [
    ['Projct plan', /Closest: "Project plan"\.$/, ['B/Project plan.md']],
    [{ path: 'Project plan' }, /Closest: "B\/Project plan.md"/, ['B/Project plan.md']],
    ['Logg', /Closest: "A\/Log.md", "B\/log.md"/, ['A/Log.md', 'B/log.md']],
    ['start', /It is an alias of "Home.md": use that path\.$/, ['Home.md']],
    ['Way/In', /It is an alias of "Home.md"/, ['Home.md']],
    ['Strat', /Closest: "Home" \(alias "Start"\)\.$/, ['Home.md']],
    ['Archive', /It is a folder: name a file in it\.$/, undefined],
    ['Qqqqq', /Search for it, or list the notes, to find its name\.$/, undefined],
    ['Hush husk', /Search for it/, undefined],
    ['Notes/Exmple.md', /Search for it/, undefined],
    ['例/Knaa', /Closest: "日本語" \(alias "例\/Kana"\)\.$/, ['A/日本語.md']],
  ];
  it.each(rows)('%j gets a hint', async (name, message, candidates) => {
    const { code, message: said, details } = await failureOf(findNote(without(), name));
    expect(code).toBe('not_found');
    expect(said).toMatch(message);
    expect(details['candidates']).toEqual(candidates);
  });

  it('never gets one that leads to a hidden note', async () => {
    expect((await closestNames(everyone(), 'Hush husk', 5)).map(({ path }) => path)).toEqual([
      'Secret/Plan.md',
    ]);
    expect(await closestNames(without(), 'Hush husk', 5)).toEqual([]);
    expect(await closestNames(seenBy({ folders: [vaultPath('A')] }), 'Projct plan', 5)).toEqual([]);
  });
});

describe('a rename of nothing but a file', () => {
  it('never takes a folder, and says what to do', async () => {
    const request = { name: 'Archive', newName: 'Attic', only: 'file', dryRun: true } as const;
    const { code, message } = await failureOf(opened.change(renameFile, request));
    expect([code, message]).toEqual([
      'not_found',
      'There is no note "Archive" in the vault. It is a folder: name a file in it.',
    ]);
  });

  it('finds the note that has the name of a folder', async () => {
    const request = { name: { path: 'A/Log' }, newName: 'Archive', only: 'file' } as const;
    const { path } = await opened.change(renameFile, { ...request, dryRun: true });
    expect(path).toBe('A/Archive.md');
  });
});

it('does not name a file that is gone although the index still has it', async () => {
  const vault = await openWrittenVault({ 'Books/Dune.md': '', 'Dunes.md': '' });
  vault.disk.erase('Books/Dune.md');
  for (const name of ['Dune', { path: 'Books/Dune.md' }]) {
    const { code, details } = await failureOf(findNote(vault.vault, name));
    expect(code).toBe('not_found');
    expect(details['candidates'] ?? []).not.toContain('Books/Dune.md');
  }
  await vault.close();
});

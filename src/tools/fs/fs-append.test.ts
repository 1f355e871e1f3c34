import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FsVault, fsHistory, withFsVault } from '../../../test/support/fs-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { changeTexts } from '../../engine/operations/history/change-texts.ts';
import { listVersions, readVersion } from '../../engine/operations/history/file-versions.ts';
import { redoChange } from '../../engine/operations/history/redo-change.ts';
import { showChange } from '../../engine/operations/history/show-change.ts';
import { undoSelection } from '../../engine/operations/history/undo-selection.ts';

const start = 'line\n'.repeat(limits.appendWholeBytesMax / 5 + 1);

/** A vault with a file that is appended to in place. */
function withLog(
  run: (vault: FsVault, log: ReturnType<typeof logOf>) => Promise<void>,
  path = 'log.txt',
): Promise<void> {
  return withFsVault(async (vault) => {
    writeFileSync(join(vault.root, path), start);
    await run(vault, logOf(vault, path));
  });
}

function logOf(vault: FsVault, path: string) {
  const file = join(vault.root, path);
  return {
    file,
    append: (content: string, caller = {}) => vault.call('fs.append', { path, content }, caller),
    /** What comes after the beginning; undefined when that has changed. */
    end: () => {
      const text = readFileSync(file, 'utf8');
      return text.startsWith(start) ? text.slice(start.length) : undefined;
    },
    inode: () => statSync(file).ino,
  };
}

describe('an append to a large file', () => {
  it('writes the end alone, and answers the time of the file', async () => {
    await withLog(async (_, log) => {
      const inode = log.inode();
      const answer = await log.append('one\n');
      expect(answer).toEqual({ mtime: Math.floor(statSync(log.file).mtimeMs) });
      expect([log.end(), log.inode()]).toEqual(['one\n', inode]);
    });
  });

  it('is a whole new file up to the limit', async () => {
    await withLog(async (_, log) => {
      truncateSync(log.file, limits.appendWholeBytesMax);
      const inode = log.inode();
      await log.append('one\n');
      expect(log.inode()).not.toBe(inode);
    });
  });

  it('follows a symlink, and keeps mode and name', async () => {
    await withLog(async (vault, log) => {
      chmodSync(log.file, 0o640);
      renameSync(log.file, join(vault.root, 'Notes/a.md'));
      await vault.call('fs.appendBinary', { path: 'link.md', contentBase64: 'Kw==' });
      const { size, mode } = statSync(join(vault.root, 'Notes/a.md'));
      expect([size, mode & 0o777]).toEqual([start.length + 1, 0o640]);
    });
  });

  it('is what history shows, and what undo and redo take back', async () => {
    await withLog(async (vault, log) => {
      await log.append('one\ntwo\n');
      const [change] = await fsHistory(vault);
      expect(change?.steps).toEqual([
        {
          do: 'append',
          path: 'log.txt',
          inode: expect.any(String),
          length: start.length,
          bytes: 8,
          tail: expect.any(String),
        },
      ]);
      const shown = await showChange(vault.vault, { id: change?.id ?? 0 });
      expect(shown.files).toMatchObject([{ path: 'log.txt', did: 'changed' }]);
      expect(shown.diff).toBe(
        [
          'diff --git a/log.txt b/log.txt',
          `Only the end of the file has changed, from byte ${start.length} on:`,
          '--- a/log.txt',
          '+++ b/log.txt',
          '@@ -0,0 +1,2 @@',
          '+one',
          '+two',
          '',
        ].join('\n'),
      );
      const { texts } = await changeTexts(vault.vault, { id: change?.id ?? 0 });
      expect(texts).toEqual([
        { path: 'log.txt', did: 'changed', endFrom: start.length, before: '', after: 'one\ntwo\n' },
      ]);
      const inode = log.inode();
      const undone = await undoSelection(vault.vault, { last: 1 });
      expect(undone).toMatchObject({ restored: ['log.txt'], left: [], kept: [] });
      expect([log.end(), log.inode()]).toEqual(['', inode]);
      const { items } = await vault.whole.parts.state.changes({}, { limit: 1, offset: 0 });
      const cut = await showChange(vault.vault, { id: items[0]?.id ?? 0 });
      expect(cut.diff).toContain('\n@@ -1,2 +0,0 @@\n-one\n-two\n');
      expect(await vault.change(redoChange, {})).toMatchObject({ restored: ['log.txt'] });
      expect([log.end(), log.inode()]).toEqual(['one\ntwo\n', inode]);
      expect(await undoSelection(vault.vault, { last: 1 })).toMatchObject({ left: [] });
      expect(log.end()).toBe('');
    });
  });

  it('has no version, and a reader of versions is told so', async () => {
    await withLog(async (vault, log) => {
      await log.append('one\n');
      await vault.keeper.settle();
      const name = { path: 'log.txt', exact: true } as const;
      const { versions } = await listVersions(vault.vault, { name });
      expect(versions).toMatchObject([{ version: 1, tool: 'fs.append' }]);
      await expect(readVersion(vault.vault, { name, version: 1 })).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(/no whole copy.*Change 1 shows/),
      });
    });
  });

  it('joins the one before it by the same client, as saves do', async () => {
    await withLog(async (vault, log) => {
      for (let n = 0; n < limits.foldedAppendsMax + 3; n++) await log.append(`${n}\n`);
      const all = log.end();
      const changes = await fsHistory(vault);
      expect(changes.map(({ steps }) => steps.length)).toEqual([3, limits.foldedAppendsMax]);
      await log.append('other\n', { client: 'other', connection: 'r2' });
      expect((await fsHistory(vault)).length).toBe(3);
      await undoSelection(vault.vault, { last: 1 });
      expect(log.end()).toBe(all);
      await undoSelection(vault.vault, { last: 2 });
      expect(log.end()).toBe('');
      await vault.change(redoChange, {});
      expect(log.end()).toBe(all);
    });
  });

  it('is left by an undo where someone has written after it', async () => {
    await withLog(async (vault, log) => {
      await log.append('one\n');
      appendFileSync(log.file, 'theirs\n');
      await expect(undoSelection(vault.vault, { last: 1 })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('it does not end with what was added'),
      });
      expect(log.end()).toBe('one\ntheirs\n');
      truncateSync(log.file, start.length + 4);
      await undoSelection(vault.vault, { last: 1 });
      expect(log.end()).toBe('');
      appendFileSync(log.file, 'theirs\n');
      await expect(vault.change(redoChange, {})).rejects.toMatchObject({ code: 'conflict' });
      expect(log.end()).toBe('theirs\n');
    });
  });

  it('is undone in place where the file is larger than what history keeps', async () => {
    await withLog(async (vault, log) => {
      const size = limits.historyContentBytesMax + 1;
      truncateSync(log.file, size);
      await log.append('one\n');
      expect(statSync(log.file).size).toBe(size + 4);
      await undoSelection(vault.vault, { last: 1 });
      expect(statSync(log.file).size).toBe(size);
    });
  });

  it('counts for the brake when someone else takes it back', async () => {
    await withLog(async (vault, log) => {
      await log.append('one\n');
      const scopes = { ...allScopes, brakeFiles: 10 };
      const other = vault.as({ door: 'mcp-stdio', connection: 'm1', client: 'agent', scopes });
      await undoSelection(other, { last: 1 });
      expect(log.end()).toBe('');
      const [undo] = await fsHistory(vault);
      expect(undo?.steps).toMatchObject([{ do: 'cut', whole: true }]);
    });
  });

  it('is undone together with other files in one change', async () => {
    await withLog(async (vault, log) => {
      await vault.call('fs.write', { path: 'old.md', content: 'other' });
      await log.append('one\n');
      await vault.call('fs.rename', { oldPath: 'log.txt', newPath: 'moved.txt' });
      const undone = await undoSelection(vault.vault, { last: 3 });
      expect(undone.left).toEqual([]);
      expect(undone.changes.length).toBe(1);
      expect([log.end(), vault.tree()['old.md']]).toEqual(['', 'new']);
    });
  });

  it('is shown by a dry run of its undo, which changes nothing', async () => {
    await withLog(async (vault, log) => {
      await log.append('one\n');
      const preview = await undoSelection(vault.vault, { last: 1, dryRun: true });
      expect(preview.diff).toMatch(/^-one$/m);
      expect(log.end()).toBe('one\n');
    });
  });

  it('goes to the file that another program has put in the place of the first', async () => {
    await withLog(async (vault, log) => {
      await log.append('one\n');
      writeFileSync(`${log.file}.new`, `${start}saved\n`);
      renameSync(`${log.file}.new`, log.file);
      await log.append('two\n');
      expect(log.end()).toBe('saved\ntwo\n');
      expect((await fsHistory(vault)).length).toBe(2); // Not joined: it is another file.
    });
  });

  it('is made once by each of many connections', async () => {
    await withLog(async (_, log) => {
      const numbers = Array.from({ length: 20 }, (_, n) => n);
      const answers = await Promise.all(
        numbers.map((n) => log.append(`${n}\n`, { connection: `c${n % 4}` })),
      );
      expect(answers).toEqual(numbers.map(() => ({ mtime: expect.any(Number) })));
      const lines = log.end()?.trim().split('\n').map(Number);
      expect(lines?.toSorted((a, b) => a - b)).toEqual(numbers);
    });
  });

  it('is found by the index as any changed file is', async () => {
    await withLog(async (vault, log) => {
      await vault.keeper.refresh([vaultPath('log.md')]);
      await log.append('\n[[old]] #grown\n');
      await vault.keeper.settle();
      expect(await vault.indexFaults()).toEqual([]);
    }, 'log.md');
  });

  it('reads the whole note where marks hide notes from the caller', async () => {
    await withLog(async (vault, log) => {
      const scopes = { ...allScopes, hideTags: ['private'] };
      const inode = log.inode();
      const answer = await log.append('#private\n', { scopes });
      expect([answer, log.end(), log.inode()]).toEqual(['!forbidden', '', inode]);
      expect(await fsHistory(vault)).toEqual([]);
    }, 'log.md');
  });
});

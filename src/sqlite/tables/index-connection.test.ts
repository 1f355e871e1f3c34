import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fill, note } from '../../../test/support/index-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openDatabase } from '../connection/open-database.ts';
import { openSqliteIndex } from '../index/sqlite-index-store.ts';
import { IndexConnection } from './index-connection.ts';

const view = { ...wholeVault, hide: ['Secret/**'] };
const page = { limit: 100, offset: 0 };

it.each(['before the table of orphans is made', 'after it'] as const)(
  'a hidden note that another process stores while a question is answered is not shown, %s',
  async (when) => {
    const file = join(tempFolder(), 'index.db');
    const store = await openSqliteIndex({ file });
    const other = await openDatabase(file);
    try {
      await fill(store, { notes: [note('Plain.md', []), note('Secret/Old.md', [])] });
      await store.lackingText(10); // Makes the late indexes, for which the kept tables wait.
      if (when === 'after it') await store.orphans(view, page);
      let stored = 0;
      const { hiddenBy } = IndexConnection.prototype;
      vi.spyOn(IndexConnection.prototype, 'hiddenBy').mockImplementation(function (
        this: IndexConnection,
        seen,
      ) {
        const hidden = hiddenBy.call(this, seen);
        other.exec(`INSERT INTO file (path, name, kind, size, mtime, birth, stamp, present, parsed, facts)
        VALUES ('Secret/New ${++stored}.md', 'new ${stored}.md', 'note', 1, 1, 1, 's', 1, 1, 3)`);
        return hidden;
      });
      expect(await store.orphans(view, page)).toEqual({ total: 1, items: ['Plain.md'] });
      expect(stored).toBeGreaterThan(0);
      vi.restoreAllMocks();
      expect((await store.orphans(wholeVault, page)).total).toBe(2 + stored);
      expect(await store.orphans(view, page)).toEqual({ total: 1, items: ['Plain.md'] });
    } finally {
      vi.restoreAllMocks();
      other.close();
      await store.close();
    }
  },
);

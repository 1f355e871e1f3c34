import { expect, it } from 'vitest';
import { conflictOf } from './conflict-of.ts';

const rows: readonly [string, string, string | undefined][] = [
  ['Obsidian Sync', 'a/Note (Conflicted copy laptop 202609011230).md', 'a/Note.md'],
  ['Dropbox', "Note (Ann's conflicted copy 2026-09-01).md", 'Note.md'],
  ['Nextcloud', 'Note (conflicted copy 2026-09-01 123000).md', 'Note.md'],
  ['Syncthing', 'a/Note.sync-conflict-20260901-123000-ABCDEF2.md', 'a/Note.md'],
  ['rclone bisync', 'Note.conflict1.md', 'Note.md'],
  ['rclone bisync, suffix last', 'Note.md.conflict2', 'Note.md'],
  ['iCloud, which looks like a numbered note', 'Note 2.md', undefined],
  ['a note about conflicts', 'Conflicted copy.md', undefined],
  [
    'a note with brackets, Dropbox',
    "N (draft) (Ann's conflicted copy 2026-09-01).md",
    'N (draft).md',
  ],
  ['brackets in both, Obsidian Sync', 'N (x) (Conflicted copy a (2) 202609011230).md', 'N (x).md'],
  ['Dropbox, the second of a day', "N (Ann's Mac (2)'s conflicted copy 2026-09-01 (1)).md", 'N.md'],
  ['Nextcloud with a user', 'N (conflicted copy ann 2026-09-01 123000).md', 'N.md'],
  ['an old Syncthing', 'N.sync-conflict-20260901-123000.md', 'N.md'],
  ['a name without an extension', 'N.sync-conflict-20260901-123000-ABCDEF2', 'N'],
  ['dots in the name', 'v1.2.sync-conflict-20260901-123000-ABCDEF2.md', 'v1.2.md'],
  [
    'a copy of a copy, Dropbox',
    "N (A's conflicted copy 2026-09-01) (B's conflicted copy 2026-09-02).md",
    "N (A's conflicted copy 2026-09-01).md",
  ],
  [
    'a copy of a copy, by two programs',
    'N (conflicted copy 2026-09-01 123000).sync-conflict-20260901-123000-ABCDEF2.md',
    'N (conflicted copy 2026-09-01 123000).md',
  ],
  ['a note with brackets', 'Note (draft).md', undefined],
];
it.each(rows)('%s', (_name, path, original) => {
  expect(conflictOf(path)).toBe(original);
});

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
  ['a note with brackets', 'Note (draft).md', undefined],
];
it.each(rows)('%s', (_name, path, original) => {
  expect(conflictOf(path)).toBe(original);
});

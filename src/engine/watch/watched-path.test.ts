import { expect, test } from 'vitest';
import { isWatchedPath } from './watched-path.ts';

test.each([
  ['note.md', true],
  ['.obsidian/app.json', true],
  ['.trash/note.md', true],
  ['.gitignore', true],
  ['node_modules/x/readme.md', true],
  ['.git', false],
  ['sub/.git/HEAD', false],
  ['.obsidian/plugins/x/node_modules', false],
  ['.obsidian/plugins/x/node_modules/y/index.js', false],
  ['.~vd-1a.tmp', false],
  ['sub/.~vd-1a.tmp', false],
  ['sub/.rsh-write-123.tmp', false],
  ['.rsh-write-123.md', true],
  ['~vd-1a.tmp', true],
])('whether "%s" is watched: %s', (path, expected) => {
  expect(isWatchedPath(path)).toBe(expected);
});

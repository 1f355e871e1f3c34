import { expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import { countDestroyed, destroyedForHistory, destroyedIn } from './destroyed-files.ts';

const a = vaultPath('A.md');
const b = vaultPath('B.md');
const inTrash = vaultPath('.trash/A.md');
const version = 'a'.repeat(64) as Version;
const write = { do: 'write', path: a, after: version, token: 't' } as const;

it.each<[string, ChangeStep, path: string | undefined, count: number]>([
  ['a deletion', { do: 'delete', path: a, before: version }, 'A.md', 1],
  ['a deletion of which nothing is kept', { do: 'delete', path: a }, 'A.md', 1],
  ['a new file', write, undefined, 0],
  ['an edit', { ...write, before: version }, undefined, 0],
  ['a text that replaces all', { ...write, before: version, whole: true }, 'A.md', 1],
  ['a move', { do: 'move', path: a, to: b }, undefined, 0],
  ['a move into the trash', { do: 'move', path: a, to: inTrash }, 'A.md', 1],
  ['a move over another file', { do: 'move', path: a, to: b, over: version }, 'B.md', 1],
  [
    'a move over a file that is not kept',
    { do: 'move', path: a, to: b, over: 'unkept' },
    'B.md',
    1,
  ],
  ['a folder that moves', { do: 'moveFolder', path: a, to: b }, undefined, 0],
  ['a folder into the trash', { do: 'moveFolder', path: a, to: inTrash, files: 30 }, 'A.md', 30],
  ['an empty one', { do: 'moveFolder', path: a, to: inTrash, files: 0 }, 'A.md', 0],
  ['one of an older history', { do: 'moveFolder', path: a, to: inTrash }, 'A.md', 1],
  ['a new folder', { do: 'makeFolder', path: a, asked: true }, undefined, 0],
  ['an empty folder that goes', { do: 'dropFolder', path: a, asked: true }, undefined, 0],
  [
    'a file that is written into the trash',
    { ...write, path: inTrash, from: a, before: version },
    'A.md',
    1,
  ],
])('%s destroys %3$s', (_, step, path, count) => {
  const destroyed = destroyedIn([step]);
  expect(destroyed.map((one) => one.path)).toEqual(path === undefined ? [] : [path]);
  expect(countDestroyed(destroyed)).toBe(count);
});

const other = 'b'.repeat(64) as Version;

it.each<[string, ChangeStep, object]>([
  ['a deletion', { do: 'delete', path: a, before: other }, { before: other }],
  ['a text', { ...write, before: other, whole: true }, { before: other, after: version }],
  // A file that was there before is not the caller's own text, wherever it is now.
  [
    'a file that is moved over another',
    { ...write, before: other, whole: true, from: b },
    { before: other },
  ],
  ['a move', { do: 'move', path: a, to: b, version, over: other }, { before: other }],
  ['a move into the trash', { do: 'move', path: a, to: inTrash, version }, { before: version }],
])('%s: the versions', (_, step, versions) => {
  expect(destroyedForHistory(destroyedIn([step]))).toEqual([{ files: 1, ...versions }]);
});

it('a file counts once', () => {
  const whole: ChangeStep = { ...write, before: version, whole: true };
  expect(countDestroyed(destroyedIn([whole, whole, { do: 'delete', path: a }]))).toBe(1);
});

it('history keeps the versions of some files, and the number of all', () => {
  const steps = Array.from({ length: limits.brakeVersionsMax + 7 }, (_, at): ChangeStep => {
    return { do: 'delete', path: vaultPath(`${at}.md`), before: version };
  });
  const kept = destroyedForHistory(destroyedIn(steps));
  expect(kept).toHaveLength(limits.brakeVersionsMax + 1);
  expect(kept.at(-1)).toEqual({ files: 7 });
});

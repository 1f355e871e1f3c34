import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  does,
  fails,
  folder,
  gives,
  link,
  type RemoteCase,
  type RemoteStep,
} from './remote-case.ts';

const files = { 'a.md': 'a', 'b.md': 'b', 'd/c.md': 'c', 'd/e/f.md': 'f', 'empty/': '' };
const moved = { mtime: expect.any(Number) };
const untouched = { 'a.md': 'a', 'b.md': 'b', 'd/c.md': 'c', 'd/e/f.md': 'f', empty: folder };

const row = (
  what: string,
  step: RemoteStep,
  disk: NonNullable<RemoteCase['disk']> = {},
  more: Partial<RemoteCase> = {},
): RemoteCase => ({ row: `2.2 ${what}`, files, steps: [step], disk, ...more });

const rename = (oldPath: string, newPath: string) => ({ oldPath, newPath });

const renameCases: readonly RemoteCase[] = [
  row(
    'fs.rename: a file',
    gives('fs.rename', rename('a.md', 'x.md'), ({ mtime }) => ({ mtime: mtime('x.md') })),
    { 'a.md': undefined, 'x.md': 'a' },
  ),
  row('fs.rename: a folder', gives('fs.rename', rename('d', 'x'), moved), {
    d: undefined,
    'x/c.md': 'c',
    'x/e/f.md': 'f',
  }),
  row(
    'fs.rename: creates parents of the target',
    gives('fs.rename', rename('a.md', 'x/y/a.md'), moved),
    { 'a.md': undefined, 'x/y/a.md': 'a' },
  ),
  row(
    'fs.rename: overwrites an existing file silently',
    gives('fs.rename', rename('a.md', 'b.md'), moved),
    { 'a.md': undefined, 'b.md': 'a' },
  ),
  row('fs.rename: a folder onto an empty one', gives('fs.rename', rename('d', 'empty'), moved), {
    d: undefined,
    'empty/c.md': 'c',
  }),
  row(
    'fs.rename: same path is success',
    gives('fs.rename', rename('a.md', 'a.md'), moved),
    untouched,
  ),
  row(
    'fs.rename: same path of a folder is success',
    gives('fs.rename', rename('d', 'd/'), moved),
    untouched,
  ),
  row('fs.rename: only the case of letters', gives('fs.rename', rename('a.md', 'A.md'), moved), {
    'a.md': undefined,
    'A.md': 'a',
  }),
  row(
    'fs.rename: no links are rewritten (issue 8)',
    gives('fs.rename', rename('a.md', 'x.md'), moved),
    { 'l.md': '[[a]]' },
    { files: { ...files, 'l.md': '[[a]]' } },
  ),
  row(
    'fs.rename: into .trash, as the client trashes',
    gives('fs.rename', rename('d/c.md', '.trash/d/c.md'), moved),
    { 'd/c.md': undefined, '.trash/d/c.md': 'c' },
  ),
  row(
    'fs.rename: a link is moved itself',
    gives('fs.rename', rename('to-a', 'x'), moved),
    { 'to-a': undefined, x: link, 'a.md': 'a' },
    { links: { 'to-a': 'a.md' } },
  ),
  row('fs.rename: -32010', fails('fs.rename', rename('no.md', 'x.md'), -32010), {
    'x.md': undefined,
  }),
  row(
    'fs.rename: -32010 leaves no folders behind (C8)',
    fails('fs.rename', rename('no.md', 'x/y.md'), -32010),
    { x: undefined },
    { better: 'C8' },
  ),
  row(
    'fs.rename: -32010 same path that is not there',
    fails('fs.rename', rename('no.md', 'no.md'), -32010),
    untouched,
  ),
  row(
    'fs.rename: -32011 folder onto file',
    fails('fs.rename', rename('d', 'a.md'), -32011),
    untouched,
  ),
  row(
    'fs.rename: -32011 below a file',
    fails('fs.rename', rename('a.md', 'b.md/x'), -32011),
    untouched,
  ),
  row(
    'fs.rename: -32013 file onto folder',
    fails('fs.rename', rename('a.md', 'empty'), -32013),
    untouched,
  ),
  row(
    'fs.rename: -32013 folder onto non-empty folder',
    fails('fs.rename', rename('empty', 'd'), -32013),
    untouched,
  ),
  row('fs.rename: -32603 into itself', fails('fs.rename', rename('d', 'd/e/x'), -32603), untouched),
  row('fs.rename: -32603 the root', fails('fs.rename', rename('', 'x'), -32603), untouched),
  row(
    'fs.rename: a file onto the root',
    fails('fs.rename', rename('a.md', ''), [-32013, -32603]),
    untouched,
  ),
  row(
    'fs.rename: a folder onto the root',
    fails('fs.rename', rename('d', '/'), [-32013, -32603]),
    untouched,
  ),
  {
    row: '2.2 fs.rename: mtime unchanged by rename',
    files,
    steps: [
      does(({ vault }) => utimesSync(join(vault, 'a.md'), 1_700_000_000, 1_700_000_000)),
      gives('fs.rename', rename('a.md', 'x.md'), { mtime: 1_700_000_000_000 }),
      gives('fs.stat', { path: 'x.md' }, expect.objectContaining({ mtime: 1_700_000_000_000 })),
    ],
  },
];

const copy = (srcPath: string, destPath: string) => ({ srcPath, destPath });

const copyCases: readonly RemoteCase[] = [
  row(
    'fs.copy: a file',
    gives('fs.copy', copy('a.md', 'x.md'), ({ mtime }) => ({ mtime: mtime('x.md') })),
    { 'a.md': 'a', 'x.md': 'a' },
  ),
  row('fs.copy: makes parents', gives('fs.copy', copy('a.md', 'x/y/z.md'), moved), {
    'x/y/z.md': 'a',
  }),
  row('fs.copy: overwrites silently', gives('fs.copy', copy('a.md', 'b.md'), moved), {
    'b.md': 'a',
    'a.md': 'a',
  }),
  row('fs.copy: onto itself succeeds', gives('fs.copy', copy('a.md', 'a.md'), moved), untouched),
  row(
    'fs.copy: follows a link to its file',
    gives('fs.copy', copy('to-a', 'x.md'), moved),
    { 'x.md': 'a' },
    { links: { 'to-a': 'a.md' } },
  ),
  row('fs.copy: -32010', fails('fs.copy', copy('no.md', 'x.md'), -32010), { 'x.md': undefined }),
  row('fs.copy: -32012 source is folder', fails('fs.copy', copy('d', 'x'), -32012), {
    x: undefined,
  }),
  row('fs.copy: -32012 source is root', fails('fs.copy', copy('', 'x'), -32012), { x: undefined }),
  row('fs.copy: -32013 target is a folder', fails('fs.copy', copy('a.md', 'd'), -32013), untouched),
  row('fs.copy: -32013 target is the root', fails('fs.copy', copy('a.md', '/'), -32013), untouched),
  row('fs.copy: -32011 below a file', fails('fs.copy', copy('a.md', 'b.md/x'), -32011), untouched),
];

const trashCases: readonly RemoteCase[] = [
  row('fs.trashLocal: to .trash/<same relative path>', gives('fs.trashLocal', { path: 'd/c.md' }), {
    'd/c.md': undefined,
    '.trash/d/c.md': 'c',
  }),
  row('fs.trashLocal: a folder', gives('fs.trashLocal', { path: 'd' }), {
    d: undefined,
    '.trash/d/e/f.md': 'f',
  }),
  row(
    'fs.trashLocal: what is in the trash is not overwritten (C7)',
    gives('fs.trashLocal', { path: 'a.md' }),
    { 'a.md': undefined, '.trash/a.md': 'earlier' },
    { files: { 'a.md': 'a', '.trash/a.md': 'earlier' }, better: 'C7' },
  ),
  row(
    'fs.trashLocal: a folder that is in the trash already (C7)',
    gives('fs.trashLocal', { path: 'd' }),
    { d: undefined, '.trash/d/x.md': 'earlier' },
    { files: { 'd/c.md': 'c', '.trash/d/x.md': 'earlier' }, better: 'C7' },
  ),
  row('fs.trashLocal: -32010', fails('fs.trashLocal', { path: 'no.md' }, -32010), {
    '.trash': undefined,
  }),
  ...['', '/', '.'].map((path) =>
    row(
      `fs.trashLocal: -32602 root as ${JSON.stringify(path)}`,
      fails('fs.trashLocal', { path }, -32602),
      untouched,
    ),
  ),
  row(
    'fs.trashLocal: -32603 .trash itself',
    fails('fs.trashLocal', { path: '.trash' }, -32603),
    { '.trash/x.md': 'x' },
    { files: { '.trash/x.md': 'x' } },
  ),
];

const watchCases: readonly RemoteCase[] = [
  row(
    'fs.watch: an id',
    gives(
      'fs.watch',
      { path: '', recursive: true },
      { subscriptionId: expect.stringMatching(/^[\da-f]{24}$/) },
    ),
  ),
  row(
    'fs.watch: a missing path is accepted',
    gives('fs.watch', { path: 'no/no' }, { subscriptionId: expect.any(String) }),
  ),
  row(
    'fs.watch: nonsense paths are refused (C11)',
    fails('fs.watch', { path: '../x' }, -32015),
    {},
    { better: 'C11' },
  ),
  row('fs.unwatch: unknown id is success', gives('fs.unwatch', { subscriptionId: 'nobody' })),
  row('fs.unwatch: no id is success', gives('fs.unwatch', {})),
];

/** Section 2.2: rename, copy, trash and watch. */
export const remoteMovingCases: readonly RemoteCase[] = [
  ...renameCases,
  ...copyCases,
  ...trashCases,
  ...watchCases,
];

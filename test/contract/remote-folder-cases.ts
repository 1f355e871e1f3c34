import { fails, folder, gives, link, type RemoteCase, type RemoteStep } from './remote-case.ts';

const files = { 'a.md': 'a', 'b.md': 'b', 'd/c.md': 'c', 'd/e/f.md': 'f', 'empty/': '' };
const untouched = { 'a.md': 'a', 'b.md': 'b', 'd/c.md': 'c', 'd/e/f.md': 'f', empty: folder };

const row = (
  what: string,
  step: RemoteStep,
  disk: NonNullable<RemoteCase['disk']> = {},
  more: Partial<RemoteCase> = {},
): RemoteCase => ({ row: `2.2 ${what}`, files, steps: [step], disk, ...more });

const mkdir = (path: string, recursive?: boolean) => ({
  path,
  ...(recursive === undefined ? {} : { recursive }),
});
const both = [false, true] as const;

const mkdirCases: readonly RemoteCase[] = [
  ...both.flatMap((recursive) => [
    row(
      `fs.mkdir: a new folder (recursive ${recursive})`,
      gives('fs.mkdir', mkdir('new', recursive)),
      { new: folder },
    ),
    row(
      `fs.mkdir: an existing folder is success (recursive ${recursive}; 9.5)`,
      gives('fs.mkdir', mkdir('d', recursive)),
      untouched,
    ),
    row(
      `fs.mkdir: root is success (recursive ${recursive}; 9.5)`,
      gives('fs.mkdir', mkdir('', recursive)),
      untouched,
    ),
    row(
      `fs.mkdir: a link to a folder is one (recursive ${recursive})`,
      gives('fs.mkdir', mkdir('to-d', recursive)),
      { 'to-d': link },
      { links: { 'to-d': 'd' } },
    ),
  ]),
  row('fs.mkdir: with its parents', gives('fs.mkdir', mkdir('x/y/z', true)), { 'x/y/z': folder }),
  row(
    'fs.mkdir: -32013 non-recursive, a file is there',
    fails('fs.mkdir', mkdir('a.md'), -32013),
    untouched,
  ),
  row(
    'fs.mkdir: -32011 recursive, a file is there',
    fails('fs.mkdir', mkdir('a.md', true), -32011),
    untouched,
  ),
  row(
    'fs.mkdir: -32011 recursive, a file is above',
    fails('fs.mkdir', mkdir('a.md/x/y', true), -32011),
    untouched,
  ),
  row(
    'fs.mkdir: -32011 non-recursive, parent is a file',
    fails('fs.mkdir', mkdir('a.md/x'), -32011),
    untouched,
  ),
  row('fs.mkdir: -32010 non-recursive, parent missing', fails('fs.mkdir', mkdir('x/y'), -32010), {
    x: undefined,
  }),
];

const removeCases: readonly RemoteCase[] = [
  row('fs.remove: a file', gives('fs.remove', { path: 'd/c.md' }), {
    ...untouched,
    'd/c.md': undefined,
  }),
  row(
    'fs.remove: its folder stays, though it is empty now',
    gives('fs.remove', { path: 'd/e/f.md' }),
    { 'd/e': folder },
  ),
  row('fs.remove: nothing is trashed (issue 8)', gives('fs.remove', { path: 'a.md' }), {
    'a.md': undefined,
    '.trash': undefined,
  }),
  row('fs.remove: -32010', fails('fs.remove', { path: 'no.md' }, -32010), untouched),
  row(
    'fs.remove: -32010 in a missing folder',
    fails('fs.remove', { path: 'no/no.md' }, -32010),
    untouched,
  ),
  row('fs.remove: -32012 folder', fails('fs.remove', { path: 'empty' }, -32012), untouched),
  row('fs.remove: -32012 root', fails('fs.remove', { path: '' }, -32012), untouched),
  row(
    'fs.remove: -32012 link to a folder',
    fails('fs.remove', { path: 'to-d' }, -32012),
    { 'to-d': link, ...untouched },
    { links: { 'to-d': 'd' } },
  ),
  row(
    'fs.remove: the link, not its target',
    gives('fs.remove', { path: 'to-a' }),
    { 'to-a': undefined, ...untouched },
    { links: { 'to-a': 'a.md' } },
  ),
  row(
    'fs.remove: a dangling link can be removed (C8)',
    gives('fs.remove', { path: 'x' }),
    { x: undefined },
    { links: { x: 'nowhere' }, better: 'C8' },
  ),
];

const rmdirCases: readonly RemoteCase[] = [
  ...both.flatMap((recursive) => [
    row(
      `fs.rmdir: an empty folder (recursive ${recursive})`,
      gives('fs.rmdir', { path: 'empty', recursive }),
      { ...untouched, empty: undefined },
    ),
    row(
      `fs.rmdir: -32011 file (recursive ${recursive}; 9.9)`,
      fails('fs.rmdir', { path: 'a.md', recursive }, -32011),
      untouched,
    ),
    row(
      `fs.rmdir: -32010 (recursive ${recursive})`,
      fails('fs.rmdir', { path: 'no', recursive }, -32010),
      untouched,
    ),
    row(
      `fs.rmdir: a link to a folder: only the link goes (recursive ${recursive})`,
      gives('fs.rmdir', { path: 'to-d', recursive }),
      { 'to-d': undefined, ...untouched },
      { links: { 'to-d': 'd' } },
    ),
    ...['', '/', '.', './', './.', './/'].map((path) =>
      row(
        `fs.rmdir: -32602 for the root as ${JSON.stringify(path)} (recursive ${recursive}; S2)`,
        fails('fs.rmdir', { path, recursive }, -32602),
        untouched,
        { better: 'S2' },
      ),
    ),
    ...['a/..', 'd/..', 'd/e/../..', '..', '../vault', '//', '/.'].map((path) =>
      row(
        `fs.rmdir: refused for the root as ${JSON.stringify(path)} (recursive ${recursive}; S2)`,
        fails('fs.rmdir', { path, recursive }, [-32015, -32602]),
        untouched,
        { better: 'S2' },
      ),
    ),
    row(
      `fs.rmdir: a link to the root leaves the vault (recursive ${recursive}; S2)`,
      gives('fs.rmdir', { path: 'root', recursive }),
      { root: undefined, ...untouched },
      { links: { root: '.' } },
    ),
  ]),
  row('fs.rmdir: root by default', fails('fs.rmdir', undefined, -32602), untouched),
  row('fs.rmdir: -32013 not empty (9.9)', fails('fs.rmdir', { path: 'd' }, -32013), untouched),
  row('fs.rmdir: recursive deletes the tree', gives('fs.rmdir', { path: 'd', recursive: true }), {
    d: undefined,
    'a.md': 'a',
    '.trash': undefined,
  }),
  row(
    'fs.rmdir: recursive removes links in the tree, not what they lead to',
    gives('fs.rmdir', { path: 'd', recursive: true }),
    {
      d: undefined,
      'b.md': 'b',
      '../outside/secret.md': 'secret',
      '../outside/deep': folder,
    },
    { links: { 'd/to-b': '../b.md', 'd/out': '{outside}', 'd/dangling': 'nowhere' } },
  ),
];

/** Section 2.2: folders made and removed, and files removed. */
export const remoteFolderCases: readonly RemoteCase[] = [
  ...mkdirCases,
  ...removeCases,
  ...rmdirCases,
];

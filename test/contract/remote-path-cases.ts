import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { does, fails, folder, gives, link, type RemoteCase } from './remote-case.ts';

/** Every method that takes a path, with it in its place. */
const withPath: readonly [method: string, params: (path: string) => object][] = [
  ...[
    'stat exists list walk readText readBinary readBinaryRange write writeBinary append appendBinary',
    'mkdir remove rmdir trashLocal watch',
  ]
    .flatMap((names) => names.split(' '))
    .map((name): [string, (path: string) => object] => [`fs.${name}`, (path) => ({ path })]),
  ['fs.rename', (path) => ({ oldPath: path, newPath: 'new.md' })],
  ['fs.rename', (path) => ({ oldPath: 'd/a.md', newPath: path })],
  ['fs.copy', (path) => ({ srcPath: path, destPath: 'new.md' })],
  ['fs.copy', (path) => ({ srcPath: 'd/a.md', destPath: path })],
  ['fs.hash', (path) => ({ path })],
];

const files = { 'd/a.md': 'text', 'd/e/': '' };
const unchanged = { 'd/a.md': 'text', 'd/e': folder, 'new.md': undefined };

/** A path that no method takes. */
const refused = (row: string, path: string, code: number | readonly number[]): RemoteCase => ({
  row: `2.1 ${row}: every method`,
  files,
  steps: withPath.map(([method, params]) => fails(method, params(path), code)),
  disk: unchanged,
});

const fileStat = { type: 'file', mtime: expect.any(Number), size: 4, mode: 0o644 };
const folderStat = { type: 'folder', mtime: expect.any(Number), size: 0, mode: 0o755 };

/** Section 0: what leads out of the vault through a link, and what is left as it was. */
const secrets = { 'out.md': '{outside}/secret.md', out: '{outside}' };

const escapes: readonly [method: string, params: object][] = [
  ['fs.stat', { path: 'out.md' }],
  ['fs.exists', { path: 'out.md' }],
  ['fs.readText', { path: 'out.md' }],
  ['fs.readBinary', { path: 'out.md' }],
  ['fs.readBinaryRange', { path: 'out.md', length: 5 }],
  ['fs.hash', { path: 'out.md' }],
  ['fs.stat', { path: 'out/secret.md' }],
  ['fs.exists', { path: 'out/secret.md' }],
  ['fs.exists', { path: 'out/nothing.md' }],
  ['fs.list', { path: 'out' }],
  ['fs.walk', { path: 'out/deep', recursive: true }],
  ['fs.readBinary', { path: 'out/secret.md' }],
  ['fs.write', { path: 'out.md', content: 'changed' }],
  ['fs.write', { path: 'out/secret.md', content: 'changed' }],
  ['fs.writeBinary', { path: 'out/new.md', contentBase64: '' }],
  ['fs.append', { path: 'out.md', content: 'changed' }],
  ['fs.append', { path: 'out/secret.md', content: 'changed' }],
  ['fs.appendBinary', { path: 'out/new.md', contentBase64: '' }],
  ['fs.mkdir', { path: 'out/new' }],
  ['fs.mkdir', { path: 'out/new/newer', recursive: true }],
  ['fs.remove', { path: 'out/secret.md' }],
  ['fs.rmdir', { path: 'out/deep', recursive: true }],
  ['fs.rename', { oldPath: 'out/secret.md', newPath: 'mine.md' }],
  ['fs.rename', { oldPath: 'a.md', newPath: 'out/mine.md' }],
  ['fs.copy', { srcPath: 'out.md', destPath: 'mine.md' }],
  ['fs.copy', { srcPath: 'out/secret.md', destPath: 'mine.md' }],
  ['fs.copy', { srcPath: 'a.md', destPath: 'out/mine.md' }],
  ['fs.trashLocal', { path: 'out/secret.md' }],
];

const entry = (name: string, type: string, size: unknown = expect.any(Number)) => ({
  name,
  type,
  mtime: expect.any(Number),
  size,
});

/** Names that a file system takes and some program would not. */
const oddNames = [
  ' leading.md',
  'trailing ',
  'a?b*c.md',
  'a:b|c.md',
  'quote".md',
  'percent%20.md',
  '#hash^caret.md',
  '.hidden',
  '..two dots',
  '...',
  'dot.',
  'CON',
  'é composed.md'.normalize('NFC'),
  'é decomposed.md'.normalize('NFD'),
  'same é'.normalize('NFC'),
  'same é'.normalize('NFD'),
  '😀 \u{10ffff}.md',
  'ￅ above surrogates in UTF-16.md',
  'n'.repeat(255),
];
const byBytes = [...oddNames].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

export const remotePathCases: readonly RemoteCase[] = [
  ...['', '/', '.', './'].map((path) => ({
    row: `2.1 paths: ${JSON.stringify(path)} means the root`,
    files,
    steps: [
      gives('fs.stat', { path }, { ...folderStat, mode: expect.any(Number) }),
      gives('fs.exists', { path }, { exists: true }),
      gives('fs.list', { path }, { entries: [entry('d', 'folder', 0)] }),
      gives('fs.mkdir', { path }),
      gives('fs.mkdir', { path, recursive: true }),
      fails('fs.readBinary', { path }, -32012),
      fails('fs.remove', { path }, -32012),
      fails('fs.write', { path, content: '' }, -32013),
      fails('fs.append', { path, content: '' }, -32012),
      fails('fs.trashLocal', { path }, -32602),
    ],
    disk: unchanged,
  })),
  ...['d/a.md/', 'd//a.md', './d/a.md', 'd/./a.md', 'd///./a.md//'].map((path) => ({
    row: `2.1 paths: duplicate or trailing slashes and . components are cleaned away: ${path}`,
    files,
    steps: [
      gives('fs.stat', { path }, fileStat),
      gives('fs.readText', { path }, expect.objectContaining({ content: 'text' })),
    ],
  })),
  refused('any other leading / is -32015', '/d/a.md', -32015),
  refused('any other leading / is -32015, two of them', '//', -32015),
  refused('any other leading / is -32015, an absolute path', '/etc/passwd', -32015),
  refused('.. is -32015', '..', -32015),
  refused('.. is -32015, to a file outside', '../outside/secret.md', -32015),
  refused('any .. component is -32015, though it stays inside (section 0)', 'd/../d/a.md', -32015),
  refused('any .. component is -32015, at the end', 'd/..', -32015),
  refused('backslash in a path is -32015 (section 0)', 'd\\a.md', -32015),
  refused('backslash in a path is -32015, with ..', '..\\secret.md', -32015),
  refused('NUL byte in path: -32602 or -32015, no absolute path', 'd/a\0.md', [-32602, -32015]),
  refused('name too long: no absolute path', `d/${'n'.repeat(256)}`, [-32602, -32603]),
  refused('path too long: no absolute path', `d/${'n/'.repeat(4_000)}`, [-32602, -32603]),
  {
    row: '2.1 path through a file: -32011, also for fs.stat and fs.exists',
    files,
    steps: withPath
      .filter(([method]) => method !== 'fs.watch')
      .map(([method, params]) => fails(method, params('d/a.md/x'), -32011)),
    disk: unchanged,
  },
  {
    row: '2.1 mtime: integer milliseconds since epoch, truncated, the same everywhere',
    files: { 'a.md': 'text' },
    steps: [
      does(({ vault }) => execFileSync('touch', ['-d', '@1700000000.999999', join(vault, 'a.md')])),
      gives('fs.stat', { path: 'a.md' }, { ...fileStat, mtime: 1_700_000_000_999 }),
      gives(
        'fs.list',
        {},
        { entries: [{ ...entry('a.md', 'file', 4), mtime: 1_700_000_000_999 }] },
      ),
      gives(
        'fs.walk',
        {},
        expect.objectContaining({
          entries: [{ path: 'a.md', type: 'file', size: 4, mtime: 1_700_000_000_999 }],
        }),
      ),
      gives('fs.readText', { path: 'a.md' }, expect.objectContaining({ mtime: 1_700_000_000_999 })),
      gives(
        'fs.readBinary',
        { path: 'a.md' },
        expect.objectContaining({ mtime: 1_700_000_000_999 }),
      ),
      gives(
        'fs.write',
        { path: 'a.md', content: 'b', expectedMtime: 1_700_000_000_999 },
        {
          mtime: expect.any(Number),
        },
      ),
    ],
  },
  {
    row: '2.1 hidden files, .obsidian, .trash: always listed and walked',
    files: {
      '.obsidian/app.json': '{}',
      '.trash/a.md': '',
      '.hidden': '',
      'node_modules/x.js': '',
    },
    steps: [
      gives(
        'fs.list',
        {},
        {
          entries: [
            entry('.hidden', 'file'),
            entry('.obsidian', 'folder'),
            entry('.trash', 'folder'),
            entry('node_modules', 'folder'),
          ],
        },
      ),
      gives(
        'fs.readText',
        { path: '.obsidian/app.json' },
        expect.objectContaining({ content: '{}' }),
      ),
      gives('fs.write', { path: '.obsidian/app.json', content: '[]' }, expect.anything()),
      gives(
        'fs.walk',
        { recursive: true },
        expect.objectContaining({
          entries: expect.arrayContaining([expect.objectContaining({ path: 'node_modules/x.js' })]),
        }),
      ),
    ],
    disk: { '.obsidian/app.json': '[]' },
  },
  {
    row: '2.1 temp files are not listed, walked nor left behind (C10)',
    better: 'C10',
    files: { '.rsh-write-1a2b.tmp': 'x', 'd/.~vd-0123456789abcdef.tmp': 'x', 'd/a.md': '' },
    steps: [
      gives('fs.list', {}, { entries: [entry('d', 'folder')] }),
      gives(
        'fs.walk',
        { recursive: true },
        {
          entries: [
            expect.objectContaining({ path: 'd' }),
            expect.objectContaining({ path: 'd/a.md' }),
          ],
          truncated: false,
        },
      ),
    ],
  },
  {
    row: '2.1 entry types: list and walk say symlink, stat follows',
    files: { 'a.md': 'text', 'd/b.md': 'b' },
    links: { 'to-a': 'a.md', 'to-d': 'd', dangling: 'nowhere', loop: 'loop' },
    steps: [
      gives(
        'fs.list',
        {},
        {
          entries: [
            entry('a.md', 'file', 4),
            entry('d', 'folder', 0),
            entry('dangling', 'symlink', 'nowhere'.length),
            entry('loop', 'symlink', 4),
            entry('to-a', 'symlink', 4),
            entry('to-d', 'symlink', 1),
          ],
        },
      ),
      gives('fs.stat', { path: 'to-a' }, fileStat),
      gives('fs.stat', { path: 'to-d' }, folderStat),
      gives('fs.stat', { path: 'to-d/b.md' }, { ...fileStat, size: 1 }),
      gives('fs.stat', { path: 'dangling' }, null),
      gives('fs.exists', { path: 'dangling' }, { exists: false }),
      gives('fs.list', { path: 'to-d' }, { entries: [entry('b.md', 'file', 1)] }),
      gives('fs.readText', { path: 'to-d/b.md' }, expect.objectContaining({ content: 'b' })),
    ],
  },
  {
    row: '2.1 entry types: fifos are reported as file, and no read hangs on one',
    steps: [
      does(({ vault }) => execFileSync('mkfifo', [join(vault, 'pipe')])),
      gives('fs.list', {}, { entries: [entry('pipe', 'file')] }),
      gives('fs.stat', { path: 'pipe' }, expect.objectContaining({ type: 'file' })),
      ...['readText', 'readBinary', 'readBinaryRange', 'hash'].map((name) =>
        fails(`fs.${name}`, { path: 'pipe', length: 1 }, [-32602, -32603, -32014, -32010]),
      ),
    ],
  },
  {
    row: '2.1 folders that are made have 0755, files 0644',
    steps: [
      gives('fs.write', { path: 'new/a.md', content: 'text' }, expect.anything()),
      gives('fs.stat', { path: 'new/a.md' }, fileStat),
      gives('fs.stat', { path: 'new' }, folderStat),
    ],
  },
  {
    row: '0 symlinks leading out of the vault: -32015',
    better: 'S1',
    files: { 'a.md': 'a' },
    links: secrets,
    steps: [
      ...escapes.map(([method, params]) => fails(method, params, -32015)),
      gives(
        'fs.list',
        {},
        {
          entries: [entry('a.md', 'file'), entry('out', 'symlink'), entry('out.md', 'symlink')],
        },
      ),
    ],
    disk: {
      'a.md': 'a',
      out: link,
      'out.md': link,
      'mine.md': undefined,
      '../outside/secret.md': 'secret',
      '../outside/deep/deeper.md': 'deep',
      '../outside/new.md': undefined,
      '../outside/mine.md': undefined,
    },
  },
  {
    row: '0 symlinks leading out of the vault: the link itself can be removed',
    better: 'S1, C8',
    links: { ...secrets, dangling: 'nowhere' },
    steps: [
      gives('fs.remove', { path: 'out.md' }),
      gives('fs.remove', { path: 'dangling' }),
      gives('fs.list', {}, { entries: [entry('out', 'symlink')] }),
    ],
    disk: { 'out.md': undefined, '../outside/secret.md': 'secret', dangling: undefined },
  },
  {
    row: 'issue 8: what fs.list returns can be read, names with odd characters',
    steps: [
      does(({ vault }) => {
        for (const name of oddNames) writeFileSync(join(vault, name), name);
        // These no path of the protocol can spell.
        writeFileSync(join(vault, 'back\\slash.md'), '');
        writeFileSync(Buffer.concat([Buffer.from(join(vault, 'x')), Buffer.from([0xff])]), '');
      }),
      gives('fs.list', {}, { entries: byBytes.map((name) => entry(name, 'file')) }),
      ...byBytes.map((path) =>
        gives('fs.readText', { path }, expect.objectContaining({ content: path })),
      ),
      ...byBytes.map((path) => gives('fs.remove', { path })),
    ],
  },
];

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { frame } from '../support/remote-wire.ts';
import {
  does,
  fails,
  folder,
  gives,
  link,
  type RemoteCase,
  type RemoteStep,
  says,
} from './remote-case.ts';

const files = { 'a.md': 'old', 'd/e/': '' };
const written = { mtime: expect.any(Number) };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const row = (
  what: string,
  step: RemoteStep,
  disk: NonNullable<RemoteCase['disk']>,
  more: Partial<RemoteCase> = {},
): RemoteCase => ({ row: what, files, steps: [step], disk, ...more });

/** The four ways to write, with text in its place. */
const ways: readonly [method: string, content: (text: string) => object][] = [
  ['fs.write', (content) => ({ content })],
  ['fs.writeBinary', (text) => ({ contentBase64: base64(text) })],
  ['fs.append', (content) => ({ content })],
  ['fs.appendBinary', (text) => ({ contentBase64: base64(text) })],
];
const replacing = ways.slice(0, 2);
const appending = ways.slice(2);

/** Rows that hold for `fs.write` and `fs.writeBinary` alike. */
const replaceCases = replacing.flatMap(([method, content]): RemoteCase[] => {
  const put = (path: string, more: object = {}) => ({ path, ...content('new'), ...more });
  const expecting = (difference: number) => ({
    kind: 'call' as const,
    method,
    params: ({ mtime }: { mtime(path: string): number }) =>
      put('a.md', { expectedMtime: mtime('a.md') + difference }),
  });
  return [
    row(
      `2.2 ${method}: a new file`,
      gives(method, put('new.md'), ({ mtime }) => ({
        mtime: mtime('new.md'),
      })),
      { 'new.md': 'new', 'a.md': 'old' },
    ),
    row(
      `2.2 ${method}: a new file and the folders it needs`,
      gives(method, put('x/y/new.md'), written),
      {
        'x/y/new.md': 'new',
      },
    ),
    row(
      `2.2 ${method}: an overwrite; mtime after write`,
      gives(method, put('a.md'), ({ mtime }) => ({
        mtime: mtime('a.md'),
      })),
      { 'a.md': 'new' },
    ),
    row(`2.2 ${method}: content empty by default`, gives(method, { path: 'a.md' }, written), {
      'a.md': '',
    }),
    row(`2.2 ${method}: -32013 if target is a folder`, fails(method, put('d'), -32013), {
      d: folder,
    }),
    row(`2.2 ${method}: -32013 if target is the root`, fails(method, put(''), -32013), {
      'a.md': 'old',
    }),
    row(`2.2 ${method}: -32011 parent is a file`, fails(method, put('a.md/new.md'), -32011), {
      'a.md': 'old',
    }),
    row(`2.2 ${method}: -32011 a file further up`, fails(method, put('a.md/x/new.md'), -32011), {
      'a.md': 'old',
    }),
    row(
      `2.4 expectedMtime: equal (${method})`,
      { ...expecting(0), expected: { result: written } },
      { 'a.md': 'new' },
    ),
    row(
      `2.4 expectedMtime: -32020 later (${method})`,
      { ...expecting(1), expected: { error: -32020 } },
      { 'a.md': 'old' },
    ),
    row(
      `2.4 expectedMtime: -32020 earlier (${method})`,
      { ...expecting(-1), expected: { error: -32020 } },
      { 'a.md': 'old' },
    ),
    row(
      `2.4 expectedMtime: 0 is no check (${method}; 9.3)`,
      gives(method, put('a.md', { expectedMtime: 0 }), written),
      { 'a.md': 'new' },
    ),
    row(
      `2.4 expectedMtime: negative never matches (${method})`,
      fails(method, put('a.md', { expectedMtime: -1 }), -32020),
      { 'a.md': 'old' },
    ),
    row(
      `2.4 missing target + expectedMtime: accepted (${method})`,
      gives(method, put('new.md', { expectedMtime: 5 }), written),
      { 'new.md': 'new' },
    ),
    row(
      `2.4 symlink target: the link is replaced (${method})`,
      gives(method, put('to-a'), written),
      {
        'to-a': 'new',
        'a.md': 'old',
      },
      { links: { 'to-a': 'a.md' } },
    ),
    row(
      `2.4 dangling symlink target: the link is replaced (${method})`,
      gives(method, put('dangling'), written),
      {
        dangling: 'new',
        nowhere: undefined,
      },
      { links: { dangling: 'nowhere' } },
    ),
    row(
      `2.1 a write in a linked folder is made where that folder is (${method})`,
      gives(method, put('to-d/new.md'), written),
      {
        'd/new.md': 'new',
        'to-d': link,
      },
      { links: { 'to-d': 'd' } },
    ),
    {
      row: `2.4 existing mode is kept: 0600 stays (${method})`,
      better: 'S9',
      files,
      steps: [
        does(({ vault }) => chmodSync(join(vault, 'a.md'), 0o600)),
        gives(method, put('a.md'), written),
        gives('fs.stat', { path: 'a.md' }, expect.objectContaining({ mode: 0o600, size: 3 })),
      ],
    },
    {
      row: `2.4 no temporary file is left (${method}; 9.7)`,
      files,
      steps: [
        gives(method, put('a.md'), written),
        gives(method, put('new.md'), written),
        fails(method, put('d'), -32013),
      ],
      disk: { '*': 'a.md d d/e new.md' },
    },
  ];
});

/** Rows that hold for `fs.append` and `fs.appendBinary` alike. */
const appendCases = appending.flatMap(([method, content]): RemoteCase[] => {
  const put = (path: string) => ({ path, ...content('+new') });
  return [
    row(
      `2.2 ${method}: at the end`,
      gives(method, put('a.md'), ({ mtime }) => ({
        mtime: mtime('a.md'),
      })),
      { 'a.md': 'old+new' },
    ),
    row(`2.2 ${method}: creates the file`, gives(method, put('d/new.md'), written), {
      'd/new.md': '+new',
    }),
    row(`2.2 ${method}: -32010 if the parent is missing`, fails(method, put('x/new.md'), -32010), {
      x: undefined,
    }),
    row(`2.2 ${method}: -32012 folder`, fails(method, put('d'), -32012), { d: folder }),
    row(`2.2 ${method}: -32012 root`, fails(method, put('/'), -32012), { 'a.md': 'old' }),
    row(`2.2 ${method}: -32011 parent is a file`, fails(method, put('a.md/x'), -32011), {
      'a.md': 'old',
    }),
    row(
      `2.2 ${method}: follows links`,
      gives(method, put('to-a'), written),
      {
        'a.md': 'old+new',
        'to-a': link,
      },
      { links: { 'to-a': 'a.md' } },
    ),
    {
      row: `2.2 ${method}: a note keeps its mode`,
      files,
      steps: [
        does(({ vault }) => chmodSync(join(vault, 'a.md'), 0o600)),
        gives(method, put('a.md'), written),
        gives('fs.stat', { path: 'a.md' }, expect.objectContaining({ mode: 0o600 })),
      ],
    },
    row(
      `2.2 ${method}: nothing to append makes an empty file`,
      gives(method, { path: 'empty.md' }, written),
      {
        'empty.md': '',
      },
    ),
  ];
});

/** Base64 as section 2.2 takes it, and as it does not. */
const encoded: readonly [what: string, text: string, content: string | undefined][] = [
  ['padding', 'YQ==', 'a'],
  ['CR/LF inside is ignored', 'YW\r\nJj\n', 'abc'],
  ['empty', '', ''],
  ['unpadded is rejected', 'YQ', undefined],
  ['URL-safe is rejected', '-_8=', undefined],
  ['other characters are rejected', 'YQ=!', undefined],
  ['spaces are rejected', 'YW Jj', undefined],
  ['text after the padding is rejected', 'YQ==YQ==', undefined],
];

const base64Cases = ['fs.writeBinary', 'fs.appendBinary'].flatMap((method) =>
  encoded.map(([what, contentBase64, content]): RemoteCase => {
    const params = { path: 'new.md', contentBase64 };
    return row(
      `2.2 ${method}: base64, ${what}`,
      content === undefined ? fails(method, params, -32602) : gives(method, params, written),
      { 'new.md': content },
    );
  }),
);

export const remoteWritingCases: readonly RemoteCase[] = [
  ...replaceCases,
  ...appendCases,
  ...base64Cases,
  row(
    '2.2 fs.writeBinary: base64 is checked before the path',
    fails('fs.writeBinary', { path: '../x', contentBase64: '!' }, -32602),
    {},
  ),
  row(
    '2.4 lone surrogates in content are stored as U+FFFD',
    says(
      [
        frame(
          '{"jsonrpc":"2.0","id":1,"method":"fs.write","params":{"path":"s.md","content":"a\\ud800b"}}',
        ),
      ],
      { id: '1', result: written },
    ),
    { 's.md': 'a\ufffdb' },
  ),
  row(
    'issue 8: bytes as sent: CRLF, BOM, no final newline, NUL',
    gives('fs.write', { path: 'a.md', content: '\ufeff---\r\na\0b' }, written),
    { 'a.md': '\ufeff---\r\na\0b' },
  ),
  row(
    'issue 8: no tag policy and no link is rewritten',
    gives('fs.write', { path: 'a.md', content: '---\ntags: [x\n---\n[[gone]] #1' }, written),
    { 'a.md': '---\ntags: [x\n---\n[[gone]] #1' },
  ),
  {
    row: '2.4 a write of the same bytes is a write: its mtime is answered',
    files,
    steps: [
      gives('fs.write', { path: 'a.md', content: 'old' }, ({ mtime }) => ({
        mtime: mtime('a.md'),
      })),
    ],
    disk: { 'a.md': 'old' },
  },
  {
    row: '2.4 return: what comes back can be expected by the next write',
    files,
    steps: [
      gives('fs.write', { path: 'a.md', content: '1' }, written),
      gives(
        'fs.write',
        ({ mtime }) => ({ path: 'a.md', content: '2', expectedMtime: mtime('a.md') }),
        written,
      ),
      gives('fs.readText', { path: 'a.md' }, expect.objectContaining({ content: '2' })),
    ],
  },
];

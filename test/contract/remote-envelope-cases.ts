import { expect } from 'vitest';
import { frame, request } from '../support/remote-wire.ts';
import {
  answered,
  closes,
  fails,
  folder,
  gives,
  question,
  type RemoteCase,
  type RemoteReply,
  says,
} from './remote-case.ts';

const parseError: RemoteReply = { id: 'null', error: -32700 };
const alive = says([frame(question)], answered);

/** Section 1.2: a message and its reply; the connection lives on. */
const messages: readonly [row: string, message: string, reply?: RemoteReply][] = [
  ['not JSON', 'hello', parseError],
  ['not JSON: cut off', '{"jsonrpc":"2.0","id":1', parseError],
  ['JSON string', '"hello"', parseError],
  ['JSON number', '5', parseError],
  ['JSON true', 'true', parseError],
  ['empty body', '', parseError],
  ['array (batch)', `[${question}]`, parseError],
  ['array (batch), also []', '[]', parseError],
  ['body null: a notification', 'null'],
  ['jsonrpc missing', '{"id":7,"method":"fs.exists"}', { id: '7', error: -32600 }],
  [
    'jsonrpc not "2.0"',
    '{"jsonrpc":"1.0","id":7,"method":"fs.exists"}',
    { id: '7', error: -32600 },
  ],
  ['method missing', '{"jsonrpc":"2.0","id":7}', { id: '7', error: -32600 }],
  ['method empty', '{"jsonrpc":"2.0","id":7,"method":""}', { id: '7', error: -32600 }],
  ['method not a string', '{"jsonrpc":"2.0","id":7,"method":5}', parseError],
  ['method not a string: object', '{"jsonrpc":"2.0","id":7,"method":{}}', parseError],
  ['unknown method', '{"jsonrpc":"2.0","id":7,"method":"fs.fly"}', { id: '7', error: -32601 }],
  [
    'unknown method: one that objects have',
    '{"jsonrpc":"2.0","id":7,"method":"constructor"}',
    { id: '7', error: -32601 },
  ],
  [
    'unknown method: the notification',
    '{"jsonrpc":"2.0","id":7,"method":"fs.changed"}',
    {
      id: '7',
      error: -32601,
    },
  ],
  ['id absent: a notification, even where it fails', '{"jsonrpc":"2.0","method":"fs.fly"}'],
  ['id null: a notification', '{"jsonrpc":"2.0","id":null,"method":"fs.list"}'],
  ['params absent', '{"jsonrpc":"2.0","id":1,"method":"fs.exists"}', answered],
  ['params null', '{"jsonrpc":"2.0","id":1,"method":"fs.exists","params":null}', answered],
  [
    'params array',
    '{"jsonrpc":"2.0","id":1,"method":"fs.exists","params":[]}',
    {
      id: '1',
      error: -32602,
    },
  ],
  [
    'params scalar',
    '{"jsonrpc":"2.0","id":1,"method":"fs.exists","params":"a"}',
    {
      id: '1',
      error: -32602,
    },
  ],
  [
    'params scalar, of a method without any',
    '{"jsonrpc":"2.0","id":1,"method":"fs.watch","params":5}',
    {
      id: '1',
      error: -32602,
    },
  ],
  [
    'field null: same as absent',
    '{"jsonrpc":"2.0","id":1,"method":"fs.exists","params":{"path":null}}',
    answered,
  ],
  [
    'unknown extra fields are ignored',
    '{"jsonrpc":"2.0","id":1,"method":"fs.exists","params":{"path":"","more":1},"extra":{}}',
    answered,
  ],
  [
    'meta on request: optional object',
    '{"jsonrpc":"2.0","id":1,"method":"fs.exists","meta":{"cid":"0123456789abcdef"}}',
    answered,
  ],
  [
    'spaces and line ends around and in it',
    ` \r\n{ "jsonrpc" : "2.0",\n"id" : 1 ,"method":"fs.exists"}\n`,
    answered,
  ],
];

/** Section 1.2: ids are echoed byte for byte. */
const ids = [
  '0',
  '-1',
  '"abc"',
  '"\\u0041 \\"quoted\\""',
  '""',
  '1.50',
  '1e3',
  '{"a": [1]}',
  '12345678901234567890',
];

/** Section 1.2: fields of a wrong JSON type, and fractions in integer fields. */
const wrongFields: readonly [method: string, params: object][] = [
  ...[
    'stat exists list walk readText readBinary readBinaryRange write append mkdir remove',
    'rmdir trashLocal watch',
  ]
    .flatMap((names) => names.split(' '))
    .map((name): [string, object] => [`fs.${name}`, { path: 5 }]),
  ['fs.stat', { path: ['a'] }],
  ['fs.stat', { path: {} }],
  ['fs.stat', { path: true }],
  ['fs.walk', { recursive: 'yes' }],
  ['fs.walk', { maxEntries: '10' }],
  ['fs.walk', { maxEntries: 1.5 }],
  ['fs.readText', { path: 'a.md', encoding: 8 }],
  ['fs.readBinaryRange', { path: 'a.md', offset: 0.5, length: 1 }],
  ['fs.readBinaryRange', { path: 'a.md', offset: 0, length: 1.5 }],
  ['fs.readBinaryRange', { path: 'a.md', offset: '0' }],
  ['fs.readBinaryRange', { path: 'a.md', expectedMtime: 1.5 }],
  ['fs.write', { path: 'b.md', content: 5 }],
  ['fs.write', { path: 'b.md', content: 'x', expectedMtime: 1.5 }],
  ['fs.write', { path: 'b.md', content: 'x', expectedMtime: '1' }],
  ['fs.writeBinary', { path: 'b.md', contentBase64: 5 }],
  ['fs.writeBinary', { path: 'b.md', contentBase64: '', expectedMtime: 0.5 }],
  ['fs.append', { path: 'b.md', content: [] }],
  ['fs.appendBinary', { path: 'b.md', contentBase64: {} }],
  ['fs.mkdir', { path: 'b', recursive: 1 }],
  ['fs.rmdir', { path: 'b', recursive: 'true' }],
  ['fs.rename', { oldPath: 5, newPath: 'b.md' }],
  ['fs.rename', { oldPath: 'a.md', newPath: {} }],
  ['fs.copy', { srcPath: 5, destPath: 'b.md' }],
  ['fs.copy', { srcPath: 'a.md', destPath: [] }],
  ['fs.watch', { path: '', recursive: 'yes' }],
  ['fs.unwatch', { subscriptionId: 5 }],
];

const gated = [
  ...['stat exists list walk readText readBinary readBinaryRange write writeBinary append'],
  ...['appendBinary mkdir remove rmdir rename copy trashLocal watch unwatch'],
].flatMap((names) => names.split(' ').map((name) => `fs.${name}`));

const token = ({ token: value }: { readonly token: string }): object => ({ token: value });

const authCases: readonly RemoteCase[] = [
  {
    row: '1.3 gate: all fs.* answer -32000 before auth, ahead of parameter checks',
    stranger: true,
    steps: gated.map((method) => fails(method, { path: 5 }, -32000)),
  },
  {
    row: '0 server.info before auth: -32000',
    better: 'section 0: follow DOC',
    stranger: true,
    steps: [fails('server.info', {}, -32000), gives('auth', token, { ok: true })],
  },
  {
    row: '1.2 unknown method: -32601 also before auth',
    stranger: true,
    steps: [fails('fs.fly', {}, -32601), gives('auth', token, { ok: true })],
  },
  {
    row: '1.2 not JSON before auth: -32700, connection stays open',
    stranger: true,
    steps: [says([frame('x')], parseError), gives('auth', token, { ok: true })],
  },
  {
    row: '0 wrong token: -32001 and the connection closes',
    better: 'section 0: follow DOC',
    stranger: true,
    steps: [closes([request(1, 'auth', { token: 'f'.repeat(64) })], { id: '1', error: -32001 })],
  },
  {
    row: '2.2 auth: -32001 empty',
    stranger: true,
    steps: [closes([request(1, 'auth', { token: '' })], { id: '1', error: -32001 })],
  },
  {
    row: '2.2 auth: -32001 absent',
    stranger: true,
    steps: [closes([request(1, 'auth', {})], { id: '1', error: -32001 })],
  },
  {
    row: '2.2 auth: -32001 longer than any token',
    stranger: true,
    steps: [
      closes([request(1, 'auth', { token: 'f'.repeat(99_999) })], { id: '1', error: -32001 }),
    ],
  },
  {
    row: '2.2 auth: -32602 no or odd params, and stays open',
    stranger: true,
    steps: [
      fails('auth', undefined, -32602),
      fails('auth', null, -32602),
      fails('auth', [], -32602),
      fails('auth', 'token', -32602),
      fails('auth', { token: 5 }, -32602),
      gives('auth', token, { ok: true }),
    ],
  },
  {
    row: '1.3 state: per connection, sticky; auth may be repeated',
    stranger: true,
    steps: [
      fails('fs.list', {}, -32000),
      gives('auth', token, { ok: true }),
      gives('fs.list', {}, { entries: [] }),
      gives('auth', token, { ok: true }),
      gives('fs.list', {}, { entries: [] }),
    ],
  },
  {
    row: '0 second auth with a wrong token on an authenticated connection: closes',
    better: 'section 0: follow DOC',
    steps: [closes([request(1, 'auth', { token: 'no' })], { id: '1', error: -32001 })],
  },
  {
    row: '1.3 auth is a barrier: frames after a wrong token are not run',
    stranger: true,
    steps: [
      closes([request(1, 'auth', { token: 'no' }), request(2, 'fs.mkdir', { path: 'made' })], {
        id: '1',
        error: -32001,
      }),
    ],
    disk: { made: undefined },
  },
  {
    row: '1.3 auth is a barrier: frames after the right one are run',
    stranger: true,
    steps: [
      says(
        (place) => [
          request(1, 'fs.exists', {}),
          request(2, 'auth', { token: place.token }),
          request(3, 'fs.mkdir', { path: 'made' }),
        ],
        { id: '1', error: -32000 },
        { id: '2', result: { ok: true } },
        { id: '3', result: {} },
      ),
    ],
    disk: { made: folder },
  },
  {
    row: '2.2 auth: a notification answers nothing, and lets in',
    stranger: true,
    steps: [
      says((place) => [frame({ jsonrpc: '2.0', method: 'auth', params: { token: place.token } })]),
      gives('fs.list', {}, { entries: [] }),
    ],
  },
];

const methods = [
  ...['append appendBinary batchStat copy exists hash list mkdir readBinary readBinaryRange'],
  ...['readText remove rename rmdir search stat thumbnail trashLocal unwatch walk watch write'],
  ...['writeBinary'],
].flatMap((names) => names.split(' ').map((name) => `fs.${name}`));

const infoCases: readonly RemoteCase[] = [
  {
    row: '5 capability list: exactly the registered method names, sorted',
    better: 'issue 8: fs.batchStat, fs.hash and fs.search are additions',
    thumbnails: true,
    steps: [
      gives('server.info', {}, ({ vault }) => ({
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        protocolVersion: 1,
        capabilities: ['auth', ...methods, 'server.info'],
        vaultRoot: vault,
      })),
    ],
  },
  {
    row: '2.3 a daemon without thumbnails should leave them out of capabilities',
    steps: [
      gives(
        'server.info',
        undefined,
        expect.objectContaining({
          capabilities: [
            'auth',
            ...methods.filter((name) => name !== 'fs.thumbnail'),
            'server.info',
          ],
        }),
      ),
      fails('fs.thumbnail', { path: 'a.png', maxDim: 5 }, -32601),
    ],
  },
];

export const remoteEnvelopeCases: readonly RemoteCase[] = [
  ...messages.map(([row, message, ...replies]) => ({
    row: `1.2 ${row}`,
    steps: [says([frame(message)], ...replies.filter((reply) => reply !== undefined)), alive],
  })),
  ...ids.map((id) => ({
    row: `1.2 id is echoed back byte for byte: ${id}`,
    steps: [
      says([frame(question.replace('"id":1', `"id":${id}`))], { ...answered, id }),
      says([frame(`{"jsonrpc":"2.0","method":"fs.fly","params":{"id":9},"id" : ${id} }`)], {
        id,
        error: -32601,
      }),
    ],
  })),
  ...wrongFields.map(([method, params]) => ({
    row: `1.2 field of wrong JSON type or a fraction: ${method} ${JSON.stringify(params)}`,
    files: { 'a.md': 'a' },
    steps: [fails(method, params, -32602)],
    disk: { 'b.md': undefined, 'a.md': 'a' },
  })),
  {
    row: '1.2 id absent: the method is executed, nothing is sent back',
    steps: [
      says([frame({ jsonrpc: '2.0', method: 'fs.mkdir', params: { path: 'made' } })]),
      gives('fs.exists', { path: 'made' }, { exists: true }),
    ],
    disk: { made: folder },
  },
  {
    row: '1.2 unknown method: message holds the method name',
    steps: [fails('fs.fly', {}, -32601, 'fs.fly')],
  },
  ...authCases,
  ...infoCases,
];

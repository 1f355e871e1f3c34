import { expect } from 'vitest';
import {
  call,
  errorOf,
  fails,
  gives,
  modernCall,
  notRunning,
  seedHandshake,
  serveObsidian,
} from './obsidian-steps.ts';
import type { WireCase } from './run-wire-case.ts';

const seed = 'seed 000';
const issue = 'issue 5';

/** Two notes of one name. */
const twins = { 'A/Log.md': 'one\n', 'B/Log.md': 'two\n' };

/** Every row of the seed's two tables of errors. */
export const errorCases: readonly WireCase[] = [
  {
    id: 'O05',
    source: `${seed}, -32700 Parse error: invalid JSON`,
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        send: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{...}}',
        answer: { id: null, error: { code: -32700 } },
      },
      { send: 'hello', answer: { id: null, error: { code: -32700 } } },
    ],
  },
  {
    id: 'O06',
    source: `${seed}, -32600 Invalid Request: invalid JSON-RPC structure; tool calls before the handshake`,
    start: serveObsidian(),
    steps: [
      {
        send: call('obsidian_read_note', { name: 'A' }),
        answer: { id: 3, error: { code: -32600, message: expect.stringContaining('initialize') } },
      },
      ...seedHandshake,
      { send: { jsonrpc: '2.0', id: 4 }, answer: { id: 4, error: { code: -32600 } } },
      { send: { id: 5, method: 'tools/list' }, answer: { id: 5, error: { code: -32600 } } },
    ],
  },
  {
    id: 'O07',
    source: `${seed}, -32601 Method not found: unknown method`,
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        send: { jsonrpc: '2.0', id: 3, method: 'obsidian/create' },
        answer: { id: 3, error: { code: -32601 } },
      },
    ],
  },
  {
    id: 'O08',
    source: `${seed}, -32602 Invalid params: parameter validation failed`,
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      ...[
        ['obsidian_create_note', {}],
        ['obsidian_create_note', { name: 7 }],
        ['obsidian_append_note', { name: 'A' }],
        ['obsidian_move_note', { name: 'A' }],
        ['obsidian_rename_note', { name: 'A', new_name: '' }],
        ['obsidian_search', { query: ['a'] }],
      ].map(([name, args]) =>
        fails(name as string, args as object, {
          code: -32602,
          errorCode: 'INVALID_PARAMS',
          says: /name|content|to|query/,
        }),
      ),
      { send: call('obsidian_nothing', {}), answer: { id: 3, error: { code: -32602 } } },
      {
        send: {
          jsonrpc: '2.0',
          id: 3,
          method: 'tools/call',
          params: { name: 'obsidian_read_note', arguments: 'A' },
        },
        answer: { id: 3, error: { code: -32602 } },
      },
    ],
  },
  {
    id: 'O09',
    source: `${seed}, -32603 Internal error: what is neither the caller's nor the vault's doing`,
    given: { 'A.md': 'x\n' },
    // History has nowhere to be kept: a file stands where its folder would be.
    start: () => {
      const start = serveObsidian('running')();
      const state = `${start.env?.['PATH']}/obsidian/state`;
      return { ...start, env: { ...start.env, XDG_STATE_HOME: state } };
    },
    steps: [
      ...seedHandshake,
      {
        send: call('obsidian_append_note', { name: 'A', content: 'y' }),
        answer: {
          id: 3,
          error: {
            code: -32603,
            message: expect.stringContaining('XDG_STATE_HOME'),
            data: { errorCode: expect.stringMatching(/^[A-Z_]+$/) },
          },
        },
      },
      gives('obsidian_read_note', { name: 'A' }, { path: 'A.md', content: 'x\n' }),
    ],
  },
  {
    id: 'O10',
    source: `${seed}, -32000 Server error: what has no code of its own, with a name of its own`,
    given: { 'Taken.md': 'mine\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      fails(
        'obsidian_create_note',
        { name: 'Taken', content: 'yours' },
        { code: -32000, errorCode: 'ALREADY_EXISTS', says: /overwrite/ },
      ),
      gives('obsidian_read_note', { name: 'Taken' }, { path: 'Taken.md', content: 'mine\n' }),
    ],
  },
  {
    id: 'O11',
    source: `${seed}, -32001 Obsidian not running: whichever way the app is looked for`,
    given: { 'A.md': '' },
    start: serveObsidian('not-running'),
    steps: [
      ...seedHandshake,
      ...[
        ['obsidian_open_note', { name: 'A' }],
        ['obsidian_commands', {}],
        ['obsidian_run_command', { id: 'app:reload' }],
        ['obsidian_tabs', {}],
        ['obsidian_recents', {}],
      ].map(([name, args]) => ({
        send: call(name as string, args as object),
        answer: { id: 3, error: notRunning },
      })),
    ],
  },
  {
    id: 'O11b',
    source: `${issue}: without the CLI and without an opener, obsidian_open_note says that the app is not running`,
    given: { 'A.md': '' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      { send: call('obsidian_open_note', { name: 'A' }), answer: { id: 3, error: notRunning } },
    ],
  },
  {
    id: 'O12',
    source: `${seed}, -32002 Vault not found: invalid vault name; ${issue}: -32002 arrives as -32002`,
    given: { 'A.md': 'x\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      fails(
        'obsidian_read_note',
        { name: 'A', vault: 'Nowhere' },
        { code: -32002, errorCode: 'VAULT_NOT_FOUND', says: /Nowhere/ },
      ),
      gives('obsidian_read_note', { name: 'A' }, { path: 'A.md', content: 'x\n' }),
    ],
  },
  {
    id: 'O12b',
    source: `${seed}, -32002 Vault not found: also when it is the app that does not know the vault`,
    given: { 'A.md': '' },
    start: serveObsidian('unknown-vault'),
    steps: [
      ...seedHandshake,
      fails(
        'obsidian_open_note',
        { name: 'A' },
        { code: -32002, errorCode: 'VAULT_NOT_FOUND', says: /Open its folder/ },
      ),
    ],
  },
  {
    id: 'O12c',
    source: 'design §3: the era of 2026-07-28 forbids -32002: -32602 with the same errorCode',
    given: { 'A.md': 'x\n' },
    start: serveObsidian(),
    steps: [
      {
        send: modernCall('obsidian_read_note', { name: 'A', vault: 'Nowhere' }),
        answer: { id: 3, error: errorOf({ code: -32602, errorCode: 'VAULT_NOT_FOUND' }) },
      },
      {
        send: modernCall('obsidian_read_note', { name: 'Nothing' }),
        answer: { id: 3, error: errorOf({ code: -32003, errorCode: 'FILE_NOT_FOUND' }) },
      },
    ],
  },
  {
    id: 'O13',
    source: `${seed}, -32003 File not found: note does not exist; ${issue}: the message says what to do`,
    given: { 'Garden.md': '' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      fails(
        'obsidian_read_note',
        { name: 'Gardn' },
        { code: -32003, errorCode: 'FILE_NOT_FOUND', says: /Gardn.*Garden/s },
      ),
    ],
  },
  {
    id: 'O14',
    source: `${seed}, -32004 Ambiguous name: multiple files match; the candidates are told`,
    given: twins,
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        send: call('obsidian_delete_note', { name: 'Log' }),
        answer: {
          id: 3,
          error: {
            code: -32004,
            message: expect.stringMatching(/A\/Log\.md.*B\/Log\.md/s),
            data: { errorCode: 'AMBIGUOUS_NAME', candidates: ['A/Log.md', 'B/Log.md'] },
          },
        },
      },
      gives('obsidian_read_note', { name: 'A/Log' }, { path: 'A/Log.md', content: 'one\n' }),
    ],
  },
  {
    id: 'O15',
    source: `${seed}, -32005 Permission denied: paths that lead out of the vault`,
    given: { 'A.md': 'x\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      ...['../out', '/etc/passwd', 'a\\b'].map((name) =>
        fails('obsidian_read_note', { name }, { code: -32005, errorCode: 'PERMISSION_DENIED' }),
      ),
    ],
  },
  {
    id: 'O15b',
    source: `${seed}, -32005 Permission denied: read-only mode refuses what writes`,
    given: { 'A.md': 'x\n' },
    start: serveObsidian(undefined, '--read-only'),
    steps: [
      ...seedHandshake,
      fails(
        'obsidian_append_note',
        { name: 'A', content: 'y' },
        { code: -32005, errorCode: 'PERMISSION_DENIED' },
      ),
      gives('obsidian_read_note', { name: 'A' }, { path: 'A.md', content: 'x\n' }),
    ],
  },
  {
    id: 'O16',
    source: `${seed}, -32006 Timeout: the operation exceeded its time, and the process is stopped`,
    given: { 'A.md': '' },
    start: serveObsidian('never-ends', '--timeout', 'obsidian_open_note=1'),
    steps: [
      ...seedHandshake,
      fails('obsidian_open_note', { name: 'A' }, { code: -32006, errorCode: 'TIMEOUT' }),
    ],
  },
];

import { expect } from 'vitest';
import { legacyHello, modernMeta } from '../support/stdio-process.ts';
import type { WireCase, WireStep } from './run-wire-case.ts';

const seed = 'seed 000';
const issue = 'issue 4';

const request = (id: unknown, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** The handshake of the 2025 era, as steps. */
const handshake: readonly WireStep[] = [
  {
    send: request(0, 'initialize', legacyHello),
    answer: { id: 0, result: { protocolVersion: '2025-11-25' } },
  },
  { send: { jsonrpc: '2.0', method: 'notifications/initialized' } },
];

const call = (id: unknown, name: string, args: object): object =>
  request(id, 'tools/call', { name, arguments: args });

/** What is no message: the line, and the id that its answer has. */
const invalid: readonly (readonly [unknown, unknown])[] = [
  [[], null],
  [[request(1, 'ping')], null],
  [7, null],
  ['text', null],
  [null, null],
  [{}, null],
  [{ jsonrpc: '2.0', id: 4 }, 4],
  [{ jsonrpc: '1.0', id: 5, method: 'ping' }, 5],
  [{ id: 6, method: 'ping' }, 6],
  [{ jsonrpc: '2.0', id: 7, method: 8 }, 7],
  [{ jsonrpc: '2.0', id: {}, method: 'ping' }, null],
  [{ jsonrpc: '2.0', id: null, method: 'ping' }, null],
  [{ jsonrpc: '2.0', id: 9, method: 'ping', params: 'x' }, 9],
];

/** What seed 000 and issue 4 ask of the messages themselves, whichever toolset is served. */
export const wireCases: readonly WireCase[] = [
  {
    id: 'W01',
    source: `${seed}: initialize is answered with version, capabilities and serverInfo`,
    steps: [
      {
        send: request(1, 'initialize', {
          protocolVersion: '2024-11-05',
          capabilities: {},
          clientInfo: { name: 'Claude Desktop', version: '1.0.0' },
        }),
        answer: {
          id: 1,
          result: {
            protocolVersion: '2024-11-05',
            capabilities: { tools: {} },
            serverInfo: { name: 'vaultdoor', version: expect.any(String) },
          },
        },
      },
    ],
  },
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((protocolVersion, index) => ({
    id: `W02.${index + 1}`,
    source: `${issue}: both protocol eras, 2024-11-05 to 2025-11-25: ${protocolVersion} is answered with itself`,
    steps: [
      {
        send: request('x', 'initialize', { ...legacyHello, protocolVersion }),
        answer: { id: 'x', result: { protocolVersion } },
      },
    ],
  })),
  {
    id: 'W03',
    source: `${seed}: tools/list gives names, descriptions and input schemas`,
    steps: [
      ...handshake,
      {
        send: request(2, 'tools/list'),
        answer: {
          id: 2,
          result: {
            tools: expect.arrayContaining([
              {
                name: 'read_note',
                description: expect.any(String),
                inputSchema: expect.objectContaining({
                  type: 'object',
                  properties: expect.objectContaining({ name: expect.anything() }),
                }),
                annotations: expect.objectContaining({ readOnlyHint: true }),
              },
              expect.objectContaining({
                name: 'delete_note',
                annotations: { destructiveHint: true, openWorldHint: false },
              }),
            ]),
          },
        },
      },
    ],
  },
  {
    id: 'W04',
    source: `${seed}: tools/call succeeds with a text item; ids come back as they were sent`,
    given: { 'A.md': 'line\nline\n' },
    steps: [
      ...handshake,
      {
        send: call('id 1', 'read_note', { name: 'A' }),
        answer: {
          id: 'id 1',
          result: { content: [{ type: 'text', text: expect.stringMatching(/^line\nline\n/) }] },
        },
      },
      {
        send: call(0, 'get_links', { name: 'A' }),
        answer: { id: 0, result: { content: [{ type: 'text' }] } },
      },
    ],
  },
  {
    id: 'W05',
    source: `${issue}: failures of this toolset are tool results with isError, wrong arguments too`,
    steps: [
      ...handshake,
      {
        send: call(1, 'read_note', { name: 'Nothing' }),
        answer: { result: { isError: true, content: [{ type: 'text' }] } },
      },
      { send: call(2, 'read_note', { name: 7 }), answer: { result: { isError: true } } },
    ],
  },
  {
    id: 'W06',
    source: `${seed}: -32700 Parse error for invalid JSON; ${issue}: the connection goes on`,
    steps: [
      ...handshake,
      ...[
        '{',
        'hello',
        '{"jsonrpc":"2.0","id":1,"method":"ping"',
        "{'jsonrpc':'2.0'}",
        '\u0000',
      ].map((send) => ({ send, answer: { id: null, error: { code: -32700 } } })),
      { send: request(3, 'ping'), answer: { id: 3, result: {} } },
    ],
  },
  {
    id: 'W07',
    source: `${seed}: -32600 Invalid Request for what is no request`,
    steps: [
      ...handshake,
      ...invalid.map(([message, id]) => ({
        send: JSON.stringify(message),
        answer: { id, error: { code: -32600 } },
      })),
      { send: request(3, 'ping'), answer: { id: 3, result: {} } },
    ],
  },
  {
    id: 'W08',
    source: `${seed}: -32601 Method not found`,
    steps: [
      ...handshake,
      { send: request(1, 'notes/everything'), answer: { id: 1, error: { code: -32601 } } },
      { send: request(2, 'shutdown'), answer: { id: 2, error: { code: -32601 } } },
    ],
  },
  {
    id: 'W09',
    source: `${seed}: -32602 Invalid params; ${issue}: also for an unknown tool`,
    steps: [
      ...handshake,
      { send: call(1, 'note_read', {}), answer: { id: 1, error: { code: -32602 } } },
      { send: call(2, 'constructor', {}), answer: { id: 2, error: { code: -32602 } } },
      {
        send: request(3, 'tools/call', {}),
        answer: { id: 3, error: { code: -32602, data: { errorCode: 'INVALID_PARAMS' } } },
      },
      {
        send: request(4, 'tools/call', { name: 'read_note', arguments: 'x' }),
        answer: {
          id: 4,
          error: {
            code: -32602,
            message:
              'The arguments must be an object, not text; "tools/call" takes {"name": "…", "arguments": {…}}.',
            data: { errorCode: 'INVALID_PARAMS' },
          },
        },
      },
    ],
  },
  {
    id: 'W10',
    source: `${issue}: a 2025-era tools/* request before initialize: -32600 with a message that says so`,
    given: { 'A.md': 'x' },
    steps: [
      {
        send: request(1, 'tools/list'),
        answer: { id: 1, error: { code: -32600, message: expect.stringContaining('initialize') } },
      },
      {
        send: call(2, 'read_note', { name: 'A' }),
        answer: { id: 2, error: { code: -32600, message: expect.stringContaining('initialize') } },
      },
      ...handshake,
      { send: call(3, 'read_note', { name: 'A' }), answer: { id: 3, result: {} } },
    ],
  },
  {
    id: 'W11',
    source: `${seed}: notifications are not answered; ${issue}: nor are answers to nothing`,
    steps: [
      ...handshake,
      { send: { jsonrpc: '2.0', method: 'notifications/nobody/knows' } },
      { send: { jsonrpc: '2.0', id: 77, result: {} } },
      { send: request(1, 'ping'), answer: { id: 1, result: {} } },
    ],
  },
  {
    id: 'W12',
    source: `${issue}: 2026-07-28 requests need no initialize`,
    given: { 'A.md': 'x' },
    steps: [
      {
        send: request(1, 'server/discover', { _meta: modernMeta }),
        answer: {
          id: 1,
          result: {
            supportedVersions: expect.arrayContaining(['2026-07-28']),
            capabilities: { tools: {} },
            instructions: expect.any(String),
          },
        },
      },
      {
        send: request(2, 'tools/call', {
          name: 'read_note',
          arguments: { name: 'A' },
          _meta: modernMeta,
        }),
        answer: { id: 2, result: { content: [{ type: 'text' }] } },
      },
      {
        send: request(3, 'tools/call', { name: 'nothing', arguments: {}, _meta: modernMeta }),
        answer: { id: 3, error: { code: -32602 } },
      },
    ],
  },
  {
    id: 'W13',
    source: `${seed}: on exit the server completes what runs, answers it, and leaves`,
    given: { 'A.md': 'x\n' },
    steps: [
      ...handshake,
      {
        leave: 'exit',
        last: call(5, 'append_note', { name: 'A', text: 'more' }),
        answer: { id: 5, result: { content: [{ type: 'text' }] } },
      },
    ],
  },
  {
    id: 'W14',
    source: `${seed}: if stdin closes without exit, the server shuts down gracefully`,
    given: { 'A.md': 'x\n' },
    steps: [
      ...handshake,
      {
        leave: 'end of input',
        last: call(5, 'search_notes', { query: 'x' }),
        answer: { id: 5, result: { content: [{ type: 'text' }] } },
      },
    ],
  },
];

import { expect } from 'vitest';
import {
  call,
  gives,
  notRunning,
  seedHandshake,
  seedHello,
  serveObsidian,
} from './obsidian-steps.ts';
import type { WireCase } from './run-wire-case.ts';

const seed = 'seed 000';
const issue = 'issue 5';

const meeting = { name: 'Meeting Notes', content: '# Meeting Notes\n\n- Agenda item 1' };

/** The requests and responses that the seed shows, one by one, and its two ways to leave. */
export const exampleCases: readonly WireCase[] = [
  {
    id: 'O01',
    source: `${seed}, "Initialization Handshake": the request and the response of initialize`,
    start: serveObsidian(),
    steps: [
      {
        send: seedHello,
        answer: {
          id: 1,
          result: expect.objectContaining({
            protocolVersion: '2024-11-05',
            capabilities: { tools: {} },
            serverInfo: expect.objectContaining({
              name: 'obsidian-mcp',
              version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
            }),
          }),
        },
      },
    ],
  },
  {
    id: 'O02',
    source: `${seed}, "Tool Discovery": the request and the response of tools/list`,
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        send: { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
        answer: {
          id: 2,
          result: {
            tools: expect.arrayContaining([
              expect.objectContaining({
                name: 'obsidian_create_note',
                description: 'Create a new note in the vault',
                inputSchema: {
                  type: 'object',
                  properties: {
                    name: {
                      type: 'string',
                      description: 'Note name (without .md extension) or exact path',
                    },
                    content: { type: 'string', description: 'Initial note content (markdown)' },
                    overwrite: { type: 'boolean', description: 'Overwrite if file exists' },
                  },
                  required: ['name'],
                },
              }),
              ...[
                'read_note',
                'append_note',
                'prepend_note',
                'delete_note',
                'move_note',
                'rename_note',
                'open_note',
                'file_info',
              ].map((name) => expect.objectContaining({ name: `obsidian_${name}` })),
            ]),
          },
        },
      },
    ],
  },
  {
    id: 'O03',
    source: `${seed}, "Tool Invocation": the request and the response of a success`,
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        send: call('obsidian_create_note', meeting),
        answer: {
          id: 3,
          result: {
            // Exactly this item: inside of a matcher nothing may be beside what is named.
            content: expect.arrayContaining([
              {
                type: 'text',
                text: '{"success":true,"data":{"path":"Meeting Notes.md","created":true}}',
              },
            ]),
          },
        },
      },
      gives(
        'obsidian_read_note',
        { name: 'Meeting Notes' },
        { path: 'Meeting Notes.md', content: meeting.content },
      ),
    ],
  },
  {
    id: 'O04',
    source: `${seed}, "Response: Error": the app is not running; ${issue}: with the code of the table`,
    given: { 'A.md': '' },
    start: serveObsidian('not-running'),
    steps: [
      ...seedHandshake,
      { send: call('obsidian_open_note', { name: 'A' }), answer: { id: 3, error: notRunning } },
    ],
  },
  {
    id: 'O17',
    source: `${seed}, "Shutdown": the exit notification; what runs is completed and answered`,
    given: { 'A.md': 'x\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        leave: 'exit',
        last: call('obsidian_append_note', { name: 'A', content: 'more' }),
        answer: { id: 3, result: { content: [{ type: 'text' }] } },
      },
    ],
  },
  {
    id: 'O18',
    source: `${seed}, "EOF on stdin": without exit it shuts down gracefully too`,
    given: { 'A.md': 'x\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        leave: 'end of input',
        last: call('obsidian_search', { query: 'x' }),
        answer: { id: 3, result: { content: [{ type: 'text' }] } },
      },
    ],
  },
];

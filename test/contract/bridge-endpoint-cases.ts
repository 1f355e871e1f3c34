import { expect } from 'vitest';
import type { BridgeCase } from './bridge-case.ts';
import {
  asJson,
  example,
  health,
  maxBytes,
  nearestTool,
  noCors,
  notFound,
  notJson,
  ofBytes,
  readExample,
  tooLarge,
  toolNotFound,
  wrongMethod,
  wrongShape,
} from './bridge-words.ts';

const seed = 'seed 001';
const endpoints = 'fact sheet 1.1';
const issue = 'issue 7';

/** What the seed and the fact sheet say of the endpoints. */
export const bridgeEndpointCases: readonly BridgeCase[] = [
  {
    id: 'B01',
    source: `${endpoints}: GET /health is 200 with status, version, protocolVersion in that order`,
    request: { path: '/health' },
    expected: { ...health, headers: { 'content-type': 'application/json' } },
  },
  {
    id: 'B02',
    source: `${endpoints}: HEAD /health is 200 without a body`,
    request: { method: 'HEAD', path: '/health' },
    expected: { status: 200, empty: true },
  },
  ...(
    [
      ['POST', '/health', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/health', 'GET, HEAD, OPTIONS'],
      ['PUT', '/tools', 'GET, HEAD, OPTIONS'],
      ['GET', '/tools/read_note/call', 'POST, OPTIONS'],
      ['PATCH', '/tools/read_note/call', 'POST, OPTIONS'],
    ] as const
  ).map(([method, path, allow], at) => ({
    id: `B03.${at + 1}`,
    source: `${seed}: 405 Method not allowed: ${method} ${path}`,
    request: { method, path },
    expected: wrongMethod(allow),
  })),
  {
    id: 'B04',
    source: `${endpoints}: GET /tools is 200 with tools (name, description, inputSchema) and hash`,
    request: { path: '/tools' },
    expected: {
      status: 200,
      json: {
        tools: expect.arrayContaining([
          {
            name: 'read_note',
            description: expect.any(String),
            inputSchema: expect.objectContaining({ type: 'object' }),
          },
        ]),
        hash: expect.stringMatching(/^[\da-f]{64}$/),
      },
      headers: { 'content-type': 'application/json', etag: expect.stringMatching(/^"\w{64}"$/) },
    },
  },
  {
    id: 'B05',
    source: `${seed}: a call that succeeds is 200 with success and content`,
    request: readExample(),
    expected: { ...example, headers: { 'content-type': 'application/json' } },
  },
  {
    id: 'B06',
    source: `${seed}: a tool's failure is 200 with success false, isError true and a text "Error: ..."`,
    request: readExample({}, { arguments: { path: 'Notes/Nowhere.md' } }),
    expected: {
      status: 200,
      jsonIs: {
        success: false,
        content: [{ type: 'text', text: expect.stringMatching(/^Error: .*Nowhere/) }],
        isError: true,
      },
    },
  },
  {
    id: 'B07.1',
    source: `${seed}: 404 Tool not found`,
    request: { path: '/tools/nothing/call', headers: asJson, body: { arguments: {} } },
    expected: toolNotFound,
  },
  {
    id: 'B07.2',
    source: `${endpoints}: an unknown tool is told of before the body is parsed`,
    request: { path: '/tools/nothing/call', headers: asJson, body: '{' },
    expected: toolNotFound,
  },
  {
    id: 'B07.3',
    source: `${endpoints}: an unknown tool; names of objects in general are none`,
    request: { path: '/tools/constructor/call', headers: asJson, body: { arguments: {} } },
    expected: toolNotFound,
  },
  ...['{', 'arguments', "{'arguments':{}}", '{"arguments":{}', '\u0000'].map((body, at) => ({
    id: `B08.${at + 1}`,
    source: `${endpoints}: bad JSON is 400 with details: ${JSON.stringify(body)}`,
    request: readExample({}, body),
    expected: notJson,
  })),
  {
    id: 'B08.6',
    source: `${endpoints}: an empty body is 400 with details`,
    request: { method: 'POST', path: '/tools/read_note/call', headers: asJson },
    expected: notJson,
  },
  ...[
    '[]',
    '{}',
    'null',
    '"s"',
    '7',
    '{"path":"Notes/Example.md"}',
    '{"arguments":null}',
    '{"arguments":[]}',
    '{"arguments":"path"}',
    '[{"arguments":{}}]',
  ].map((body, at) => ({
    id: `B09.${at + 1}`,
    source: `${seed}: the body is an object whose arguments are an object: ${body}`,
    better: 'The reference does not say what is wrong (issue 17).',
    request: readExample({}, body),
    expected: wrongShape,
  })),
  {
    id: 'B10',
    source: `${endpoints}: extra keys in the body are ignored`,
    request: readExample({}, { arguments: { path: 'Notes/Example' }, id: 7, name: 'delete_note' }),
    expected: example,
  },
  {
    id: 'B11.1',
    source: `${issue}: arguments that fail the schema are 200, success false, and name the field`,
    better: 'The reference hands them to the tool unchecked.',
    request: readExample({}, { arguments: { path: 7 } }),
    expected: {
      status: 200,
      json: {
        success: false,
        isError: true,
        content: [{ type: 'text', text: expect.stringMatching(/^Error: .*"(path|name)"/) }],
      },
    },
  },
  {
    id: 'B11.2',
    source: `${issue}: arguments that are missing are named`,
    better: 'The reference hands them to the tool unchecked.',
    request: {
      path: '/tools/replace_note/call',
      headers: asJson,
      body: { arguments: { path: 'Notes/Example.md', new_text: 'x' } },
    },
    expected: {
      status: 200,
      json: {
        success: false,
        isError: true,
        content: [{ type: 'text', text: expect.stringContaining('"old_text"') }],
      },
    },
  },
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].map(
    (type, at) => ({
      id: `B12.${at + 1}`,
      source: `${issue}: a body declared as another type than JSON is 400 with details: ${type}`,
      better: 'The reference never looks; a web page can send these without being asked.',
      request: readExample({ headers: { 'content-type': type } }),
      expected: notJson,
    }),
  ),
  {
    id: 'B12.4',
    source: `${issue}: a body of no declared type is taken as JSON`,
    request: readExample({ headers: {} }),
    expected: example,
  },
  {
    id: 'B12.5',
    source: `${seed}: Content-Type: application/json, with a charset too`,
    request: readExample({ headers: { 'content-type': 'Application/JSON; charset=utf-8' } }),
    expected: example,
  },
  {
    id: 'B13.1',
    source: `${endpoints}: the query is ignored`,
    request: { path: '/health?verbose=1' },
    expected: health,
  },
  {
    id: 'B13.2',
    source: `${endpoints}: the query is ignored in a call`,
    request: readExample({ path: '/tools/read_note/call?path=Home.md' }),
    expected: example,
  },
  ...['/health/', '/tools/', '', '/', '/nothing', '/tools/read_note', '/tools//call'].map(
    (path, at) => ({
      id: `B14.${at + 1}`,
      source: `${endpoints}: a trailing slash, the bare base and unknown paths are 404: ${path}`,
      request: { path },
      expected: notFound,
    }),
  ),
  {
    id: 'B14.8',
    source: `${endpoints}: a trailing slash after a call is 404`,
    request: readExample({ path: '/tools/read_note/call/' }),
    expected: notFound,
  },
  {
    id: 'B15',
    source: `${endpoints}: a raw slash in a name is 404 Not found`,
    request: readExample({ path: '/tools/utils/helper/call' }),
    expected: notFound,
  },
  {
    id: 'B16.1',
    source: `${seed}: {name} is URL-encoded: %72ead%5Fnote is read_note`,
    request: readExample({ path: '/tools/%72ead%5Fnote/call' }),
    expected: example,
  },
  {
    id: 'B16.2',
    source: `${endpoints}: an escaped slash belongs to the name`,
    request: readExample({ path: '/tools/utils%2Fhelper/call' }),
    expected: toolNotFound,
  },
  {
    id: 'B17',
    source: `${endpoints}: a plus is a plus, not a space`,
    better: 'The nearest tool is offered (issue 17).',
    request: readExample({ path: '/tools/read+note/call' }),
    expected: nearestTool('read_note'),
  },
  {
    id: 'B18',
    source: `${endpoints}: a malformed escape is 404 Tool not found`,
    request: readExample({ path: '/tools/%E0%A4%A/call' }),
    expected: toolNotFound,
  },
  {
    id: 'B19.1',
    source: `${seed}: max body size is 1 MiB: exactly that is taken`,
    request: readExample({}, ofBytes(maxBytes)),
    expected: example,
  },
  {
    id: 'B19.2',
    source: `${seed}: 413 Request body too large`,
    request: readExample({}, ofBytes(maxBytes + 1)),
    expected: tooLarge,
  },
  {
    id: 'B19.3',
    source: `${endpoints}: a declared length is looked at before the tool`,
    request: readExample({ path: '/tools/nothing/call' }, ofBytes(maxBytes + 1)),
    expected: tooLarge,
  },
  {
    id: 'B19.4',
    source: `${endpoints}: a wrong method is told of, however large the body`,
    request: readExample({ path: '/health' }, ofBytes(maxBytes + 1)),
    expected: wrongMethod('GET, HEAD, OPTIONS'),
  },
  {
    id: 'B19.5',
    source: `${seed}: max body size is 1 MiB, in chunks too`,
    better: 'The reference takes chunks without end, or cuts the connection.',
    request: readExample({ isChunked: true }, ofBytes(maxBytes + 1)),
    expected: tooLarge,
  },
  {
    id: 'B19.6',
    source: `${seed}: max body size is 1 MiB, exactly that in chunks is taken`,
    request: readExample({ isChunked: true }, ofBytes(maxBytes)),
    expected: example,
  },
  {
    id: 'B20',
    source: 'fact sheet 2: a v1-only server answers POST /mcp with 404, and nothing of CORS',
    request: { path: '//mcp', headers: asJson, body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    expected: { ...notFound, headers: noCors },
  },
];

import { expect } from 'vitest';
import type { BridgeCase } from './bridge-case.ts';
import { bridgeCorsCases } from './bridge-cors-cases.ts';
import { bridgeEndpointCases } from './bridge-endpoint-cases.ts';
import { anyOrigin, notFound } from './bridge-words.ts';

const issue = 'issue 7';

/** What we add, and clients of v1 never ask for. */
const addedCases: readonly BridgeCase[] = [
  {
    id: 'E01',
    source: `${issue}: If-None-Match of any list is 304`,
    request: { path: '/tools', headers: { 'if-none-match': '*' } },
    expected: { status: 304, empty: true, headers: anyOrigin },
  },
  {
    id: 'E02',
    source: `${issue}: If-None-Match of another list is the list`,
    request: { path: '/tools', headers: { 'if-none-match': '"abc", W/"def"' } },
    expected: { status: 200, json: { hash: expect.any(String) } },
  },
  ...([{}, { accept: '*/*' }, { accept: 'application/json' }] as const).map((headers, at) => ({
    id: `E03.${at + 1}`,
    source: `${issue}: /tools/events is JSON 404 to who does not ask for a stream`,
    request: { path: '/tools/events', headers },
    expected: notFound,
  })),
  {
    id: 'E04',
    source: `${issue}: /tools/events is 404 for every other method`,
    request: { method: 'POST', path: '/tools/events', headers: { accept: 'text/event-stream' } },
    expected: notFound,
  },
];

/** What seed 001, its fact sheet and issue 7 ask of a Bridge v1 server on the example vault. */
export const bridgeCases: readonly BridgeCase[] = [
  ...bridgeEndpointCases,
  ...bridgeCorsCases,
  ...addedCases,
];

import { expect } from 'vitest';
import type { BridgeExpected, BridgeRequest } from './bridge-case.ts';

export const maxBytes = 1024 * 1024;
export const asJson = { 'content-type': 'application/json' };

/** The refusals of the protocol: `error` and `message` are the same in every one. */
export const refusal = (error: string): object => ({ error, message: error });
export const notFound: BridgeExpected = { status: 404, jsonIs: refusal('Not found') };
export const toolNotFound: BridgeExpected = { status: 404, jsonIs: refusal('Tool not found') };
export const nearestTool = (name: string): BridgeExpected => ({
  status: 404,
  jsonIs: { ...refusal('Tool not found'), details: `There is no tool of this name; use ${name}.` },
});
export const wrongMethod = (allow: string): BridgeExpected => ({
  status: 405,
  jsonIs: refusal('Method not allowed'),
  headers: { allow },
});
export const wrongShape: BridgeExpected = {
  status: 400,
  jsonIs: {
    ...refusal('Invalid request body'),
    details: expect.stringMatching(/^"arguments" (is missing|must be an object): /),
  },
};
export const notJson: BridgeExpected = {
  status: 400,
  json: { ...refusal('Invalid request body'), details: expect.any(String) },
};
export const tooLarge: BridgeExpected = { status: 413, json: refusal('Request body too large') };

export const example = {
  status: 200,
  json: {
    success: true,
    content: [{ type: 'text', text: expect.stringContaining('# Example') }],
  },
} satisfies BridgeExpected;

export const readExample = (
  more: Omit<Partial<BridgeRequest>, 'body'> = {},
  body: unknown = { arguments: { path: 'Notes/Example.md' } },
): BridgeRequest => ({ path: '/tools/read_note/call', headers: asJson, ...more, body });

/** A body of exactly so many bytes. */
export const ofBytes = (bytes: number): string => {
  const [start, end] = ['{"arguments":{"path":"Notes/Example.md"},"more":"', '"}'];
  return start + 'x'.repeat(bytes - start.length - end.length) + end;
};

export const anyOrigin = { 'access-control-allow-origin': '*' };
export const corsHeaders = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type',
};
export const noCors = {
  'access-control-allow-origin': undefined,
  'access-control-allow-methods': undefined,
  'access-control-allow-headers': undefined,
};
export const foreign: BridgeExpected = {
  status: 403,
  json: { ...refusal('Forbidden'), details: expect.any(String) },
  headers: noCors,
};

export const health: BridgeExpected = {
  status: 200,
  jsonIs: {
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    protocolVersion: '1',
  },
};

import { expect } from 'vitest';
import type { BridgeCase } from './bridge-case.ts';

/** What came back, whatever carried it. Names of headers are in lower case. */
export interface BridgeReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Checks the answer to a case. */
export function checkBridgeReply({ expected }: BridgeCase, reply: BridgeReply): void {
  const { status, json, jsonIs, empty, headers = {} } = expected;
  expect(reply.status, reply.body.slice(0, 500)).toBe(status);
  if (empty) expect(reply.body).toBe('');
  if (json !== undefined) expect(JSON.parse(reply.body)).toMatchObject(json);
  if (jsonIs !== undefined) {
    const body: unknown = JSON.parse(reply.body);
    expect(body).toEqual(jsonIs);
    expect(Object.keys(body as object)).toEqual(Object.keys(jsonIs));
  }
  for (const [name, value] of Object.entries(headers)) {
    expect(reply.headers.get(name), name).toEqual(value);
  }
  if (!empty && status !== 304) expect(reply.headers.get('content-type')).toBe('application/json');
}

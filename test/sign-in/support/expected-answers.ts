import { expect } from 'vitest';
import type { SignInServer } from './sign-in-server.ts';

/** What was logged about signing in since this was called, as `step: answer`. */
export function stepsSince(server: SignInServer): () => readonly string[] {
  const from = server.log.length;
  return () =>
    server.log.slice(from).flatMap((line) => {
      const { event, step, answer } = JSON.parse(line);
      if (event === 'grant') return [`grant: ${step}`];
      return event === 'sign-in' ? [`${step}: ${answer}`] : [];
    });
}

/** Nothing that the server has logged is secret, or says where answers go. */
export function expectNoSecret({ log }: SignInServer): void {
  const secret = /vd[akrsc]?_[\w-]{8}|code=|redirect_uri=|callback|:\/\/|herons/;
  // The server's own addresses may stand there: they say what an owner should use instead.
  const own = /https?:\/\/(?:(?:vault\.)?example\.com|localhost:1065)\b/g;
  expect(log.filter((line) => secret.test(line.replaceAll(own, '')))).toEqual([]);
}

/** A page that only says something: it leads nowhere, and shows nothing of what was sent. */
export async function expectPage(
  response: Response,
  { status = 400, without = [] }: { status?: number; without?: readonly string[] } = {},
): Promise<string> {
  const [, text = ''] = (await response.text()).split('</style>');
  expect([response.status, response.headers.get('location')], text).toEqual([status, null]);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src/);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(text).not.toMatch(/http-equiv="refresh"|<a |<form|<script/);
  for (const sent of without) if (sent.length > 3) expect(text).not.toContain(sent);
  return text;
}

/** An error of OAuth in JSON, as clients understand it. */
export async function expectError(
  response: Response,
  error: string,
  { status = 400 }: { status?: number } = {},
): Promise<Record<string, unknown>> {
  const text = await response.text();
  expect([response.status, text]).toEqual([status, expect.stringContaining(`"error":"${error}"`)]);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.getSetCookie()).toEqual([]);
  const json = JSON.parse(text);
  expect(Object.keys(json)).toEqual(['error', 'error_description']);
  expect(json.error).toBe(error);
  return json;
}

/** An error that goes back to the client, at its own address. */
export async function expectErrorBack(
  response: Response,
  { error, redirect, state = 'st' }: { error: string; redirect: string; state?: string | null },
): Promise<void> {
  await response.text();
  const to = new URL(response.headers.get('location') ?? 'none:');
  expect([response.status, to.href.split('?')[0]]).toEqual([303, redirect]);
  const { searchParams: said } = to;
  expect([said.get('error'), said.get('state'), said.get('iss'), said.get('code')]).toEqual([
    error,
    state,
    'https://vault.example.com',
    null,
  ]);
}

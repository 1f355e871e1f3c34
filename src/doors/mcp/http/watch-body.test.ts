import { describe, expect, it } from 'vitest';
import { watchBody } from './watch-body.ts';

/** A body that a test writes to, and what became of it. */
function open(watch: { readonly signal?: AbortSignal; readonly first?: string } = {}) {
  const seen = { ends: 0, cancelled: false };
  let writer: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      writer = controller;
    },
    cancel: () => {
      seen.cancelled = true;
    },
  });
  const response = watchBody(new Response(body, { status: 201, headers: { 'x-a': 'b' } }), {
    signal: new AbortController().signal,
    ...watch,
    onEnd: () => {
      seen.ends += 1;
    },
  });
  const write = (text: string): void => writer?.enqueue(new TextEncoder().encode(text));
  return { response, seen, write, close: () => writer?.close(), fail: () => writer?.error('x') };
}

describe('a watched body', () => {
  it('is the same, after what is put first, and tells when it is over', async () => {
    const { response, seen, write, close } = open({ first: 'first ' });
    write('a ');
    write('b');
    expect(seen.ends).toBe(0);
    close();
    expect(response.status).toBe(201);
    expect(response.headers.get('x-a')).toBe('b');
    expect(await response.text()).toBe('first a b');
    expect(seen).toEqual({ ends: 1, cancelled: false });
  });

  it('tells when its reader leaves', async () => {
    const { response, seen } = open();
    await response.body?.cancel();
    expect(seen).toEqual({ ends: 1, cancelled: true });
  });

  it('ends when its reader is gone without a word', async () => {
    const leaving = new AbortController();
    const { response, seen } = open({ signal: leaving.signal });
    leaving.abort();
    expect(await response.text()).toBe('');
    expect(seen).toEqual({ ends: 1, cancelled: true });
    expect(open({ signal: AbortSignal.abort() }).seen.ends).toBe(1);
  });

  it('tells when it fails', async () => {
    const { response, seen, fail } = open();
    fail();
    await expect(response.text()).rejects.toBe('x');
    expect(seen.ends).toBe(1);
  });
});

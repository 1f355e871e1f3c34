import { describe, expect, it } from 'vitest';
import { type Exchange, firstCall } from './first-call.ts';

describe('the first call', () => {
  /** A server that has one tool and gives these answers to its calls. */
  function answering(tool: string, ...answers: readonly object[]): Exchange {
    const left = [...answers];
    const results: Record<string, () => unknown> = {
      initialize: () => ({}),
      'tools/list': () => ({ tools: [{ name: tool }] }),
      'tools/call': () => left.shift(),
    };
    return { notify: async () => undefined, request: async (method) => results[method]?.() };
  }
  const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
  const parts = { version: '1', onWait: () => undefined };

  it.each([
    ['list_notes', '{"total":3012,"notes":["a"]}\n\n---\ncontext', { tools: 1, notes: 3012 }],
    ['obsidian_vault_info', '{"notes":2,"files":3}', { tools: 1, notes: 2 }],
    ['vault_search', '{"results":[]}', { tools: 1 }],
  ])('reads with %s', async (tool, said, expected) => {
    expect(await firstCall(answering(tool, text(said)), parts)).toEqual(expected);
  });

  it('waits for the index', async () => {
    const busy = { ...text('The vault is still being indexed (5 of 9).'), isError: true };
    const exchange = answering('list_notes', busy, text('{"total":9}'));
    expect(await firstCall(exchange, parts)).toEqual({ tools: 1, notes: 9 });
  });

  it.each([
    ['list_notes', { ...text('The drive is away.'), isError: true }, /The drive is away/],
    ['write_only', text(''), /no tool that reads/],
  ])('fails with the reason: %s', async (tool, answer, message) => {
    await expect(firstCall(answering(tool, answer), parts)).rejects.toThrow(message);
  });
});

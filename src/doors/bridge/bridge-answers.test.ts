import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { readOutcome, readTools } from './bridge-answers.ts';

const server = { url: 'http://127.0.0.1:3000', hasKey: false };

function answered(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: {}, text };
}

describe('the answer to a call', () => {
  const items = [
    { type: 'text', text: 'a', annotations: { audience: ['user'] }, _meta: { 'x/y': 1 } },
    { type: 'image', data: 'AAAA', mimeType: 'image/webp' },
    { type: 'hologram', depth: { cm: 3 } },
    { type: 'text' },
  ];

  it.each<[string, unknown, boolean]>([
    ['a success', { success: true, content: items }, true],
    ['a success with other keys', { success: true, content: items, _meta: {} }, true],
    ['content alone', { content: items }, true],
    ['a failure', { success: false, content: items, isError: true }, false],
    ['a failure by success alone', { success: false, content: items }, false],
    ['a failure by isError alone', { content: items, isError: true }, false],
  ])('has its content unchanged: %s', (_what, body, ok) => {
    expect(readOutcome(answered(200, body), server)).toMatchObject({ ok });
    expect(readOutcome(answered(200, body), server).content).toEqual(items);
  });

  it('may have no content at all', () => {
    const body = { success: true, content: [] };
    expect(readOutcome(answered(200, body), server)).toMatchObject({ ok: true, content: [] });
  });

  it('says something when a failure has nothing to say', () => {
    const outcome = readOutcome(answered(200, { success: false, content: [] }), server);
    expect(outcome.content).toEqual([
      { type: 'text', text: 'The tool failed, and the server does not say why.' },
    ]);
  });

  it.each([
    [''],
    ['<html>'],
    ['null'],
    ['[]'],
    ['"text"'],
    ['{}'],
    ['{"success":true}'],
    ['{"success":true,"content":"text"}'],
    ['{"success":true,"content":{"type":"text","text":"a"}}'],
    ['{"success":true,"content":["text"]}'],
    ['{"success":true,"content":[null]}'],
    ['{"success":true,"content":[{"text":"no type"}]}'],
    ['{"success":true,"content":[{"type":7}]}'],
  ])('is told to be none when it is %j', (text) => {
    expect(() => readOutcome(answered(200, text), server)).toThrow(
      'answered the call with something that is not the result of a tool. The call may have been carried out',
    );
  });
});

describe('a refusal says what the server said and what to do', () => {
  const said = (message: string, details?: unknown) => ({ error: message, message, details });

  it.each<[number, unknown, string, string, string]>([
    [
      400,
      said('Invalid request body', 'Bad'),
      'invalid_input',
      'Invalid request body: Bad.',
      'Bad.',
    ],
    [404, said('Tool not found'), 'not_found', 'Tool not found.', 'list of tools again'],
    [
      404,
      said('Not found'),
      'not_found',
      'Not found.',
      'Check that --url is the address of a Bridge v1',
    ],
    [
      404,
      { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'The door is at /mcp.' } },
      'not_found',
      'answered 404: The door is at /mcp.',
      'Check that --url is the address of a Bridge v1',
    ],
    [405, said('Method not allowed'), 'unavailable', 'Method not allowed.', 'Check that --url'],
    [413, said('Request body too large'), 'too_large', 'Request body too large.', 'Send less'],
    [
      500,
      said('Internal server error', { a: 1 }),
      'unavailable',
      ': {"a":1}.',
      'may have been carried out',
    ],
    [429, said('Too many calls.'), 'busy', 'Too many calls.', 'Try again'],
    [503, said('Service Unavailable'), 'unavailable', 'Unavailable.', 'Try again'],
    [401, said('Unauthorized'), 'forbidden', 'Unauthorized.', 'set OBSIDIAN_MCP_API_KEY'],
    [403, said('Forbidden.'), 'forbidden', 'Forbidden.', 'set OBSIDIAN_MCP_API_KEY'],
    [302, '', 'unavailable', 'answered 302.', 'Redirects are not followed'],
    [502, '<html>Bad Gateway</html>', 'unavailable', 'answered 502.', 'check before'],
    [500, { error: 'Only this' }, 'unavailable', 'answered 500: Only this.', 'check before'],
    [500, said('two\nlines\u0007'), 'unavailable', 'two lines\\u{7}.', 'check before'],
    [500, said('x'.repeat(5_000)), 'unavailable', 'x…. ', 'check before'],
    [500, 'null', 'unavailable', 'answered 500.', 'check before'],
  ])('%i %j', (status, body, code, words, advice) => {
    for (const read of [readOutcome, readTools]) {
      const refused = (): unknown => read(answered(status, body), server);
      expect(refused).toThrow(expect.objectContaining({ code }));
      expect(refused).toThrow(`The server at http://127.0.0.1:3000 answered ${status}`);
      expect(refused).toThrow(words);
      expect(refused).toThrow(advice);
    }
  });

  it.each([
    ['7', 7_000],
    [undefined, limits.busyRetryMs],
    ['Tue, 17 Nov 2026 00:00:00 GMT', limits.busyRetryMs],
  ])('429 with "Retry-After: %s" says when to try again', (header, retryAfterMs) => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    const answer = { ...answered(429, said('Too many calls.')), headers };
    const details = { retryAfterMs };
    expect(() => readOutcome(answer, server)).toThrow(expect.objectContaining({ details }));
  });

  it.each([401, 403])('%i with a key is about that key', (status) => {
    const refused = (): unknown => readTools(answered(status, ''), { ...server, hasKey: true });
    expect(refused).toThrow('Check the key in OBSIDIAN_MCP_API_KEY or --key-file');
  });
});

describe('the list of tools', () => {
  it.each<[string, unknown, unknown]>([
    ['none', [], []],
    [
      'name, description and schema, in the order of the server',
      [
        { name: 'b', description: 'B', inputSchema: { properties: {}, type: 'object', x: 1 } },
        { name: 'a/ä', description: '', inputSchema: { type: 'object' } },
      ],
      [
        { name: 'b', description: 'B', inputSchema: { properties: {}, type: 'object', x: 1 } },
        { name: 'a/ä', description: '', inputSchema: { type: 'object' } },
      ],
    ],
    [
      'schemas that clients would refuse the list for',
      [
        { name: 'a', inputSchema: { type: 'string' } },
        { name: 'b' },
        { name: 'c', inputSchema: [] },
      ],
      ['a', 'b', 'c'].map((name) => ({ name, description: '', inputSchema: { type: 'object' } })),
    ],
    [
      'what the protocol does not know is left out',
      [{ name: 'a', title: 'A', outputSchema: {}, annotations: {}, description: 'd' }],
      [{ name: 'a', description: 'd', inputSchema: { type: 'object' } }],
    ],
    [
      'a name that comes twice is one tool, the last',
      [{ name: 'a', description: 'old' }, { name: 'b' }, { name: 'a', description: 'new' }],
      [
        { name: 'a', description: 'new', inputSchema: { type: 'object' } },
        { name: 'b', description: '', inputSchema: { type: 'object' } },
      ],
    ],
    ['entries that are no tools', [null, 'a', 7, {}, { name: '' }, { name: 7 }, []], []],
  ])('%s', (_what, tools, read) => {
    expect(readTools(answered(200, { tools, hash: 'x' }), server)).toEqual(read);
  });

  it.each(['', 'null', '[]', '{}', '{"tools":{}}', '<html>'])('is not there in %j', (text) => {
    expect(() => readTools(answered(200, text), server)).toThrow(
      'The server at http://127.0.0.1:3000 is not a Bridge v1 server',
    );
  });
});

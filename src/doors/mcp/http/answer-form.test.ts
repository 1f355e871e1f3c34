import { expect, it } from 'vitest';
import { type AnswerForm, acceptedForm, sseToJson } from './answer-form.ts';

const rows: [string | null, AnswerForm | undefined][] = [
  [null, 'either'],
  ['', 'either'],
  ['*/*', 'either'],
  ['application/json, text/event-stream', 'either'],
  ['text/event-stream,application/json;q=0.5', 'either'],
  ['APPLICATION/JSON , Text/Event-Stream', 'either'],
  ['application/*, text/*', 'either'],
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['application/json, text/event-stream;q=0', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['text/event-stream', 'stream'],
  ['text/event-stream, application/json; q=0.0', 'stream'],
  ['text/html', undefined],
  ['*/*;q=0', undefined],
  ['application/jsonp', undefined],
];

it.each(rows)('"Accept: %s" accepts %s', (header, form) => {
  expect(acceptedForm(header)).toBe(form);
});

const stream = (...blocks: readonly string[]): Response =>
  new Response(blocks.map((block) => `${block}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream', 'mcp-session-id': 'abc' },
  });
const event = (message: object): string =>
  `event: message\nid: 1\ndata: ${JSON.stringify(message)}`;
const answer = { jsonrpc: '2.0', id: 1, result: { text: 'a\nb\n\ndata: {}' } };
const error = { jsonrpc: '2.0', id: 2, error: { code: 1, message: 'no' } };
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };

it('one answer is an object, whatever was said before it', async () => {
  const events = ['id: 0\nretry: 1000\ndata: ', ': keepalive', event(progress), event(answer)];
  const json = await sseToJson(stream(...events), { isBatch: false });
  expect(json.headers.get('content-type')).toBe('application/json');
  expect(json.headers.get('mcp-session-id')).toBe('abc');
  expect(await json.json()).toEqual(answer);
});

it('the answers of a batch are an array, even where there is one', async () => {
  const both = await sseToJson(stream(event(answer), event(error)), { isBatch: true });
  expect(await both.json()).toEqual([answer, error]);
  expect(await (await sseToJson(stream(event(error)), { isBatch: true })).json()).toEqual([error]);
});

it('a stream that ends without an answer is refused', async () => {
  const response = await sseToJson(stream(event(progress)), { isBatch: false });
  expect(response.status).toBe(503);
});

it('what is no stream passes through', async () => {
  const response = new Response(null, { status: 202 });
  expect(await sseToJson(response, { isBatch: false })).toBe(response);
});

import { expect, it } from 'vitest';
import { type AnswerForm, acceptedForm } from './answer-form.ts';

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

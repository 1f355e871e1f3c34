import { expect, it } from 'vitest';
import { slugOf } from './slug.ts';

it.each([
  ['Use SQLite for the index', 'use-sqlite-for-the-index'],
  ['  HTTP/2 & gRPC?! ', 'http-2-grpc'],
  ["Don't panic", 'dont-panic'],
  ['Größe ändern', 'größe-ändern'],
  ['Кеш индекса', 'кеш-индекса'],
  ['索引を SQLite に', '索引を-sqlite-に'],
  ['हिन्दी नोट', 'हिन्दी-नोट'],
  ['../../etc/passwd', 'etc-passwd'],
  ['Aux', 'aux_'],
  ['a'.repeat(500), 'a'.repeat(180)],
  [`${'ä '.repeat(100)}`, Array.from({ length: 60 }, () => 'ä').join('-')],
])('%j becomes %j', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

it.each(['', '---', '!?', '\u0301'])('%j is refused', (title) => {
  expect(() => slugOf(title)).toThrow('letter or digit');
});

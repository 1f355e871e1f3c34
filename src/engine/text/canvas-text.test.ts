import { expect, it } from 'vitest';
import { canvasText } from './canvas-text.ts';

const rows: readonly [string, string, string][] = [
  [
    'cards and labels',
    '{"nodes":[{"type":"text","text":"a\\nb"},{"type":"group","label":"G"}],"edges":[{"label":"e"}]}',
    'a\nb\nG\ne',
  ],
  ['an empty canvas', '{}', ''],
  ['an empty file', '', ''],
  ['something else', '[1]', ''],
  ['broken JSON', '{"nodes":[', ''],
  ['odd nodes', '{"nodes":[null,1,{"text":5}]}', ''],
];
it.each(rows)('%s', (_name, json, text) => {
  expect(canvasText(json)).toBe(text);
});

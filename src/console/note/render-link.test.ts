import { expect, it } from 'vitest';
import { parseNote } from './parse-note.ts';
import { renderTokens } from './render-tokens.ts';

const context = {
  note: { path: 'Note.md' as never, targets: {} },
  marks: [],
  anchors: new Map(),
  isEmbedded: false,
  elementsMax: 100,
  Embed: () => null,
  Picture: () => null,
  Block: undefined,
};

it.each([
  ['[evil.example](https://evil.example)', false],
  ['[bank.example](https://evil.example)', true],
  ['[$bank.example$ evil.example](https://evil.example)', true],
  ['[`bank.example` evil.example](https://evil.example)', true],
])('says the host behind %s: %s', (text, isSaid) => {
  const drawn = JSON.stringify(renderTokens(parseNote(text), context).body);
  expect(drawn.includes('" (evil.example)"')).toBe(isSaid);
});

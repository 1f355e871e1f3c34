import { expect, it } from 'vitest';
import { applyEdits } from '../text/text-edit.ts';
import { codeBlocks, editsInNote } from './code-blocks.ts';

it.each([
  ['```base\r\na: 1\r\n```', 'a: 1\r\n'],
  ['> ```base\n> a: 1\n> ```', 'a: 1\n'],
  ['> [!note] Title\n> ```base\n> a: 1\n> ```\n', 'a: 1\n'],
  ['> > ```base\n> > a:\n> >   - 1\n> > ```', 'a:\n  - 1\n'],
  ['> ```base\n> a: ">"\n>\n> b: 1\n> ```', 'a: ">"\n\nb: 1\n'],
  ['>```base\n>a:\n>  - 1\n>```\n', 'a:\n - 1\n'],
  ['- ```base\n  a:\n    - 1\n  ```', 'a:\n  - 1\n'],
  ['- x\n  - y\n\n    ```base\n    a:\n\n      - 1\n    ```\n', 'a:\n\n  - 1\n'],
  ['- x\n\t- y\n\n\t\t```base\n\t\ta: 1\n\t\t```\n', 'a: 1\n'],
  ['> - ```base\n>   a: 1\n>   ```\n', 'a: 1\n'],
  ['- > ```base\n  > a: 1\n  > ```\n', 'a: 1\n'],
  ['10. ~~~base\n    a: 1\n    ~~~\n', 'a: 1\n'],
  ['````base\n```\n````', '```\n'],
  ['````base\n```\n', '```\n'],
  ['```base\n```', ''],
  ['```base\na: 1', 'a: 1'],
  ['```base', ''],
])('the text of a block has no marks of what is around it: %j', (note, text) => {
  expect(codeBlocks(note, ['base']).map((block) => block.text)).toEqual([text]);
});

it.each([
  '    ```base\n    a: 1\n',
  '`base`',
  '```bases\n```',
  '```js base\n```',
  '<!--\n```base\n',
])('no block: %j', (note) => {
  expect(codeBlocks(note, ['base'])).toEqual([]);
});

it('blocks know their language, and where each of their lines is', () => {
  const note = '> ```base\n> a: 1\n> b: 2\n> ```\n\n```js\n```\n\n- ```dataview\n  LIST\n  ```\n';
  const found = codeBlocks(note, ['base', 'dataview']);
  expect(found.map(({ language }) => language)).toEqual(['base', 'dataview']);
  const lines = found.flatMap(({ lineStarts }) => lineStarts.map((at) => note.slice(at, at + 4)));
  expect(lines).toEqual(['a: 1', 'b: 2', 'LIST']);
});

it.each([
  ['> ```base\n> a: 1\n> b: 22\n> ```\n', '> ```base\n> a: 1\n> b: x\n> ```\n'],
  ['- x\n\n  ```base\n  a: 1\n  b: 22\n  ```\n', '- x\n\n  ```base\n  a: 1\n  b: x\n  ```\n'],
])('edits of a block stand in the note: %j', (note, after) => {
  const [block] = codeBlocks(note, ['base']);
  if (block === undefined) throw new Error('no block');
  const start = block.text.indexOf('22');
  const edits = editsInNote(note, block, [{ range: { start, end: start + 2 }, text: 'x' }]);
  expect(applyEdits(note, edits)).toBe(after);
});

it('new lines of an edit get the marks of the line before', () => {
  const note = '> - ```base\n>   a: 1\n>   b: 2\n>   ```\n';
  const [block] = codeBlocks(note, ['base']);
  if (block === undefined) throw new Error('no block');
  const edits = editsInNote(note, block, [{ range: { start: 3, end: 7 }, text: '|\n  x\nc' }]);
  expect(applyEdits(note, edits)).toBe('> - ```base\n>   a: |\n>     x\n>   c 2\n>   ```\n');
});

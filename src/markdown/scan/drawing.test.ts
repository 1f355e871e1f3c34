import { describe, expect, it } from 'vitest';
import { drawingText, searchedNoteText } from './drawing.ts';

describe('the text of a drawing', () => {
  it.each([
    [
      'typed text, not the lines of its box',
      [{ type: 'text', text: 'a\nb', originalText: 'a b' }],
      'a b',
    ],
    ['text of older versions', [{ type: 'text', text: 'old' }], 'old'],
    [
      'names of frames',
      [
        { type: 'frame', name: 'Plan' },
        { type: 'frame', name: null },
      ],
      'Plan',
    ],
    ['nothing that was deleted', [{ type: 'text', text: 'gone', isDeleted: true }], ''],
    ['nothing of shapes', [{ type: 'rectangle', id: 'abc' }, null, 7, 'x', []], ''],
  ])('has %s', (_, elements, text) => {
    expect(drawingText(JSON.stringify({ type: 'excalidraw', elements }))).toBe(text);
  });

  it.each(['', 'no JSON', '[]', 'null', '{}', '{"elements":{}}', '['.repeat(100_000)])(
    'is not there in %j',
    (json) => expect(drawingText(json)).toBeUndefined(),
  );
});

describe('a drawing that is a note', () => {
  const note = [
    '---',
    'excalidraw-plugin: parsed',
    'tags: [excalidraw]',
    '---',
    '==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠==',
    '',
    '# Excalidraw Data',
    '',
    '## Text Elements',
    'Sourdough starter ^aB3dE_g8',
    '',
    'two',
    'lines ^12345678',
    '',
    '## Element Links',
    'rQ8vZk2w: [[Bakery]]',
    '',
    '## Embedded Files',
    '6f2c0de1b5a04d7c8e9f00112233445566778899: [[oven.png]]',
    '',
    '%%',
    '## Drawing',
    '```compressed-json',
    'N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCmAzoQPYB2KqATLZMzYBXUtiRoIACyhQ4zZAHoFAc0JRJQ',
    '',
    'gEYA6bGwC2CgF7N6hbEcK4OCtptbErHALRY8RMpWdx8Q1TdIEfARcZgRmBShcZQUebQBGAAYaOiCEfQQOKGZuAG1wMFAwYog',
    '```',
    '%%',
  ].join('\n');

  it('is searched by what people wrote', () => {
    const searched = searchedNoteText(note);
    expect(searched).toHaveLength(note.length);
    expect(searched.split('\n').map((line) => line.trim())).toEqual([
      '---',
      'excalidraw-plugin: parsed',
      'tags: [excalidraw]',
      '---',
      '',
      '',
      '# Excalidraw Data',
      '',
      '## Text Elements',
      'Sourdough starter',
      '',
      'two',
      'lines',
      '',
      '## Element Links',
      '[[Bakery]]',
      '',
      '## Embedded Files',
      '[[oven.png]]',
      '',
      '%%',
      '## Drawing',
      '',
      '',
      '',
      '',
      '',
      '%%',
    ]);
  });

  it('is searched so with line ends of Windows, and with plain JSON', () => {
    const plain = note.replace('compressed-json', 'json').replaceAll('\n', '\r\n');
    const searched = searchedNoteText(plain);
    expect(searched).toHaveLength(plain.length);
    expect(searched).not.toMatch(/N4KAk|gEYA6|aB3dE|12345678|6f2c0|SWITCH|EXCALIDRAW VIEW/);
    expect(searched).toContain('Sourdough starter');
  });

  it.each([
    'Cite as ^12345678\n',
    '---\ntitle: x\n---\n```json\n{}\n```\nexcalidraw-plugin: y ^12345678\n',
    'excalidraw-plugin: parsed\nends ^12345678',
  ])('is none without the property: %j', (text) => expect(searchedNoteText(text)).toBe(text));
});

import { describe, expect, it } from 'vitest';
import { textFacts } from '../../engine/heavy/text-facts.ts';
import { canvasShape } from './canvas-shape.ts';
import { saysHost, targetOfDestination, webTarget } from './link-target.ts';
import { foldedMarks, markWords } from './mark-words.ts';
import { bodyOf, elementIdOf, partOf } from './note-part.ts';
import { splitAddresses } from './render-text.ts';
import type { ShownNote } from './shown-note.ts';

function noteOf(text: string): ShownNote {
  return { path: 'Note.md' as ShownNote['path'], kind: 'note', text, ...textFacts(text, 'note') };
}

describe('what is shown of a note', () => {
  const note = noteOf(
    '---\na: 1\n---\n# A\n\none ^x\n\n## B\n\ntwo\n\n# C\n\n- three ^y\n- four\n',
  );

  it.each([
    ['', '# A\n\none ^x\n\n## B\n\ntwo\n\n# C\n\n- three ^y\n- four\n'],
    ['#B', '## B\n\ntwo\n\n'],
    ['#A#B', '## B\n\ntwo\n\n'],
    ['#^x', 'one ^x'],
    ['#^Y', '- three ^y'],
    ['#^constructor', undefined],
    ['#D', undefined],
  ])('by %j', (subpath, text) => {
    expect(partOf(note, subpath, 1_000)?.text).toBe(text);
  });

  it.each([
    ['#B', 'note-line-7'],
    ['#^x', 'note-line-5'],
    ['#[^2]', 'note-footnote-2'],
    ['#D', undefined],
  ])('is scrolled to %j', (subpath, id) => {
    expect(elementIdOf(note, subpath)).toBe(id);
  });

  it('has ids on the lines of its body', () => {
    expect(Array.from(bodyOf(note, 1_000).anchors.keys())).toEqual([0, 4, 8, 2, 10]);
  });

  it.each([
    ['a\nb\nc', 4, 'a\nb'],
    ['aaaaaaaaaa', 4, 'aaaa'],
    ['aaa\u{1f4a5}', 4, 'aaa'],
    ['a', 4, 'a'],
  ])('is cut: %j after %d', (text, charsMax, shown) => {
    const part = bodyOf(noteOf(text), charsMax);
    expect([part.text, part.chars]).toEqual([shown, text.length]);
  });
});

describe('where links lead', () => {
  it.each([
    ['https://A.example/b', 'web', 'a.example'],
    ['//a.example', 'web', 'a.example'],
    ['https://bank.example@a.example/', 'web', 'a.example'],
    ['https:\\\\a.example', 'web', 'a.example'],
    ['https://xn--80ak6aa92e.example', 'web', 'xn--80ak6aa92e.example'],
    ['mailto:a@b.example', 'web', 'a@b.example'],
    ['obsidian://open?vault=a', 'web', 'Obsidian'],
    ['java\tscript:x', 'refused', undefined],
    ['JAVASCRIPT:x', 'refused', undefined],
    ['data:text/html,x', 'refused', undefined],
    ['https://', 'refused', undefined],
  ])('%j', (address, kind, host) => {
    expect(webTarget(address)).toMatchObject(host === undefined ? { kind } : { kind, host });
  });

  it.each([
    ['a%20b.md#C', { kind: 'file', path: 'x/a b.md', subpath: '#C' }],
    ['toString', { kind: 'missing' }],
    ['', { kind: 'missing' }],
    ['C:\\a', { kind: 'missing' }],
  ])('in the vault: %j', (written, target) => {
    const targets = { 'a b.md#C': 'x/a b.md' } as unknown as NonNullable<ShownNote['targets']>;
    expect(targetOfDestination(written, targets)).toEqual(target);
  });

  it.each([
    ['a.example', true],
    ['https://a.example/b', true],
    ['A.example?b', true],
    ['a.example.evil.example', false],
    ['a.example@evil.example', false],
    ['click', false],
  ])('says its host: %j', (text, says) => {
    expect(saysHost(text, 'a.example')).toBe(says);
  });

  it.each([
    ['x www.a.example/b. y', ['https://www.a.example/b']],
    ['me@a.example', ['mailto:me@a.example']],
    ['a@b @c d@', []],
    ['www. www', []],
  ])('finds addresses in %j', (text, found) => {
    const pieces = splitAddresses(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.flatMap(({ address }) => address ?? [])).toEqual(found);
  });
});

describe('words of a query', () => {
  it.each([
    ['Rivers and Flüsse', ['river', 'flusse'], ['Rivers', 'Flüsse']],
    ['overriver', ['river'], []],
    ['日本語の川は長い', ['川'], ['川']],
    ['a b', [], []],
  ])('are marked in %j', (text, words, marked) => {
    const pieces = markWords(text, foldedMarks(words));
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter(({ isMarked }) => isMarked).map((piece) => piece.text)).toEqual(marked);
  });
});

describe('a canvas', () => {
  const box = (id: string, more: object) => ({ id, x: 0, y: 0, width: 10, height: 10, ...more });

  it.each([
    ['no JSON', '{', undefined],
    ['another thing', '[]', undefined],
    ['nothing', '', []],
    ['odd nodes', '{"nodes":[1,null,{"type":"text"},{"type":"new","x":0}],"edges":5}', []],
    [
      'groups behind boxes',
      JSON.stringify({
        nodes: [box('a', { type: 'text', text: 't' }), box('g', { type: 'group' })],
      }),
      ['g', 'a'],
    ],
    [
      'numbers that are too large',
      JSON.stringify({ nodes: [box('a', { type: 'text', x: 1e300 })] }),
      [],
    ],
  ])('with %s', (_, json, ids) => {
    expect(canvasShape(json)?.boxes.map(({ id }) => id)).toEqual(ids);
  });

  it('has a bound for every text in it, and for its boxes', () => {
    const long = 'x'.repeat(1_000_000);
    const nodes = [
      box('a', { type: 'text', text: long }),
      box('b', { type: 'group', label: long }),
      box('c', { type: 'file', file: long, subpath: long }),
      box('d', { type: 'link', url: `mailto:${long}` }),
    ];
    const json = JSON.stringify({ nodes });
    expect(JSON.stringify(canvasShape(json)).length).toBeLessThan(10_000);
    expect(canvasShape(json, 2)?.boxes).toHaveLength(2);
  });

  it('has the lines between boxes that are there', () => {
    const json = JSON.stringify({
      nodes: [box('a', { type: 'text' }), box('b', { type: 'link', url: 'x', x: 100 })],
      edges: [
        { fromNode: 'a', toNode: 'b', toSide: 'constructor', label: 'l' },
        { fromNode: 'a', toNode: 'c' },
      ],
    });
    expect(canvasShape(json)?.edges).toEqual([
      { d: 'M10 5C40 5 70 5 100 5', label: 'l', x: 55, y: 5 },
    ]);
  });
});

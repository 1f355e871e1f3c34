import type { VNode } from 'preact';
import { expect, it } from 'vitest';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { parseNote } from './parse-note.ts';
import { type BlockProps, renderTokens } from './render-tokens.ts';

const Block = (_: BlockProps) => null;
const Embed = () => null;

/** The blocks and embedded files that a note is drawn with. */
function partsOf(text: string, options: { readonly Block?: typeof Block | undefined } = { Block }) {
  const { body } = renderTokens(parseNote(text), {
    note: { path: 'Note.md' as never, targets: { 'x.base#A': 'Sub/x.base' as never } },
    marks: [],
    anchors: new Map(),
    isEmbedded: false,
    elementsMax: 1_000,
    Embed,
    Picture: () => null,
    Block: options.Block,
  });
  const found: unknown[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) look(each);
    if (typeof node !== 'object' || node === null || !('props' in node)) return;
    const { type, props } = node as VNode<
      Partial<BlockProps> & { path?: string; subpath?: string }
    >;
    if (type === Block) found.push(props.text);
    else if (type === Embed) found.push(`${props.path}${props.subpath}`);
    else look(props.children);
  };
  look(body);
  return found;
}

it.each<readonly [note: string, parts: readonly string[]]>([
  ['```base\nviews: []\n```', ['views: []\n']],
  ['> ~~~ base \n> a: 1\n> ~~~', ['a: 1\n']],
  ['- item\n\n  ```base\n  a: 1\n  ```', ['a: 1\n']],
  ['![[x.base#A]]', ['Sub/x.base#A']],
  ['```bases\nx\n```\n\n    base\n\n`base`\n\n```base x\n```', []],
  ['![[y.base]]', []],
])('%j shows %j', (note, parts) => {
  expect(partsOf(note)).toEqual(parts);
});

it('shows as text what has no room left, and everything in an earlier version', () => {
  const many = '```base\nx\n```\n\n'.repeat(100);
  expect(partsOf(many)).toHaveLength(consoleNoteLimits.embedsMax);
  expect(partsOf(many, {})).toEqual([]);
});

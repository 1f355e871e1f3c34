import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCollection } from 'yaml';
import { counted } from '../../../test/support/counts.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { applyEdits } from '../text/text-edit.ts';
import { findProperty, openProperties } from './property-document.ts';
import { removeProperty, setProperty } from './set-property.ts';
import { pairStart, valueRangeOf } from './yaml-nodes.ts';

const note = (yaml: string) => `---\n${yaml}---\nbody`;
const edited = (text: string, value: PropertyValue | undefined, key = 'k') =>
  applyEdits(text, value === undefined ? removeProperty(text, key) : setProperty(text, key, value));

describe('a comment stays', () => {
  it.each<[where: string, before: string, value: PropertyValue | undefined, after: string]>([
    ['after the sign of a block', 'k: | # c\n  a\n  b\n', 'x', 'k: x # c\n'],
    ['after it, before a block', 'k: >2- # c\n   a\n', 'a\nb', 'k: |- # c\n  a\n  b\n'],
    ['after it, before a list', 'k: | # c\n  a\n', ['x'], 'k: # c\n  - x\n'],
    ['below the name', 'k:\n  # c\n  - a\n', 'x', 'k: x\n  # c\n'],
    ['below the name, twice', 'k: # c\n  # d\n\n  a: 1\n', ['x'], 'k: # c\n  # d\n  - x\n'],
    ['below it, before lines', 'k:\n  # c\n  - a\n', 'a\nb', 'k:\n  # c\n  "a\\nb"\n'],
    ['after an anchor', 'k: &x # c\n  - a # d\n', [], 'k: &x # c\n  [] # d\n'],
    ['before the last one of braces', '{a: 1, # c\n k: 2}\n', undefined, '{a: 1, # c\n }\n'],
    ['after the only one', '{k: 1, # c\n}\n', undefined, '{ # c\n}\n'],
    ['after the braces', '{k: 1} # c\n', undefined, '{} # c\n'],
    ['before the next one', '{k: 1, # c\n b: 2}\n', undefined, '{ # c\n b: 2}\n'],
    ['between commas', '{a: 1, # c\n k: 1, # d\n}\n', undefined, '{a: 1, # c\n  # d\n}\n'],
  ])('%s: %j', (_where, before, value, after) => {
    expect(edited(note(before), value)).toBe(note(after));
    const crlf = (yaml: string) => note(yaml).replaceAll('\n', '\r\n');
    expect(edited(crlf(before), value)).toBe(crlf(after));
  });

  it('is not what keeps braces that hold nothing else', () => {
    expect(edited(note('{"k": 1,}\n'), undefined)).toBe('body');
    expect(edited('---\n{"k": 1,}\n---\n---\na: 1\n---\n', undefined)).toBe(
      '---\n{}\n---\n---\na: 1\n---\n',
    );
  });
});

// `#` stands for a comment, `K` for the name.
const shapes = [
  ...['K: 1 #', 'K: 1', 'K: "x" #', "K: 'x' #", 'K: #', 'K:', 'K: &an 1 #', 'K: !!str 1 #'],
  ...[
    'K: | #\n  text\n  more',
    'K: >- #\n  text\n  more',
    'K: |2- #\n   text',
    'K:\n  #\n  |\n  a',
  ],
  ...['K: #\n  - a #\n  - b #', 'K:\n  #\n  - a\n  #\n  - b\n  #', 'K:\n- a #\n#\n- b'],
  ...['K: #\n  x: 1 #\n  #\n  y: 2 #', 'K:\n  #\n  x: 1\n  #\n  y:\n    - a #\n  #'],
  ...[
    'K: [a, b] #',
    'K: [ #\n  a, #\n  #\n  b #\n  ] #',
    'K: [] #',
    'K:\n  #\n  []',
    'K: {x: 1} #',
  ],
  ...['K: { #\n  x: 1, #\n  y: 2 #\n  } #', 'K: &an #\n  - a #', '? K #\n: 1 #', '? K\n#\n: 1'],
  ...['K:\n  #\n  text #', 'K: #\n  text\n  more #', 'K: "a\n  b" #', '#\n\n#\nK: 1 #\n#'],
];
const blocks = fc
  .array(fc.constantFrom(...shapes), { minLength: 1, maxLength: 3 })
  .map((all) => all.map((shape, index) => `${shape.replace('K', `k${index}`)}\n`).join(''));

const flowPairs = [
  '"K": 1',
  'K: 1 #\n',
  'K: #\n 1',
  'K #\n: 1',
  'K: [1, #\n 2]',
  '#\n K: 1',
  'K',
  'K:',
];
const separators = [',', ', ', ', #\n', ' , ', ',\n', '\n, #\n  #\n'];
const braces = fc
  .record({
    pairs: fc.array(fc.tuple(fc.constantFrom(...flowPairs), fc.constantFrom(...separators)), {
      minLength: 1,
      maxLength: 3,
    }),
    open: fc.constantFrom('{', '{ #\n', '{\n  '),
    close: fc.constantFrom('}', '\n}', ' #\n}', '} #', '}\n#'),
    trailing: fc.boolean(),
  })
  .map(({ pairs, open, close, trailing }) => {
    const texts = pairs.map(([pair, separator], index) => {
      const isSeparated = trailing || index < pairs.length - 1;
      return pair.replace('K', `k${index}`) + (isSeparated ? separator : '');
    });
    return `${open}${texts.join('')}${close}\n`;
  });

const values: readonly PropertyValue[] = [
  ...['new', 'two words', 'x: y', '', 5, null, true, 'a\nb', 'a\nb\n', [], {}],
  ...[['a'], ['b'], ['a', 'z', 'b'], [1], { x: 1 }, { x: 2, y: 2 }, { y: ['a', 'b'] }],
];

const numbered = (text: string): string => {
  let count = 0;
  return text.replaceAll('#', () => `#c${++count}.`);
};
const commentsOf = (text: string): string[] => text.match(/#c\d+\./g) ?? [];

/** The comments that may go with a value: those inside it, and the one of its last entry. */
function ownComments(text: string, key: string, isRemoved: boolean): string[] {
  const document = openProperties(text);
  const property = document && findProperty(document, key);
  if (document === undefined || property === undefined) return [];
  const { source, map } = document;
  const range = valueRangeOf(property.pair, source);
  const isBlock = /^[|>]/.test(source.slice(range.start));
  const first = isBlock ? source.indexOf('\n', range.start) : range.start;
  const start = isRemoved ? pairStart(property.pair, source) : first;
  const isLine = map?.flow !== true && (isRemoved || isCollection(property.pair.value));
  return commentsOf(source.slice(start, isLine ? source.indexOf('\n', range.end) : range.end));
}

describe('every comment outside the changed value stays', () => {
  it.each([
    ['lines', blocks],
    ['braces', braces],
  ])('%s', (_kind, yaml) => {
    const key = fc.constantFrom('k0', 'k1', 'k2', 'new');
    const value = fc.constantFrom(...values, undefined);
    fc.assert(
      fc.property(yaml.map(numbered), key, value, (yaml, key, value) => {
        const before = note(yaml);
        try {
          openProperties(before);
        } catch {
          fc.pre(false);
        }
        const own = ownComments(before, key, value === undefined);
        const after = () => edited(before, value, key);
        // Where a comment would become text of the block before it, nothing can be removed.
        if (value === undefined && /[|>].*\n(?: .*\n)+k/.test(yaml) && !succeeds(after)) return;
        const left = commentsOf(after());
        expect(left).toEqual(
          expect.arrayContaining(commentsOf(yaml).filter((c) => !own.includes(c))),
        );
      }),
      { numRuns: counted({ quick: 150, full: 500, soak: 20_000 }) },
    );
  });
});

function succeeds(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PropertyValue } from '../facts/facts.ts';
import { applyEdits } from '../text/text-edit.ts';
import { setProperty } from './set-property.ts';
import { setSimply } from './set-simply.ts';

const note =
  '---\r\nTitle: A day\r\nstate: "open"\r\nsoon: or late # why\r\nempty:\r\ntags:\r\n  - one\r\n---\r\n# Text\r\n';

const after = (key: string, value: string | number | boolean | null, text = note) => {
  const edits = setSimply(text, key, value);
  return edits && applyEdits(text, edits);
};

/** The text that `setProperty` makes of it with the YAML library: the fast reader takes no tabs. */
function asLibrary(text: string, key: string, value: PropertyValue): string {
  const tabbed = text.replace('---', `---${text.includes('\r') ? '\r' : ''}\n#\t`);
  expect(setSimply(tabbed, key, value)).toBe(undefined);
  return applyEdits(tabbed, setProperty(tabbed, key, value)).replace(/\r?\n#\t/, '');
}

describe('setSimply', () => {
  it('adds a line, or replaces the value on its line', () => {
    const end = '\r\n---\r\n# Text';
    expect(after('count', 3)).toBe(note.replace(end, `\r\ncount: 3${end}`));
    expect(after('title', 'Another day')).toBe(note.replace('A day', 'Another day'));
    expect(after('state', 'done')).toBe(note.replace('open', 'done'));
    expect(after('soon', 5)).toBe(note.replace('or late', '5'));
    expect(after('empty', true)).toBe(note.replace('empty:', 'empty: true'));
    expect(after('Title', null)).toBe(note.replace(' A day', ''));
    expect(after('Title', 'A day')).toBe(note);
  });

  it('leaves everything else to the YAML library', () => {
    expect(after('tags', 'two')).toBe(undefined);
    expect(after('count', 1.5)).toBe(undefined);
    expect(after('count', -0)).toBe(undefined);
    for (const text of [
      'true',
      '12',
      '1e3',
      '',
      ' a',
      'a ',
      'a: b',
      'a #b',
      '- a',
      'é\u0007',
      'a-',
    ])
      expect([text, after('Title', text)]).toEqual([text, undefined]);
    for (const key of ['null', 'a: b', '12', '#x']) expect(after(key, 'x')).toBe(undefined);
    expect(after('a', 'b', 'No block.')).toBe(undefined);
    expect(after('a', 'b', '---\na: {b: 1}\n---\n')).toBe(undefined);
    expect(after('a', 'b', '---\n# Only a comment.\n---\n')).toBe(undefined);
  });

  it('does what the YAML library would do', () => {
    const word = fc.constantFrom(
      'a',
      'B',
      'name',
      'true',
      'no',
      '12',
      'ß',
      'x-y',
      '2024-01-02',
      '~',
      '1_0',
      '.5',
    );
    const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((each) => each.join(' '));
    const value = fc.oneof(
      { arbitrary: words, weight: 4 },
      fc.string({ unit: 'binary-ascii' }),
      fc.string({
        unit: fc.constantFrom('a', '-', ' ', ':', '#', '.', '/', '0', 'e', '"', "'", '²', '٣'),
      }),
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
    );
    const simple = fc.oneof(
      words.map((each) => ` ${each}`),
      words.map((each) => ` ${each}  # why`),
      words.map((each) => `  "${each}"`),
      words.map((each) => ` '${each}'`),
      fc.constantFrom('', '  ', ' [a, b]', '\n  - a', ' null'),
    );
    const other = fc.constantFrom(' # why', ' {a: 1}', ' |\n  a', ' &a b', ' !t a', ' "a\\tb"');
    const shown = fc.oneof({ arbitrary: simple, weight: 9 }, { arbitrary: other, weight: 1 });
    const key = fc.constantFrom('a', 'A', 'b', 'c d', 'ß', 'e', 'f', 'null', 'q-', '12', 'x:y');
    const block = fc
      .tuple(
        fc.uniqueArray(fc.tuple(key, shown), {
          minLength: 1,
          maxLength: 3,
          selector: ([name]) => name,
        }),
        fc.constantFrom('\n', '\r\n'),
      )
      .map(([lines, eol]) =>
        `---\n${lines.map(([name, rest]) => `${name}:${rest}\n`).join('')}---\nText\n`.replaceAll(
          '\n',
          eol,
        ),
      );
    let count = 0;
    fc.assert(
      fc.property(block, key, value, (text, name, wanted) => {
        const edits = setSimply(text, name, wanted);
        if (edits === undefined) return;
        count++;
        expect(applyEdits(text, edits)).toBe(asLibrary(text, name, wanted));
      }),
      { numRuns: 1_000 },
    );
    expect(count).toBeGreaterThan(150);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileKind } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';
import { linksOf } from './link-style.ts';
import { linkSegment, linkSegments } from './resolve-link.ts';
import { writtenNames } from './written-names.ts';

const names = [
  'Note.md',
  'note 2.md',
  'A.md',
  'Caf\u00e9.md',
  'Cafe\u0301 b.md',
  "Bob's.md",
  'A&B.md',
  'p(q).md',
  'x%20y.md',
  'ΟΔΟΣ.md',
  'İstanbul.md',
  'kilo; `k`.md',
  'план на день.md',
  '日記.md',
  '🎯.md',
  '!!!.md',
  'a_b-c.d.md',
  'pic 01.png',
  'board.canvas',
];

function mayName(path: string, text: string, segments: readonly string[]): boolean {
  const bytes = Buffer.from(text);
  expect(path).not.toBe('');
  return writtenNames(segments)({ bytes: bytes.toString('latin1'), text: () => text });
}

const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const hex = (character: string, width: number): string =>
  (character.codePointAt(0) ?? 0).toString(16).padStart(width, '0');
const units = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${hex(text.charAt(at), 4)}`).join('');

/** Ways to write one character of a name so that some format reads it as that character. */
const inMarkdown: readonly ((character: string) => string)[] = [
  (character) => character,
  percent,
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${hex(character, 1)};`,
  (character) => (/[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character),
];
const inYaml: readonly ((character: string) => string)[] = [
  (character) => (/["\\]/.test(character) ? `\\${character}` : character),
  units,
  (character) => `\\U${hex(character, 8)}`,
  (character) => ((character.codePointAt(0) ?? 0) < 256 ? `\\x${hex(character, 2)}` : character),
  (character) => (character === ' ' ? '\n  ' : `\\\n  ${character}`),
  (character) => (character === ' ' ? '\\_' : units(character)),
];
const inJson: readonly ((character: string) => string)[] = [
  (character) => JSON.stringify(character).slice(1, -1),
  units,
  (character) => (character === '/' ? '\\/' : JSON.stringify(character).slice(1, -1)),
];

interface Written {
  readonly path: string;
  readonly text: string;
}

/** A file with a link to a name, with each character written in one of the ways. */
const written: fc.Arbitrary<Written & { name: string }> = fc
  .record({
    name: fc.constantFrom(...names),
    ways: fc.infiniteStream(fc.nat(9)),
    isMd: fc.boolean(),
    folder: fc.constantFrom('', 'f/', '../', './', 'Ordner/'),
    spelling: fc.constantFrom<'NFC' | 'NFD' | 'upper' | 'kelvin'>('NFC', 'NFD', 'upper', 'kelvin'),
    form: fc.nat(9),
  })
  .map(({ name, ways, isMd, folder, spelling, form }) => {
    const base = folder + (isMd ? name : name.replace(/\.md$/, ''));
    const spelled = spell(base, spelling);
    const write = (kinds: readonly ((character: string) => string)[]): string =>
      Array.from(
        spelled,
        (character) => kinds[ways.next().value % kinds.length]?.(character) ?? '',
      ).join('');
    return { name, ...fileOf(form, spelled, write) };
  });

function spell(text: string, spelling: 'NFC' | 'NFD' | 'upper' | 'kelvin'): string {
  if (spelling === 'upper') return text.toUpperCase();
  if (spelling === 'kelvin') return text.replaceAll('k', '\u212a').replaceAll(';', '\u037e');
  return text.normalize(spelling);
}

function fileOf(
  form: number,
  plain: string,
  write: (kinds: readonly ((character: string) => string)[]) => string,
): Written {
  switch (form) {
    case 0:
      return { path: 's.md', text: `x [[${plain}]] y` };
    case 1:
      return { path: 's.md', text: `| a |\n|---|\n| ![[${plain}\\|t]] |` };
    case 2:
      return { path: 's.md', text: `[t](${write(inMarkdown.slice(1))})` };
    case 3:
      return { path: 's.md', text: `![t](<${write(inMarkdown)}> "x")` };
    case 4:
      return { path: 's.md', text: `[r]\n\n[r]: ${write(inMarkdown.slice(1))}\n` };
    case 5:
      return { path: 's.md', text: `---\nup: "[[${write(inYaml)}]]"\n---\n` };
    case 6:
      return { path: 's.md', text: `---\nup: '[[${plain.replaceAll("'", "''")}]]'\n---\n` };
    case 7:
      return { path: 's.md', text: `---\nup:\n  - ["[[${write(inYaml)}|t]]", "b"]\n---\n` };
    case 8:
      return { path: 's.canvas', text: `{"nodes":[{"type":"file","file":"${write(inJson)}"}]}` };
    default: {
      const text = JSON.stringify(`see [t](${write(inMarkdown.slice(1))})`);
      return { path: 's.canvas', text: `{"nodes":[{"type":"text","text":${text}}]}` };
    }
  }
}

describe('a file with a link to a name is found by reading for the name', () => {
  it.each([0, 30])('however the link is written (beside %s other names)', (others) => {
    const more = Array.from({ length: others }, (_, at) => `nobody${at}.md`);
    let links = 0;
    fc.assert(
      fc.property(written, ({ name, path, text }) => {
        const segments = new Set(linkSegments(name));
        const found = linksOf(factsOf(fileKind(path), text));
        if (!found.some((link) => segments.has(linkSegment(link.path)))) return;
        links += 1;
        expect(mayName(path, text, [...segments, ...more]), text).toBe(true);
      }),
      { numRuns: 1_500 },
    );
    expect(links).toBeGreaterThan(500);
  });

  it.each([
    ['another word', 'A.md', 'Another day, and bananas', false],
    ['a longer word', 'Note.md', 'Notes and footnote', false],
    ['the word alone', 'Note.md', 'a note', true],
    ['a name without letters', '!!!.md', 'stop!!!', true],
    ['other characters, encoded', 'Note.md', 'a%20b &amp; \\alpha', false],
    ['a mark at the beginning', '\u0301x.md', 'anything', true],
  ])('%s', (_what, name, text, expected) => {
    expect(mayName('s.md', text, linkSegments(name))).toBe(expected);
  });

  it('no name is in no file', () => {
    expect(mayName('s.md', 'text', [])).toBe(false);
  });
});

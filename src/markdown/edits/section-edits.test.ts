import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tricky } from '../../../test/support/tricky-texts.ts';
import { scanNote } from '../scan/scan-note.ts';
import { type Section, sectionsOf } from '../scan/sections.ts';
import { applyEdits } from '../text/text-edit.ts';
import { appendToSection, replaceSectionContent } from './section-edits.ts';

/** The section whose heading is `A`. */
function sectionA(text: string): Section {
  const found = sectionsOf(text, scanNote(text)).find(({ heading }) => heading.text === 'A');
  if (found === undefined) throw new Error('the row has no heading A');
  return found;
}

describe('appendToSection', () => {
  const rows: [name: string, text: string, added: string, expected: string][] = [
    ['before trailing blank lines', '# A\na\n\n\n# B\n', 'x', '# A\na\nx\n\n\n# B\n'],
    ['no blank lines', '# A\na\n# B\n', 'x', '# A\na\nx\n# B\n'],
    ['a section with nothing in it', '# A\n# B\n', 'x', '# A\nx\n# B\n'],
    ['a section of blank lines', '# A\n\n\n# B\n', 'x', '# A\nx\n\n\n# B\n'],
    ['the last section', '# A\na\n', 'x', '# A\na\nx\n'],
    ['blank lines at the end of the note', '# A\na\n\n\n', 'x', '# A\na\nx\n\n\n'],
    ['a missing last line end', '# A\na', 'x', '# A\na\nx\n'],
    ['a heading without line end', 'b\n# A', 'x', 'b\n# A\nx\n'],
    ['sections below it', '# A\na\n## B\nb\n\n# C\n', 'x', '# A\na\n## B\nb\nx\n\n# C\n'],
    ['a section below another', '# B\n## A\na\n\n## C\n', 'x', '# B\n## A\na\nx\n\n## C\n'],
    ['settings at the end', '# A\na\n\n%% s\n%%\n', 'x', '# A\na\nx\n\n%% s\n%%\n'],
    ['settings right after it', '# A\n%% s\n%%\n', 'x', '# A\nx\n%% s\n%%\n'],
    ['a comment in the middle', '# A\n%% s %%\n\n# B\n', 'x', '# A\n%% s %%\nx\n\n# B\n'],
    ['an underlined heading', 'A\n=\na\n\n# B\n', 'x', 'A\n=\na\nx\n\n# B\n'],
    ['a next heading that is underlined', '# A\nB\n===\n', 'x', '# A\nx\n\nB\n===\n'],
    ['CRLF', '# A\r\na\r\n\r\n# B\r\n', 'x\ny', '# A\r\na\r\nx\r\ny\r\n\r\n# B\r\n'],
    ['lines of spaces count as blank', '# A\na\n \t\n# B\n', 'x', '# A\na\nx\n \t\n# B\n'],
  ];
  it.each(rows)('appends: %s', (_, text, added, expected) => {
    expect(applyEdits(text, appendToSection(text, sectionA(text), added))).toBe(expected);
  });

  const inline: [name: string, text: string, added: string, expected: string][] = [
    ['goes on in the last line', '# A\na\n\n# B\n', ' x', '# A\na x\n\n# B\n'],
    ['never in the heading', '# A\n\n# B\n', 'x', '# A\nx\n\n# B\n'],
    ['keeps CRLF', '# A\r\na\r\n# B\r\n', ' x', '# A\r\na x\r\n# B\r\n'],
  ];
  it.each(inline)('appends inline: %s', (_, text, added, expected) => {
    const edits = appendToSection(text, sectionA(text), added, { inline: true });
    expect(applyEdits(text, edits)).toBe(expected);
  });

  it('leaves every other heading where it is, in any note', () => {
    const texts = Object.values(tricky).flat();
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.constantFrom(...texts), (one, other) => {
        const text = `# A\n${one}\n\n# B\n${other}\n`;
        const section = sectionsOf(text, scanNote(text))[0];
        if (section === undefined) return;
        const after = applyEdits(text, appendToSection(text, section, 'x'));
        expect(after).not.toBe(text);
        const headings = (note: string) => scanNote(note).headings.map((heading) => heading.text);
        expect(headings(after)).toEqual(headings(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe('replaceSectionContent', () => {
  const rows: [name: string, text: string, put: string, expected: string][] = [
    ['keeps blank lines around', '# A\n\na\n\n\n# B\n', 'x', '# A\n\nx\n\n\n# B\n'],
    ['without blank lines', '# A\na\n# B\n', 'x', '# A\nx\n# B\n'],
    ['a section with nothing in it', '# A\n# B\n', 'x', '# A\nx\n# B\n'],
    ['sections below it go too', '# A\na\n## C\nc\n\n# B\n', 'x', '# A\nx\n\n# B\n'],
    ['nothing', '# A\n\na\n\n# B\n', '', '# A\n\n# B\n'],
    ['blank lines of its own', '# A\n\na\n\n# B\n', '\nx\n\n', '# A\n\nx\n\n# B\n'],
    ['its own heading', '# A\na\n', '# A\nx\n', '# A\nx\n'],
    ['its own heading alone', '# A\na\n', '# A', '# A\n'],
    ['another heading', '# A\na\n', '# AB\nx\n', '# A\n# AB\nx\n'],
    ['settings at the end stay', '# A\na\n\n%% s\n%%\n', 'x', '# A\nx\n\n%% s\n%%\n'],
    ['a missing last line end', '# A\na', 'x', '# A\nx\n'],
    ['a heading without line end', '# A', 'x', '# A\nx\n'],
    ['a next heading that is underlined', '# A\n- a\n\nB\n===\n', 'x', '# A\nx\n\nB\n===\n'],
    ['CRLF', '# A\r\n\r\na\r\n\r\n# B', 'x\ny', '# A\r\n\r\nx\r\ny\r\n\r\n# B'],
    ['signs of a replacement', '# A\na\n', '$& $1', '# A\n$& $1\n'],
  ];
  it.each(rows)('replaces: %s', (_, text, put, expected) => {
    expect(applyEdits(text, replaceSectionContent(text, sectionA(text), put))).toBe(expected);
  });

  it('changes nothing when a section is written back as it was read', () => {
    const texts = Object.values(tricky).flat();
    fc.assert(
      fc.property(fc.constantFrom(...texts), (one) => {
        const text = `# A\n${one}\n\n# B\n`;
        const section = sectionsOf(text, scanNote(text))[0];
        if (section === undefined) return;
        const content = text.slice(section.content.start, section.content.end);
        expect(applyEdits(text, replaceSectionContent(text, section, content))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});

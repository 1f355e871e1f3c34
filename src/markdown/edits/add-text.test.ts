import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tricky } from '../../../test/support/tricky-texts.ts';
import { parseFrontmatter } from '../properties/frontmatter.ts';
import { bodyStart } from '../properties/frontmatter-block.ts';
import { applyEdits } from '../text/text-edit.ts';
import { appendText, prependText } from './add-text.ts';
import { placeOfLast } from './insert-text.ts';

const kanban = '%% kanban:settings\n```\n{"kanban-plugin":"basic"}\n```\n%%';

describe('appendText', () => {
  const rows: [name: string, text: string, added: string, expected: string][] = [
    ['an empty note', '', 'x', 'x\n'],
    ['a note of one line', 'a\n', 'x', 'a\nx\n'],
    ['a missing last line end', 'a', 'x', 'a\nx\n'],
    ['a text with its own line end', 'a\n', 'x\n', 'a\nx\n'],
    ['several lines', 'a\n', 'x\n\ny', 'a\nx\n\ny\n'],
    ['an empty text', 'a\n', '', 'a\n\n'],
    ['blank lines at the end', 'a\n\n\n', 'x', 'a\n\n\nx\n'],
    ['properties only', '---\na: 1\n---\n', 'x', '---\na: 1\n---\nx\n'],
    ['properties that end with the text', '---\na: 1\n---', 'x', '---\na: 1\n---\nx\n'],
    ['a byte order mark only', '\ufeff', 'x', '\ufeffx\n'],
    ['a byte order mark and properties', '\ufeff---\na: 1\n---', 'x', '\ufeff---\na: 1\n---\nx\n'],
    ['CRLF', 'a\r\nb', 'x\ny', 'a\r\nb\r\nx\r\ny\r\n'],
    ['CRLF given to LF', 'a\n', 'x\r\ny\r\n', 'a\nx\ny\n'],
    ['CRLF given to a note of one line', 'a', 'x\r\ny', 'a\r\nx\r\ny\r\n'],
    ['a tail of CRLF', 'a\nb\nc\r\nd\r\n', 'x', 'a\nb\nc\r\nd\r\nx\r\n'],
    ['most of the last lines LF', 'a\r\nb\nc\nd\r\ne\nf\n', 'x', 'a\r\nb\nc\nd\r\ne\nf\nx\n'],
    ['signs of a replacement', 'a\n', "$& $1 $'", "a\n$& $1 $'\n"],
    ['settings of a board', `# A\n- a\n\n\n${kanban}`, '- x', `# A\n- a\n- x\n\n\n${kanban}`],
    ['settings that end with a line', `a\n\n${kanban}\n`, 'x', `a\nx\n\n${kanban}\n`],
    ['nothing but settings', kanban, 'x', `x\n${kanban}`],
    [
      'settings under properties',
      `---\na: 1\n---\n\n${kanban}`,
      'x',
      `---\na: 1\n---\nx\n\n${kanban}`,
    ],
    ['a comment on one line', 'a\n\n%% later %%\n', 'x', 'a\nx\n\n%% later %%\n'],
    ['a comment that nothing closes', 'a\n\n%% later\n', 'x', 'a\n\n%% later\nx\n'],
    ['a comment within a paragraph', 'a %% b %%\n', 'x', 'a %% b %%\nx\n'],
    ['percent signs in code', '```\n%% a %%\n```\n', 'x', '```\n%% a %%\n```\nx\n'],
  ];
  it.each(rows)('puts lines at the end: %s', (_, text, added, expected) => {
    expect(applyEdits(text, appendText(text, added))).toBe(expected);
  });

  const inline: [name: string, text: string, added: string, expected: string][] = [
    ['a missing last line end', 'a', ' x', 'a x'],
    ['a line end', 'a\n', 'x', 'a\nx'],
    ['an empty note', '', 'x', 'x'],
    ['properties that end with the text', '---\na: 1\n---', 'x', '---\na: 1\n---\nx\n'],
    ['properties only', '---\na: 1\n---\n', 'x', '---\na: 1\n---\nx'],
    ['settings of a board', `- a\n\n${kanban}`, ' x', `- a x\n\n${kanban}`],
    ['CRLF before a comment', '- a\r\n\r\n%% b %%', ' x', '- a x\r\n\r\n%% b %%'],
  ];
  it.each(inline)('adds no line end when inline: %s', (_, text, added, expected) => {
    expect(applyEdits(text, appendText(text, added, { inline: true }))).toBe(expected);
  });
});

describe('prependText', () => {
  const rows: [name: string, text: string, added: string, expected: string][] = [
    ['an empty note', '', 'x', 'x\n'],
    ['a note without properties', 'a\n', 'x', 'x\na\n'],
    ['properties', '---\na: 1\n---\nb\n', 'x', '---\na: 1\n---\nx\nb\n'],
    ['properties and a blank line', '---\na: 1\n---\n\nb\n', 'x', '---\na: 1\n---\nx\n\nb\n'],
    ['properties that end with the text', '---\na: 1\n---', 'x', '---\na: 1\n---\nx\n'],
    ['properties that are not valid', '---\na: [\n---\nb', 'x', '---\na: [\n---\nx\nb'],
    ['a byte order mark', '\ufeffa', 'x', '\ufeffx\na'],
    ['a byte order mark only', '\ufeff', 'x', '\ufeffx\n'],
    ['CRLF', '---\r\na: 1\r\n---\r\nb\r\n', 'x\ny', '---\r\na: 1\r\n---\r\nx\r\ny\r\nb\r\n'],
    ['CRLF without properties', 'a\r\nb', 'x', 'x\r\na\r\nb'],
    ['a rule that would make a heading of it', '---\nb\n', 'x', 'x\n\n---\nb\n'],
    ['a rule after properties', '---\na: 1\n---\n---\nb', 'x', '---\na: 1\n---\nx\n\n---\nb'],
  ];
  it.each(rows)('puts lines after the properties: %s', (_, text, added, expected) => {
    expect(applyEdits(text, prependText(text, added))).toBe(expected);
  });

  const inline: [name: string, text: string, added: string, expected: string][] = [
    ['a line', 'a\n', 'x ', 'x a\n'],
    ['properties', '---\na: 1\n---\nb\n', 'x ', '---\na: 1\n---\nx b\n'],
    ['properties that end with the text', '---\na: 1\n---', 'x', '---\na: 1\n---\nx\n'],
  ];
  it.each(inline)('adds no line end when inline: %s', (_, text, added, expected) => {
    expect(applyEdits(text, prependText(text, added, { inline: true }))).toBe(expected);
  });
});

describe('on any note', () => {
  const properties = fc.constantFrom(
    '',
    '---\na: 1 # c\n---\n',
    '---\r\ntags: [x]\r\n---\r\n',
    '---\n---',
  );
  const body = fc.oneof(
    fc.constantFrom(...Object.values(tricky).flat()),
    fc
      .array(fc.constantFrom('a', '%%', '\n', '\r\n', '```', '# h', '- ', ' ', '---'))
      .map((parts) => parts.join('')),
  );
  const note = fc
    .tuple(fc.constantFrom('', '\ufeff'), properties, body)
    .map(
      ([mark, front, rest]) =>
        mark + front + (front.endsWith('---') && rest !== '' ? '\n' : '') + rest,
    );
  const added = fc.constantFrom('x', 'x\ny\n', '- [ ] x', 'x\r\ny', '');
  const ways = { append: appendText, prepend: prependText };

  it.each(Object.entries(ways))('%s changes nothing else, nor any property', (_, way) => {
    fc.assert(
      fc.property(note, added, fc.boolean(), (text, put, inline) => {
        const edits = way(text, put, { inline });
        const after = applyEdits(text, edits);
        // Insertions only, and none in the properties: the note is still there around them.
        for (const { range } of edits) {
          expect(range.end).toBe(range.start);
          expect(range.start).toBeGreaterThanOrEqual(bodyStart(text));
        }
        const { start, end } = placeOfLast(edits);
        expect(after.slice(start, end).replaceAll('\r\n', '\n')).toContain(
          put.replaceAll('\r\n', '\n'),
        );
        const before = parseFrontmatter(text);
        if (before !== undefined) {
          expect(parseFrontmatter(after)?.frontmatter).toEqual(before.frontmatter);
        }
      }),
      { numRuns: 300 },
    );
  });
});

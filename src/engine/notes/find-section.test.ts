import { describe, expect, it } from 'vitest';
import { VaultError } from '../../base/vault-error.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { findSection } from './find-section.ts';

const note = `# Plan
## Tasks
### Open
## Notes: 2024 (old)
# Work
## Tasks
### Open
# Tasks
# C# > D
# Log
# Log
# ???
`;

/** The line of the heading that is found, or the failure. */
function find(section: string, text = note): unknown {
  try {
    const { heading } = findSection(text, scanNote(text), section);
    return text.slice(0, heading.range.start).split('\n').length;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return [error.code, error.details['candidates']];
  }
}

describe('findSection', () => {
  const rows: [section: string, found: unknown][] = [
    ['Plan', 1],
    ['  plan ', 1],
    ['#Plan', 1],
    ['notes 2024 old', 4],
    ['Plan > Tasks', 2],
    ['plan#tasks', 2],
    ['#Work#Tasks', 6],
    ['Work > Open', 7],
    ['Plan > Tasks > Open', 3],
    ['# Tasks', 8],
    ['C# > D', 9],
    ['???', 12],
    ['Tasks', ['ambiguous', ['Plan > Tasks', 'Work > Tasks', '# Tasks']]],
    ['## Tasks', ['ambiguous', ['Plan > Tasks', 'Work > Tasks']]],
    ['Tasks > Open', ['ambiguous', ['Plan > Tasks > Open', 'Work > Tasks > Open']]],
    ['Log', ['ambiguous', ['# Log (1)', '# Log (2)']]],
    ['Log (1)', 10],
    ['# Log (2)', 11],
    ['log (line 11)', 11],
    ['Tasks (3)', 8],
    ['## Tasks (2)', 6],
    ['Plan (1)', 1],
    ['Log (3)', ['not_found', expect.arrayContaining(['# Log (1)', '# Log (2)'])]],
    ['Log (0)', ['not_found', expect.anything()]],
    ['Log (line 1)', ['not_found', expect.anything()]],
    ['(2)', ['not_found', expect.anything()]],
    ['Note', ['not_found', expect.arrayContaining(['Plan > Notes: 2024 (old)', '# Work'])]],
    ['Plan > Log', ['not_found', expect.arrayContaining(['# Plan', '# Log (2)', '# Work'])]],
    ['!!!', ['not_found', expect.arrayContaining(['# Plan', '# Work'])]],
    [' ', ['invalid_input', undefined]],
  ];
  it.each(rows)('finds "%s", or says what it could be', (section, found) => {
    expect(find(section)).toEqual(found);
  });

  it('finds a section by its whole path although another one lies deeper', () => {
    expect(find('A > B', '# A\n## X\n### B\n## B\n')).toBe(4);
  });

  it('tells equal headings under one parent apart, and those below them', () => {
    const text = '# Top\n## Same\n### Deep\n## Same\n### Deep\n';
    expect(find('Same', text)).toEqual(['ambiguous', ['Top > Same (1)', 'Top > Same (2)']]);
    expect(find('Top > Same (2)', text)).toBe(4);
    expect(find('Top#Same (2)', text)).toBe(4);
    expect(find('Top > Same > Deep (2)', text)).toBe(5);
  });

  it('offers the line where a heading has the number in its text', () => {
    const text = '# Same\n# Same\n# Same (2)\n';
    expect(find('Same', text)).toEqual(['ambiguous', ['# Same (1)', '# Same (line 2)']]);
    expect(find('Same (2)', text)).toBe(3);
    expect(find('# Same (line 2)', text)).toBe(2);
  });

  it('names the headings that come near first, and then the others', () => {
    expect(find('Note', '# A\n# B notes\n# C\n')).toEqual([
      'not_found',
      ['# B notes', '# A', '# C'],
    ]);
  });

  it('takes no heading from code, comments or properties', () => {
    const text = '---\n# A\n---\n```\n# A\n```\n%%\n# A\n%%\n';
    expect(find('A', text)).toEqual(['not_found', []]);
  });
});

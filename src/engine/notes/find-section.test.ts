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
    ['Log', ['ambiguous', ['# Log', '# Log']]],
    ['Note', ['not_found', expect.arrayContaining(['Plan > Notes: 2024 (old)', '# Work'])]],
    ['Plan > Log', ['not_found', expect.arrayContaining(['# Plan', '# Log', '# Work'])]],
    ['!!!', ['not_found', expect.arrayContaining(['# Plan', '# Work'])]],
    [' ', ['invalid_input', undefined]],
  ];
  it.each(rows)('finds "%s", or says what it could be', (section, found) => {
    expect(find(section)).toEqual(found);
  });

  it('finds a section by its whole path although another one lies deeper', () => {
    expect(find('A > B', '# A\n## X\n### B\n## B\n')).toBe(4);
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

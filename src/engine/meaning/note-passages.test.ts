import { expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { notePassages } from './note-passages.ts';

const long = 'word '.repeat(60).trim();

it.each([
  ['nothing but a title', '', [[1, 'N']]],
  ['no properties', '---\na: 1\n---\ntext', [[4, 'N\ntext\n']]],
  ['short sections together', '# A\n1\n# B\n2', [[1, 'N\nA\n1\nB\n2\n']]],
  [
    'long sections apart',
    `# A\n${long}\n\n# B\n${long}`,
    [
      [1, `N\nA\n${long}\n\n`],
      [4, `N\nB\n${long}\n`],
    ],
  ],
  [
    'words without signs',
    '- [[a|b]] **c** [d](https://e.f) ![[g]] https://h',
    [[1, 'N\nb c d g\n']],
  ],
  ['no headings in code', `${long}\n\`\`\`\n# x\n\`\`\`\ny`, [[1, `N\n${long}\nx\ny\n`]]],
] as const)('cuts a note: %s', (_, text, expected) => {
  const found = notePassages(vaultPath('F/N.md'), text);
  expect(found.map(({ line, text }) => [line, text])).toEqual(expected);
});

it('keeps every passage and their number within the limits', () => {
  const text = `${'x'.repeat(100_000)}\n${'word '.repeat(100_000)}`;
  const passages = notePassages(vaultPath('N.md'), text);
  expect(passages.length).toBeLessThanOrEqual(limits.embedPassagesMax);
  for (const passage of passages) {
    expect(passage.text.length).toBeLessThanOrEqual(limits.embedPassageCharsMax + 10);
  }
});

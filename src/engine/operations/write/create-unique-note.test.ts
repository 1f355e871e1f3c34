import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { createUniqueNote } from './create-unique-note.ts';

const nowMs = new Date(2024, 4, 6, 7, 8, 9).getTime();
const settings = '.obsidian/zk-prefixer.json';

async function check(files: Readonly<Record<string, string>>, request: { content?: string }) {
  const opened = await openWrittenVault(files, { parts: { clock: { nowMs: () => nowMs } } });
  try {
    const { path, warnings } = await opened.change(createUniqueNote, request);
    return { path, text: opened.text(path), warnings: warnings.length };
  } finally {
    await opened.close();
  }
}

describe('createUniqueNote', () => {
  type Files = Readonly<Record<string, string>>;
  it.each<readonly [string, Files, { content?: string }, object]>([
    ['is named by the time', {}, {}, { path: '202405060708.md', text: '' }],
    [
      'begins with the content',
      {},
      { content: '# X\n' },
      { path: '202405060708.md', text: '# X\n' },
    ],
    [
      'takes the next free time where a name is taken (D05)',
      { '202405060708.md': '', '202405060709.MD': '' },
      {},
      { path: '202405060710.md' },
    ],
    [
      'goes where the settings want it',
      { [settings]: '{"folder":"/Zettel/","format":"YYYY-MM-DD HHmmss"}' },
      {},
      { path: 'Zettel/2024-05-06 070809.md' },
    ],
    [
      'begins with the template, then the content',
      { [settings]: '{"template":"T/Unique"}', 'T/Unique.md': '# {{title}} {{date}}' },
      { content: 'more' },
      { text: '# 202405060708 2024-05-06\nmore\n', warnings: 0 },
    ],
    [
      'warns of a template that is missing',
      { [settings]: '{"template":"T/Unique"}' },
      { content: 'more' },
      { text: 'more', warnings: 1 },
    ],
  ])('%s', async (_, files, request, expected) => {
    expect(await check(files, request)).toMatchObject(expected);
  });
});

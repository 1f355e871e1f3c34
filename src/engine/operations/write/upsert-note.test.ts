import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import type { Version } from '../../../base/version.ts';
import { readNote } from '../read/read-note.ts';
import { readSection } from '../read/read-section.ts';
import { upsertNote } from './upsert-note.ts';

const front = '---\na: 1\n---\n';

describe('upsertNote', () => {
  type Request = Parameters<typeof upsertNote>[1];
  const rows: [name: string, request: Request, path: string, did: string, text: string][] = [
    ['a new note', { path: 'X', text: 'x' }, 'X.md', 'created', 'x'],
    ['a new note in a new folder', { path: 'New/X.md', text: 'x' }, 'New/X.md', 'created', 'x'],
    ['never one elsewhere', { path: 'Deep', text: 'x' }, 'Deep.md', 'created', 'x'],
    [
      'a new note with properties',
      { path: 'X', text: front, mode: 'body' },
      'X.md',
      'created',
      front,
    ],
    ['all of a note', { path: 'N', text: 'x' }, 'N.md', 'changed', 'x'],
    [
      'the same text',
      { path: 'N.md', text: `${front}old\n` },
      'N.md',
      'unchanged',
      `${front}old\n`,
    ],
    [
      'the end of a note',
      { path: 'N', text: 'x', mode: 'append' },
      'N.md',
      'changed',
      `${front}old\nx\n`,
    ],
    [
      'the body of a note',
      { path: 'N', text: 'x\n', mode: 'body' },
      'N.md',
      'changed',
      `${front}x\n`,
    ],
    ['another spelling of it', { path: 'sub/deep', text: 'x' }, 'Sub/Deep.md', 'changed', 'x'],
    ['a canvas', { path: 'C.canvas', text: '{"nodes":[]}' }, 'C.canvas', 'changed', '{"nodes":[]}'],
  ];
  it.each(rows)('gives the text to %s', async (_, request, path, did, text) => {
    const opened = await openWrittenVault({
      'N.md': `${front}old\n`,
      'Sub/Deep.md': 'deep\n',
      'C.canvas': '{}',
    });
    expect(await opened.change(upsertNote, request)).toMatchObject({ path, did });
    expect(opened.text(path)).toBe(text);
    await opened.close();
  });

  it('refuses text for a canvas, an old version and a version of what is not there', async () => {
    const opened = await openWrittenVault({ 'N.md': 'old\n', 'C.canvas': '{}' });
    const { version } = await readNote(opened.vault, { name: 'N' });
    const failing: [request: Request, code: string][] = [
      [{ path: 'C.canvas', text: 'x', mode: 'append' }, 'invalid_input'],
      [{ path: 'N', text: 'x', version: '0'.repeat(64) as Version }, 'conflict'],
      [{ path: 'X', text: 'x', version }, 'not_found'],
      [{ path: '../X', text: 'x' }, 'outside_vault'],
    ];
    for (const [request, code] of failing) {
      await expect(opened.change(upsertNote, request)).rejects.toMatchObject({ code });
    }
    expect(opened.files()).toMatchObject({ 'N.md': 'old\n', 'C.canvas': '{}' });
    await opened.close();
  });
});

describe('readSection', () => {
  it('answers what stands under a heading', async () => {
    const text = `${front}# A\na\n## B\nb\n\n# C\n`;
    const opened = await openWrittenVault({ 'N.md': text });
    expect(await readSection(opened.vault, { name: 'N', section: 'a' })).toMatchObject({
      path: 'N.md',
      heading: 'A',
      level: 1,
      line: 4,
      text: 'a\n## B\nb\n\n',
      version: (await readNote(opened.vault, { name: 'N' })).version,
    });
    await expect(readSection(opened.vault, { name: 'N', section: 'X' })).rejects.toMatchObject({
      code: 'not_found',
      details: { candidates: ['# A', 'A > B', '# C'] },
    });
    await opened.close();
  });
});

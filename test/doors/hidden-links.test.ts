import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A vault with symlinks into a folder outside, in which "private" is to be hidden. */
async function open(hide: readonly string[]) {
  const outside = tempFolder({ 'ok.md': 'fine', 'private/s.md': 'quagga', '.dot/d.md': 'dotted' });
  const folder = tempFolder({ 'pub/a.md': 'own' });
  symlinkSync(outside, join(folder, 'ext'));
  symlinkSync('private/s.md', join(outside, 'x.md'));
  symlinkSync('private', join(outside, 'aside'));
  symlinkSync('ok.md', join(outside, 'same.md'));
  symlinkSync('.dot/d.md', join(outside, 'd.md'));
  symlinkSync('../ext/private/s.md', join(folder, 'pub/l.md'));
  symlinkSync(join(outside, 'private/s.md'), join(folder, 'pub/direct.md'));
  const args = ['--context-every', '0', '--allow-root', outside, ...hide];
  const door = new StdioProcess({ folder, args });
  await door.initialize();
  const ask = async (name: string, given: object) =>
    JSON.stringify((await door.request('tools/call', { name, arguments: given })).result);
  return { outside, door, ask };
}

const ways = ['ext/private/s.md', 'ext/x.md', 'ext/aside/s.md', 'pub/l.md', 'pub/direct.md'];

it('a hidden file of an allowed folder is hidden whatever symlink leads to it', async () => {
  const { outside, door, ask } = await open(['--hide', 'ext/private/**']);
  for (const name of ways) {
    expect(await ask('read_note', { name }), name).not.toContain('quagga');
    const written = await ask('append_note', { name, text: 'more' });
    expect(written, name).toMatch(/not found|No note|no note|symlink/i);
  }
  expect(await ask('search_notes', { query: 'quagga' })).not.toMatch(/x\.md|l\.md|direct|aside/);
  expect(await ask('search_notes', { query: '/qua.ga/' })).not.toMatch(/x\.md|l\.md|direct|aside/);
  expect(await ask('list_notes', {})).not.toMatch(/private|ext\/x|pub\/l|direct|aside/);
  for (const name of ['ext/ok.md', 'ext/same.md']) {
    expect(await ask('read_note', { name }), name).toContain('fine');
  }
  expect(await ask('append_note', { name: 'ext/ok.md', text: 'more' })).not.toContain('isError');
  expect(readFileSync(join(outside, 'ok.md'), 'utf8')).toContain('more');
  expect(readFileSync(join(outside, 'private/s.md'), 'utf8')).toBe('quagga');
  await door.end();
});

it('who sees the whole vault reads symlinks into an allowed folder', async () => {
  const { door, ask } = await open([]);
  for (const name of ['ext/private/s.md', 'ext/x.md', 'pub/l.md', 'pub/direct.md']) {
    expect(await ask('read_note', { name }), name).toContain('quagga');
  }
  expect(await ask('read_note', { name: 'ext/d.md' })).toContain('dotted');
  expect(await ask('search_notes', { query: 'quagga' })).toMatch(/pub\/direct/);
  await door.end();
});

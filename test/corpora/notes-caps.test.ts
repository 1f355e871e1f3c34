import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { scanNote } from '../../src/markdown/scan/scan-note.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { unpackVault } from '../support/unpack-vaults.ts';
import { openWrittenFolder, testCaller, type WrittenVault } from '../support/written-vault.ts';

// The answers of the notes toolset on the largest note of a real vault: none exceeds its cap, and
// page by page they hold all of it.

let opened: WrittenVault;
let service: Service;
let largest: string;
let text: string;

beforeAll(async () => {
  const folder = await unpackVault('blue-book');
  const notes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/(^|[\\/])\./.test(path))
    .map((path) => ({ path, bytes: statSync(join(folder, path)).size }))
    .sort((a, b) => b.bytes - a.bytes);
  const [first] = notes;
  if (first === undefined) throw new Error('The vault has no notes.');
  largest = relative('.', first.path).split(sep).join('/');
  text = readFileSync(join(folder, first.path), 'utf8');
  opened = await openWrittenFolder(folder);
  const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
  service = createService(opened.whole, [toolset], nodeTimers);
});

afterAll(() => opened.close());

/** The text of an answer, which must not be longer than it may be. No connection: no auto-context. */
async function answer(name: string, args: object): Promise<string> {
  const outcome = await service.call(name, args, testCaller());
  const said = textsOf(outcome.content).join('');
  expect(outcome.ok, said.slice(0, 500)).toBe(true);
  expect(said.length, name).toBeLessThanOrEqual(limits.answerCharsMax);
  return said;
}

describe('the largest note of blue-book', () => {
  it('is larger than an answer', () => {
    expect(text.length).toBeGreaterThan(2 * limits.answerCharsMax);
  });

  it('is read whole, page by page', async () => {
    const pages: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const said = await answer('read_note', { path: largest, offset });
      const closing: RegExpExecArray | null = /\[Lines [^\n]*offset=(\d+)[^\n]*\]$/.exec(said);
      pages.push(closing === null ? said : said.slice(0, closing.index));
      const next: number | undefined = closing === null ? undefined : Number(closing[1]);
      expect(next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(offset);
      offset = next;
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.join('')).toBe(text.replace(/^\ufeff/, ''));
  });

  it('is answered about within the cap by every tool that reads', async () => {
    const { headings } = scanNote(text);
    const sections = [...new Set(headings.map((heading) => heading.text))].slice(0, 40);
    for (const section of sections) {
      const outcome = await service.call('read_section', { path: largest, section }, testCaller());
      for (const piece of textsOf(outcome.content)) {
        expect(piece.length, section).toBeLessThanOrEqual(limits.answerCharsMax);
      }
    }
    await answer('get_links', { path: largest });
    await answer('get_frontmatter', { path: largest });
    await answer('list_notes', { limit: 10_000 });
    for (const mode of ['content', 'name_partial', 'tag']) {
      for (const query of ['a', 'the', 'attack', 'windows']) {
        await answer('search_notes', { query, mode, limit: 200 });
      }
    }
    await answer('list_changes', {});
  });

  it('is changed within the cap: a dry run over all of it shows what fits', async () => {
    await answer('delete_note', { name: largest, dry_run: true });
    await answer('rename_note', { old_name: largest, new_name: 'Another name', dry_run: true });
  });
});

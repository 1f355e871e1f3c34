import { copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { longPdf } from '../support/pdfs.ts';
import { runCli } from '../support/run-cli.ts';
import { StdioProcess, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const media = fileURLToPath(new URL('../media/pdf', import.meta.url));
/** Reading goes on in the background, on machines that may be busy. */
const patience = { timeout: 30_000, interval: 50 };

it('the text of PDFs is found by page, follows the files, and stays hidden where they are', async () => {
  const folder = tempFolder({ 'Note.md': 'A note about lighthouses.\n' });
  cpSync(media, join(folder, 'Papers'), { recursive: true });
  cpSync(media, join(folder, 'Secret'), { recursive: true });
  const env = stdioEnv({ folder });
  const program = new StdioProcess({ folder, env, args: ['--hide', 'Secret/**'] });
  await program.initialize();
  const found = async (query: string): Promise<readonly { path: string; lines?: string[] }[]> => {
    const { result } = await program.request('tools/call', {
      name: 'search_notes',
      arguments: { query },
    });
    const [shown] = (result?.['content'] ?? []) as { text: string }[];
    return JSON.parse(shown?.text.split('\n\n---')[0] ?? '{}').hits;
  };

  await vi.waitFor(async () => {
    expect(await found('zugzwang')).toEqual([
      { path: 'Papers/tex.pdf#page=3', lines: ['page 3: Page three says zugzwang.'] },
    ]);
  }, patience);
  await vi.waitFor(async () => {
    expect((await found('lighthouses')).map(({ path }) => path)).toEqual([
      'Note.md',
      'Papers/ghostscript.pdf#page=1',
    ]);
  }, patience);
  // A word that the page breaks at the end of a line.
  expect((await found('extraordinarily')).map(({ path }) => path)).toEqual([
    'Papers/tex.pdf#page=1',
  ]);

  // What was found can be read: a page, or all of them.
  const read = async (name: string, part: object = {}): Promise<string> => {
    const { result } = await program.request('tools/call', {
      name: 'read_note',
      arguments: { name, ...part },
    });
    return JSON.stringify(result);
  };
  expect(await read('Papers/tex.pdf#page=3')).toContain('[Page 3 of 3]\\n3 Results\\nPage three');
  const lines = await read('Papers/tex.pdf#page=3', { limit: 1 });
  expect(lines).toMatch(
    /\[Page 3 of 3\]\\n3 Results\\n\\n\[Lines 1-1 of \d+: go on with offset=1\.\]/,
  );
  expect(await read('Papers/tex.pdf#page=3', { limit: 1, offset: 1 })).toContain(
    '[Page 3 of 3]\\nPage three',
  );
  expect(await read('ghostscript.pdf#page=9')).toContain('has pages 1 to 2.');
  const whole = await read('Papers/ghostscript.pdf');
  expect(whole).toContain('lighthouses');
  expect(whole).toContain('[Page 2 of 2]\\nThe second page mentions a marmalade recipe.');
  expect(await read('Papers/scan.pdf')).toContain('it may be a scan');
  expect(await read('Papers/encrypted.pdf')).toContain('The PDF is encrypted');
  expect(await read('Secret/tex.pdf#page=3')).not.toContain('zugzwang');

  // Of a very long one, the first pages are read, and the answer does not say how many there are.
  writeFileSync(join(folder, 'Long.pdf'), longPdf(limits.pdfPagesMax + 3));
  await vi.waitFor(async () => {
    expect((await found('leaf1999')).map(({ path }) => path)).toEqual(['Long.pdf#page=1999']);
  }, patience);
  expect(await read('Long.pdf#page=1999')).toContain('[Page 1999]\\nleaf1999');
  expect(await read('Long.pdf#page=2002')).toContain('only the text of its first 2000 pages');
  expect(await found('leaf2002')).toEqual([]);

  // Drawings are found like that, too; of those that the plugin keeps as notes, what people wrote.
  const elements = [{ type: 'text', text: 'A quinquennial plan' }, { type: 'ellipse' }];
  writeFileSync(join(folder, 'Plan.excalidraw'), JSON.stringify({ elements }));
  writeFileSync(join(folder, 'Bad.excalidraw'), '{');
  writeFileSync(join(folder, 'Empty.pdf'), '');
  writeFileSync(
    join(folder, 'Old.excalidraw.md'),
    '---\nexcalidraw-plugin: parsed\n---\n## Text Elements\nA glockenspiel ^aB3dE6g8\n\n%%\n## Drawing\n```compressed-json\nN4KAkARALgng glockenspiel\n```\n%%\n',
  );
  await vi.waitFor(async () => {
    expect(await found('quinquennial')).toEqual([
      { path: 'Plan.excalidraw', lines: ['1: A quinquennial plan'] },
    ]);
  }, patience);
  expect(await read('Plan.excalidraw')).toContain('[On the drawing]\\nA quinquennial plan');
  await vi.waitFor(async () => {
    expect(await found('glockenspiel')).toEqual([
      { path: 'Old.excalidraw.md', lines: ['5: A glockenspiel'] },
    ]);
  }, patience);
  expect(await found('aB3dE6g8')).toEqual([]);
  expect(await found('N4KAkARALgng')).toEqual([]);

  // So are the cards of a canvas, which opens as it is.
  const nodes = [{ id: '1', type: 'text', text: 'A card about marzipan' }];
  writeFileSync(join(folder, 'Board.canvas'), JSON.stringify({ nodes }));
  await vi.waitFor(async () => {
    expect(await found('marzipan')).toEqual([
      { path: 'Board.canvas', lines: ['1: A card about marzipan'] },
    ]);
  }, patience);
  expect(await read('Board.canvas')).toContain('A card about marzipan');

  // The file is replaced, and then removed.
  copyFileSync(join(media, 'libreoffice.pdf'), join(folder, 'Papers/ghostscript.pdf'));
  await vi.waitFor(async () => {
    expect((await found('windmill')).map(({ path }) => path).toSorted()).toEqual([
      'Papers/ghostscript.pdf#page=2',
      'Papers/libreoffice.pdf#page=2',
    ]);
    expect(await found('marmalade')).toEqual([]);
  }, patience);
  rmSync(join(folder, 'Papers/tex.pdf'));
  await vi.waitFor(async () => expect(await found('zugzwang')).toEqual([]), patience);
  await program.end();

  // What cannot be read is listed, and costs nothing else: the index is as one that was built anew.
  const { stdout } = await runCli(['check', '--json', '--vault', folder], env);
  const { problems, index, attachments } = JSON.parse(stdout);
  expect(index).toEqual([]);
  const listed = problems.map(({ path, message }: { path: string; message: string }) => [
    path,
    message,
  ]);
  expect(listed).toContainEqual(['Papers/encrypted.pdf', expect.stringContaining('encrypted')]);
  expect(listed).toContainEqual(['Papers/cut.pdf', expect.stringContaining('damaged')]);
  expect(listed).toContainEqual(['Bad.excalidraw', expect.stringContaining('no drawing')]);
  expect(listed).toContainEqual(['Long.pdf', expect.stringContaining('The PDF is long')]);
  expect(listed).toContainEqual(['Empty.pdf', expect.stringContaining('is no PDF')]);
  expect(attachments).toEqual([]); // It is listed once.

  // On the command line, what was read opens as well.
  const printed = async (name: string): Promise<string> =>
    (await runCli(['read', name, '--vault', folder], env)).stdout;
  expect(await printed('Papers/libreoffice.pdf#page=2')).toMatch(
    /^Second page\. .* beside the windmill\.\n$/,
  );
  expect(await printed('Papers/libreoffice.pdf')).toContain('[Page 2 of 2]\nSecond page.');
  expect(await printed('Plan.excalidraw')).toBe('A quinquennial plan\n');
});

import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { damagedPdf, endlessPdf, pdf, pdfWith } from '../../../test/support/pdfs.ts';
import { bundle } from '../../../test/support/run-cli.ts';
import { limits } from '../../base/limits.ts';
import type { DocumentReader } from '../../engine/ports/documents.ts';
import { openThreadDocumentReader } from './thread-document-reader.ts';

const { signal } = new AbortController();

function openReader(options = {}): DocumentReader {
  const reader = openThreadDocumentReader({ entryFile: bundle, ...options });
  onTestFinished(() => reader.close());
  return reader;
}

describe('the text of a PDF', () => {
  test('is read page by page, whichever program made it', async () => {
    const reader = openReader();
    const letter = await reader.read('pdf', pdf('libreoffice.pdf'), signal);
    expect(letter.count).toBe(2);
    expect(letter.pages[0]).toContain('Present: Käthe Müßig, Jürgen Öhler, Zoë.');
    expect(letter.pages[1]).toMatch(/^Second page\. .* beside the windmill\.$/);
    const paper = await reader.read('pdf', pdf('tex.pdf'), signal);
    expect(paper.pages).toHaveLength(3);
    expect(paper.pages[0]).toContain('The efficient office staff find affluent waffles');
    expect(paper.pages[2]).toContain('zugzwang');
    const plain = await reader.read('pdf', pdf('ghostscript.pdf'), signal);
    expect(plain.pages).toEqual([
      'Ghostscript wrote this page about lighthouses.',
      'The second page mentions a marmalade recipe.',
    ]);
  });

  test('of old Chinese, Japanese and Korean files is read by tables that they only name', async () => {
    const { pages } = await openReader().read('pdf', pdf('old-cjk.pdf'), signal);
    expect(pages).toEqual(['日本語の文書', '中文的文件', '中文的文件', '한국어', 'カタカナ']);
  });

  test('is read while another takes long', async () => {
    const reader = openReader();
    let isRead = false;
    const slow = reader.read('pdf', endlessPdf(), signal).finally(() => {
      isRead = true;
    });
    slow.catch(() => undefined); // It ends with the reader.
    expect((await reader.read('pdf', pdf('ghostscript.pdf'), signal)).count).toBe(2);
    expect(isRead).toBe(false);
  });

  test('of a scan is empty', async () => {
    expect(await openReader().read('pdf', pdf('scan.pdf'), signal)).toEqual({
      pages: ['', ''],
      count: 2,
    });
  });

  test.each([
    ['encrypted.pdf', 'is encrypted'],
    ['cut.pdf', 'is damaged'],
    ['head-only.pdf', 'is damaged'],
  ])('%s is refused', async (name, why) => {
    const reader = openReader();
    await expect(reader.read('pdf', pdf(name), signal)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(why),
    });
    // The next one is read as ever.
    expect((await reader.read('pdf', pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('ends with its time, and the next file is read', async () => {
    const timers = manualTimers();
    const reader = openReader({ timers });
    const reading = reader.read('pdf', pdf('tex.pdf'), signal);
    const refused = expect(reading).rejects.toMatchObject({ code: 'timeout' });
    await setImmediate(); // The worker has its work.
    timers.advance(limits.pdfMs);
    await refused;
    expect((await reader.read('pdf', pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('that unpacks to gigabytes is refused', async () => {
    const unpacked = Buffer.alloc(4 * 1024 * 1024, '0 0 m ');
    const reader = openReader();
    const { pages } = await reader.read(
      'pdf',
      pdfWith(deflateSync(unpacked, { level: 1 })),
      signal,
    );
    expect(pages).toEqual(['']);
    expect((await reader.read('pdf', pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('that was damaged anywhere is read or refused, and the next one is read', async () => {
    const reader = openReader();
    for (let round = 0; round < 20; round++) {
      const outcome = await reader.read('pdf', damagedPdf(round), signal).then(
        ({ count }) => typeof count,
        ({ code }) => code,
      );
      expect(['number', 'invalid_input']).toContain(outcome);
    }
    expect((await reader.read('pdf', pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('is no longer read when nobody wants it', async () => {
    const given = new AbortController();
    const reading = openReader().read('pdf', pdf('tex.pdf'), given.signal);
    given.abort();
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('the text of a drawing', () => {
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

  test('is one page', async () => {
    const elements = [{ type: 'text', text: 'Zoë' }, { type: 'line' }];
    const drawing = bytesOf(JSON.stringify({ type: 'excalidraw', elements }));
    const read = await openReader().read('drawing', drawing, signal);
    expect(read).toEqual({ pages: ['Zoë'], count: 1 });
  });

  test.each([
    ['{"elements":', 'invalid_input', 'is damaged'],
    ['{}', 'invalid_input', 'is no drawing'],
    ['['.repeat(1_000_000), 'invalid_input', 'is damaged'],
    [' '.repeat(limits.noteBytesMax + 1), 'too_large', 'is larger than 16 MiB'],
  ])('that cannot be read is refused (case %#)', async (text, code, why) => {
    await expect(openReader().read('drawing', bytesOf(text), signal)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why),
    });
  });
});

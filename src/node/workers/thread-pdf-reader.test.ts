import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { counted } from '../../../test/support/counts.ts';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { bundle } from '../../../test/support/run-cli.ts';
import { limits } from '../../base/limits.ts';
import type { PdfReader } from '../../engine/ports/documents.ts';
import { openThreadPdfReader } from './thread-pdf-reader.ts';

const media = new URL('../../../test/media/pdf/', import.meta.url);
const pdf = (name: string): Uint8Array => readFileSync(new URL(name, media));
const { signal } = new AbortController();

function openReader(options = {}): PdfReader {
  const reader = openThreadPdfReader({ entryFile: bundle, ...options });
  onTestFinished(() => reader.close());
  return reader;
}

describe('the text of a PDF', () => {
  test('is read page by page, whichever program made it', async () => {
    const reader = openReader();
    const letter = await reader.read(pdf('libreoffice.pdf'), signal);
    expect(letter.count).toBe(2);
    expect(letter.pages[0]).toContain('Present: Käthe Müßig, Jürgen Öhler, Zoë.');
    expect(letter.pages[1]).toMatch(/^Second page\. .* beside the windmill\.$/);
    const paper = await reader.read(pdf('tex.pdf'), signal);
    expect(paper.pages).toHaveLength(3);
    expect(paper.pages[0]).toContain('The efficient office staff find affluent waffles');
    expect(paper.pages[2]).toContain('zugzwang');
    const plain = await reader.read(pdf('ghostscript.pdf'), signal);
    expect(plain.pages).toEqual([
      'Ghostscript wrote this page about lighthouses.',
      'The second page mentions a marmalade recipe.',
    ]);
  });

  test('of a scan is empty', async () => {
    expect(await openReader().read(pdf('scan.pdf'), signal)).toEqual({ pages: ['', ''], count: 2 });
  });

  test.each([
    ['encrypted.pdf', 'is encrypted'],
    ['cut.pdf', 'is damaged'],
    ['head-only.pdf', 'is damaged'],
  ])('%s is refused', async (name, why) => {
    const reader = openReader();
    await expect(reader.read(pdf(name), signal)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(why),
    });
    // The next one is read as ever.
    expect((await reader.read(pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('ends with its time, and the next file is read', async () => {
    const timers = manualTimers();
    const reader = openReader({ timers });
    const reading = reader.read(pdf('tex.pdf'), signal);
    const refused = expect(reading).rejects.toMatchObject({ code: 'timeout' });
    await setImmediate(); // The worker has its work.
    timers.advance(limits.pdfMs);
    await refused;
    expect((await reader.read(pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('that unpacks to gigabytes is refused', async () => {
    const unpacked = Buffer.alloc(counted({ quick: 4, full: 160 }) * 1024 * 1024, '0 0 m ');
    const reader = openReader();
    const { pages } = await reader.read(pdfWith(deflateSync(unpacked, { level: 1 })), signal);
    expect(pages).toEqual(['']);
    expect((await reader.read(pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('that was damaged anywhere is read or refused, and the next one is read', async () => {
    const reader = openReader();
    const names = ['ghostscript.pdf', 'libreoffice.pdf', 'tex.pdf', 'encrypted.pdf'];
    for (let round = 0; round < counted({ quick: 20, full: 500 }); round++) {
      const bytes = Uint8Array.from(pdf(names[round % names.length] ?? ''));
      for (let at = round; at < bytes.length; at += 97 + 13 * (round % 50)) bytes[at] = round % 256;
      const outcome = await reader
        .read(bytes.subarray(0, bytes.length - (round % 7) * 50), signal)
        .then(
          ({ count }) => typeof count,
          ({ code }) => code,
        );
      expect(['number', 'invalid_input']).toContain(outcome);
    }
    expect((await reader.read(pdf('ghostscript.pdf'), signal)).count).toBe(2);
  });

  test('is no longer read when nobody wants it', async () => {
    const given = new AbortController();
    const reading = openReader().read(pdf('tex.pdf'), given.signal);
    given.abort();
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  });
});

/** A PDF of one page with this content stream, deflated. */
function pdfWith(stream: Uint8Array): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R >>',
  ].map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`);
  const head = `%PDF-1.4\n${objects.join('')}4 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`;
  const tail = '\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(tail)]);
}

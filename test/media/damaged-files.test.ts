import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, vi } from 'vitest';
import { openThreadDocumentReader } from '../../src/node/workers/thread-document-reader.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { damagedFiles } from '../support/damaged-files.ts';
import { damagedPdf, pdf, pdfWith } from '../support/pdfs.ts';
import { bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Many damaged files; `npm test` tries a few. All three tests run at once and take half a minute.

const count = 500;

/** Two servers at a time, so that it takes half as long. */
const halves = [0, 1] as const;

it.concurrent.for(halves)(
  'the server answers all the while, and its memory comes back: half %i',
  {
    timeout: 600_000,
  },
  async (half, { onTestFinished }) => {
    const folder = tempFolder({ 'Note.md': 'here\n' }, onTestFinished);
    const files = Object.entries(damagedFiles(count)).filter(
      (_, at) => at % halves.length === half,
    );
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    const args = ['--context', 'off'];
    const client = await startSdkClient(
      { folder, args, onFinished: onTestFinished },
      { era: '2025-11-25' },
    );
    const read = async (name: string) => {
      const { content, isError } = await client.callTool({
        name: 'read_note',
        arguments: { name },
      });
      const text = content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('');
      return { text, isShown: content.length > 1, failed: isError === true };
    };
    const { pid } = client.transport as StdioClientTransport;
    await read('Note');
    const before = residentBytes(pid);
    let shown = 0;
    for (const [name] of files) {
      const [found, other] = await Promise.all([read(name), read('Note')]);
      expect([name, found.failed, other.text]).toEqual([name, false, 'here\n']);
      expect(found.text).toMatch(/^\[\S+: .*\d+ bytes; .*\.\]$|^\[Page 1 of 1\]/);
      if (found.isShown) shown++;
    }
    // Some files are shown all the same: their damage is in a part that is not displayed.
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(files.length);
    const settled = () => expect(residentBytes(pid) - before).toBeLessThan(100_000_000);
    if (before > 0) await vi.waitFor(settled, { timeout: 60_000, interval: 1_000 });
    await client.close();
  },
);

it.concurrent('every damaged PDF is read or refused, and the next one is read', {
  timeout: 600_000,
}, async ({ onTestFinished }) => {
  const reader = openThreadDocumentReader({ entryFile: bundle });
  onTestFinished(() => reader.close());
  const { signal } = new AbortController();
  for (let round = 0; round < count; round++) {
    const outcome = await reader.read('pdf', damagedPdf(round), signal).then(
      () => 'read',
      ({ code }) => code,
    );
    expect(['read', 'invalid_input']).toContain(outcome);
  }
  const bomb = deflateSync(Buffer.alloc(160 * 1024 * 1024, '0 0 m '), { level: 1 });
  // On a busy machine, unpacking as much as is allowed takes longer than is allowed.
  const unpacked = await reader.read('pdf', pdfWith(bomb), signal).then(
    ({ pages }) => pages,
    ({ code }) => code,
  );
  expect([[''], 'timeout']).toContainEqual(unpacked);
  expect((await reader.read('pdf', pdf('ghostscript.pdf'), signal)).count).toBe(2);
});

/** The memory of a process; 0 where the system does not tell. */
function residentBytes(pid: number | null): number {
  try {
    const [, kB] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return 1_024 * Number(kB ?? 0);
  } catch {
    return 0;
  }
}

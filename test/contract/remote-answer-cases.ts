import { expect } from 'vitest';
import { fails, gives, type RemoteCase } from './remote-case.ts';

const files = { 'd/a.md': 'text', 'z.md': '' };
const mtime = expect.any(Number);

/** Answers that are too large, and the methods that the first daemon does not have. */
export const remoteAnswerCases: readonly RemoteCase[] = [
  {
    row: '1.1 a larger reply becomes an error with its id, and the connection lives (9.6, C4)',
    better: 'C4',
    files: { 'large.bin': new Uint8Array(12_700_000), 'fits.bin': new Uint8Array(12_000_000) },
    steps: [
      fails('fs.readBinary', { path: 'large.bin' }, [-32602, -32603]),
      fails('fs.readText', { path: 'large.bin' }, [-32602, -32603]),
      fails('fs.readBinaryRange', { path: 'large.bin', length: 99_000_000 }, [-32602, -32603]),
      gives('fs.readBinary', { path: 'fits.bin' }, expect.objectContaining({ size: 12_000_000 })),
      gives(
        'fs.readBinaryRange',
        { path: 'large.bin', offset: 12_699_999, length: 9 },
        {
          contentBase64: 'AA==',
          mtime,
          size: 12_700_000,
        },
      ),
    ],
  },
  {
    row: '1.1 a larger reply becomes an error: text that grows in JSON',
    better: 'C4',
    files: { 'control.txt': '\u0001'.repeat(3_000_000) },
    steps: [
      fails('fs.readText', { path: 'control.txt' }, [-32602, -32603]),
      gives('fs.exists', { path: 'control.txt' }, { exists: true }),
    ],
  },
  {
    row: 'issue 8: fs.batchStat answers each path as fs.stat does, in order',
    files,
    steps: [
      gives(
        'fs.batchStat',
        { paths: ['z.md', 'no.md', 'd'] },
        {
          stats: [
            { type: 'file', mtime, size: 0, mode: 0o644 },
            null,
            { type: 'folder', mtime, size: 0, mode: 0o755 },
          ],
        },
      ),
      gives('fs.batchStat', { paths: [] }, { stats: [] }),
      fails('fs.batchStat', { paths: 'z.md' }, -32602),
      fails('fs.batchStat', { paths: Array.from({ length: 10_001 }, () => 'z.md') }, -32602),
    ],
  },
  {
    row: 'issue 8: fs.hash answers the SHA-256 of a file',
    files,
    steps: [
      gives(
        'fs.hash',
        { path: 'd/a.md' },
        {
          sha256: '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1',
          mtime,
          size: 4,
        },
      ),
      fails('fs.hash', { path: 'no.md' }, -32010),
      fails('fs.hash', { path: 'd' }, -32012),
    ],
  },
  {
    row: 'issue 8: fs.search finds notes by their text',
    files: { 'found.md': 'about zebras\n', 'other.md': 'about horses\n' },
    steps: [
      gives(
        'fs.search',
        { query: 'zebras' },
        expect.objectContaining({
          results: [expect.objectContaining({ path: 'found.md' })],
          total: 1,
        }),
      ),
      fails('fs.search', { query: 5 }, -32602),
    ],
  },
];

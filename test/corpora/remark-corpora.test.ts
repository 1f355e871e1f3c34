import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remarkFacts, scannedFacts, withoutExtensions } from '../support/remark-facts.ts';
import { unpackVault } from '../support/unpack-vaults.ts';

/** Each vault, and which of its notes are compared: remark-parse takes most of the time. */
const samples = [
  { vault: 'tasks-demo', every: 1 },
  { vault: 'kepano', every: 1 },
  { vault: 'astrowiki', every: 2 },
  { vault: 'garden', every: 7 },
  { vault: 'knowledge-garden-zh', every: 5 },
  { vault: 'blue-book', every: 9 },
];

/** remark-parse copies the rest of the note at every step: longer notes take it too long. */
const noteCharsMax = 60_000;

describe('notes of real vaults are read as remark-parse 8 reads them', () => {
  it.each(samples)('$vault', async ({ vault, every }) => {
    const folder = await unpackVault(vault);
    const notes = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .filter((_, index) => index % every === 0);
    expect(notes.length).toBeGreaterThan(50);
    for (const note of notes) {
      const text = withoutExtensions(readFileSync(note, 'utf8'));
      if (text.length > noteCharsMax) continue;
      expect({ note, ...scannedFacts(text) }).toEqual({ note, ...remarkFacts(text) });
    }
  });
});

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type GeneratedVault, generateVault } from '../bench/generate-vault.ts';

const NOTES = 200;
const temporary = mkdtempSync(join(tmpdir(), 'vaultdoor-generate-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

interface Vault {
  counts: GeneratedVault;
  files: Map<string, Buffer>;
}

function generate(name: string, seed: number): Vault {
  const folder = join(temporary, name);
  const counts = generateVault(folder, { notes: NOTES, seed });
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path).split(sep).join('/'), readFileSync(path));
  }
  return { counts, files };
}

function digest({ files }: Vault): string {
  const hash = createHash('sha256');
  for (const path of [...files.keys()].sort()) {
    hash.update(`${path}\n`).update(files.get(path) ?? '');
  }
  return hash.digest('hex');
}

const vault = generate('first', 7);
const notes = [...vault.files].filter(([path]) => path.endsWith('.md'));
const text = notes.map(([, bytes]) => bytes.toString('utf8')).join('\n');

test('the same seed gives the same bytes', () => {
  expect(digest(generate('again', 7))).toBe(digest(vault));
});

test('another seed gives other bytes', () => {
  expect(digest(generate('other', 8))).not.toBe(digest(vault));
});

test('the counts say what is on disk', () => {
  const ending = (suffix: string) =>
    [...vault.files.keys()].filter((path) => path.endsWith(suffix)).length;
  expect(vault.counts).toMatchObject({
    notes: NOTES,
    bytes: notes.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    folders: new Set(notes.map(([path]) => path.slice(0, path.lastIndexOf('/') + 1))).size,
    canvases: ending('.canvas'),
    attachments: ending('.png'),
    tasks: text.match(/^- \[.\] /gm)?.length,
    unresolved: text.match(/\[\[[^\]\n]* some day\]\]/g)?.length,
    embeds: text.match(/!\[\[/g)?.length,
  });
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  expect(vault.counts.links).toBe(prose.match(/\[\[[^\]\n]+\]\]|\]\([^)\n]+\)/g)?.length);
});

// Bounds are wide: 200 notes with a long tail of sizes vary from seed to seed.
const ranges: [string, number, number, number][] = [
  ['bytes a note', vault.counts.bytes / NOTES, 2_800, 4_600],
  ['links a note', vault.counts.links / NOTES, 7, 13],
  ['notes a folder', NOTES / vault.counts.folders, 40, 120],
];
test.each(ranges)('there are about as many %s as in real vaults', (_, value, low, high) => {
  expect(value).toBeGreaterThan(low);
  expect(value).toBeLessThan(high);
});

const features: [string, RegExp][] = [
  ['a link in a property', /^ {2}- "\[\[[^\]]+\]\]"$/m],
  ['an alias property', /^aliases:\n {2}- /m],
  ['a link with another text', /\[\[[^\]|]+\|[^\]]+\]\]/],
  ['a link to a heading', /\[\[[^\]|#]+#[^\]^]+\]\]/],
  ['a link to a block', /\[\[[^\]|#]+#\^b\w+\]\]/],
  ['a block id', / \^b\w+$/m],
  ['a Markdown link from the vault root', /\]\((?!\.\.)[^)]+%20[^)]+\.md\)/],
  ['a relative Markdown link', /\]\(\.\.\/[^)]+\.md\)/],
  ['an embedded picture', /!\[\[image-\d+\.png\|300\]\]/],
  ['an inline tag', / #\p{L}+/u],
  ['a nested tag', /^ {2}- \p{L}+\/\p{L}+/mu],
  ['a callout', /^> \[!note\] /m],
  ['a code fence', /^```js$/m],
  ['Chinese text', /\p{Script=Han}{8}/u],
  ['Russian text', /(\p{Script=Cyrillic}+ ){4}/u],
];
test.each(features)('some note has %s', (_, pattern) => {
  expect(text).toMatch(pattern);
});

test('a name stands in several folders', () => {
  const indexes = notes.filter(([path]) => path.endsWith('Index.md'));
  expect(indexes).toHaveLength(vault.counts.folders);
});

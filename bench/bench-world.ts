import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { type BodyWords, wordsOf } from './body-words.ts';

/** A search query, and the notes that contain its words; a right answer names one of them. */
export interface Query {
  readonly text: string;
  readonly paths: readonly string[];
}

/** What programs are asked about a vault, and what a right answer contains. Paths are relative. */
export interface World {
  readonly folder: string;
  readonly notes: number;
  readonly bytes: number;
  /** A note of median size, and a piece of its text. */
  readonly read: { readonly path: string; readonly piece: string };
  readonly queries: readonly Query[];
  /** A note whose name is not part of any other note's name. */
  readonly name: { readonly name: string; readonly path: string };
  /** A note that others link to, with its name before and after the rename. */
  readonly hub: readonly [Named, Named];
  readonly referrers: readonly string[];
  /** A tag of the linking notes. */
  readonly tag: string;
  readonly append: string;
}

interface Named {
  readonly name: string;
  readonly path: string;
}

const referrersCount = 100;
const place = 'Bench of the bench';
const hubNamed = (name: string): Named => ({ name, path: `${place}/${name}.md` });
const hub = [hubNamed('Hub of the bench'), hubNamed('Hub of another name')] as const;
const append = `${place}/Appended.md`;
const tag = 'benchtag';
const referrers = Array.from(
  { length: referrersCount },
  (_, n) => `${place}/${n % 10}/note ${n}.md`,
);

/** Adds the notes that the benchmark needs to a vault, and chooses what to ask about the others. */
export function prepareWorld(folder: string): World {
  const paths = notesIn(folder);
  const texts = paths.map((path) => readFileSync(join(folder, path), 'utf8'));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const bodies = texts.map((text, n) => wordsOf(paths[n] ?? '', text));
  // One of the peers accepts only folders that contain ".obsidian".
  mkdirSync(join(folder, '.obsidian'), { recursive: true });
  restoreWorld(folder);
  return {
    folder,
    notes: paths.length,
    bytes,
    read: readable(bodies),
    queries: queriesFor(bodies, texts),
    name: uniqueName(paths),
    hub,
    referrers,
    tag,
    append,
  };
}

/** Restores the notes that programs have changed, and removes files that they have left behind. */
export function restoreWorld(folder: string): void {
  rmSync(join(folder, place), { recursive: true, force: true });
  rmSync(join(folder, '.obsidian-mcp'), { recursive: true, force: true });
  for (let n = 0; n < 10; n++) mkdirSync(join(folder, place, String(n)), { recursive: true });
  const text = 'Some text about what belongs to it, and more of it.\n\n'.repeat(40);
  const head = `# A note\n\n#${tag}\n\nThis is about [[${hub[0].name}]].\n\n`;
  for (const path of referrers) writeFileSync(join(folder, path), head + text);
  writeFileSync(join(folder, hub[0].path), `# ${hub[0].name}\n\nWhat others refer to.\n`);
  writeFileSync(join(folder, append), '# Appended\n');
}

function notesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((name) => name.startsWith('.')))
    .sort();
}

function readable(bodies: readonly BodyWords[]): World['read'] {
  const found = [...bodies].sort((a, b) => a.chars - b.chars).slice(bodies.length >> 1);
  for (const { path, pieces } of found) {
    const [piece] = pieces;
    if (piece !== undefined) return { path, piece: piece.join(' ') };
  }
  throw new Error('No note of this vault has two plain words after each other.');
}

/** Four queries: two rare words, a word that some notes have, and two words after each other. */
function queriesFor(bodies: readonly BodyWords[], texts: readonly string[]): readonly Query[] {
  const counts = new Map<string, number>();
  for (const { words } of bodies) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const nearest = (count: number, turn: number): string => {
    const away = (word: string): number => Math.abs((counts.get(word) ?? 0) - count);
    const sorted = [...counts.keys()].sort((a, b) => away(a) - away(b) || (a < b ? -1 : 1));
    return sorted[turn] ?? '';
  };
  const piece =
    bodies[Math.floor(bodies.length / 3)]?.pieces[0] ?? readable(bodies).piece.split(' ');
  const queries = [nearest(2, 0), nearest(2, 3), nearest(bodies.length / 100, 0), piece.join(' ')];
  const folded = texts.map((text) => text.toLowerCase());
  return queries.map((text) => ({
    text,
    paths: bodies
      .filter((_, n) => text.split(' ').every((word) => folded[n]?.includes(word)))
      .map(({ path }) => path),
  }));
}

function uniqueName(paths: readonly string[]): World['name'] {
  const names = paths.map((path) => basename(path, '.md').toLowerCase());
  const all = `\n${names.join('\n')}\n`;
  const from = Math.floor(paths.length / 2);
  for (const [n, name] of [...names.entries()].slice(from).concat([...names.entries()])) {
    const isPlain = /^[a-z]+[ a-z]{6,30}[a-z]$/.test(name);
    if (isPlain && all.indexOf(name) === all.lastIndexOf(name)) {
      return { name: basename(paths[n] ?? '', '.md'), path: paths[n] ?? '' };
    }
  }
  throw new Error('No note of this vault has a plain name that is not part of another name.');
}

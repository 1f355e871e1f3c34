import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PlannedNote, pathOf, planNotes } from './plan-notes.ts';
import { type Random, seededRandom } from './random.ts';
import { makeVocabulary, type Script, vocabularySize } from './vocabulary.ts';
import { type Counts, noteText } from './write-note.ts';

/** How much was written. Benchmarks print the sizes, and tests check the totals. */
export interface GeneratedVault extends Counts {
  notes: number;
  /** The bytes of all notes together. */
  bytes: number;
  folders: number;
  canvases: number;
  attachments: number;
}

const NOTES_PER_ATTACHMENT = 50;
const NOTES_PER_CANVAS = 400;
/** The smallest PNG: one transparent pixel. It serves for all attachments, which are never read. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/**
 * Writes a generated vault into `folder`, which should be empty or missing. The same options give
 * the same bytes. A note has on average 3.7 KB and ten links. Takes a third of a millisecond per
 * note, most of it for creating the file.
 */
export function generateVault(
  folder: string,
  options: { notes: number; seed?: number },
): GeneratedVault {
  const seed = options.seed ?? 1;
  const random = seededRandom(seed);
  const words: Record<Script, string[]> = {
    latin: makeVocabulary('latin', vocabularySize(options.notes), random),
    cyrillic: makeVocabulary('cyrillic', vocabularySize(options.notes / 25), random),
    han: makeVocabulary('han', vocabularySize(options.notes / 25), random),
  };
  const notes = planNotes(options.notes, words, random);
  const tags = makeTags(words.latin, options.notes, random);
  const attachments = Array.from(
    { length: Math.ceil(options.notes / NOTES_PER_ATTACHMENT) },
    (_, index) => `image-${String(index + 1).padStart(4, '0')}.png`,
  );
  const counts: Counts = { links: 0, embeds: 0, unresolved: 0, tags: 0, tasks: 0 };

  const folders = new Set(notes.map((note) => note.folder));
  for (const path of [...folders, 'Attachments', '.obsidian']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, '.obsidian', 'app.json'), '{\n  "alwaysUpdateLinks": true\n}');
  for (const name of attachments) {
    writeFileSync(join(folder, 'Attachments', name), Buffer.from(PIXEL, 'base64'));
  }
  let bytes = 0;
  for (const [index, note] of notes.entries()) {
    const text = noteText({
      note,
      // Each note has its own sequence of random numbers, so a change to one leaves the others
      // alone.
      random: seededRandom(Math.imul(seed, 0x9e3779b1) + index),
      words: words[note.script],
      known: Math.min(words[note.script].length, vocabularySize(index)),
      tags,
      notes,
      attachments,
      counts,
    });
    const content = Buffer.from(text);
    bytes += content.length;
    writeFileSync(join(folder, pathOf(note)), content);
  }
  const canvases = Math.ceil(options.notes / NOTES_PER_CANVAS);
  for (let number = 1; number <= canvases; number += 1) {
    const place = random.pick(notes).folder;
    writeFileSync(join(folder, place, `Board ${number}.canvas`), canvasText(notes, random));
  }
  return {
    notes: notes.length,
    bytes,
    ...counts,
    folders: folders.size,
    canvases,
    attachments: attachments.length,
  };
}

/** Generates a vault from the command line: `--notes 1000 [--seed 1] [--folder path]`. */
export function main(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      notes: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      folder: { type: 'string' },
    },
  });
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vaultdoor-generated-'));
  mkdirSync(dirname(folder), { recursive: true });
  const started = performance.now();
  const vault = generateVault(folder, { notes: Number(values.notes), seed: Number(values.seed) });
  const seconds = Math.round(performance.now() - started) / 1000;
  process.stdout.write(`${JSON.stringify({ folder, seconds, ...vault }, null, 2)}\n`);
}

function makeTags(words: readonly string[], notes: number, random: Random): string[] {
  const tags: string[] = [];
  const count = Math.round(20 + 2 * Math.sqrt(notes));
  for (let index = 0; index < count; index += 1) {
    const name = random.pick(words);
    // Every third tag is nested under an earlier tag.
    tags.push(index % 3 === 2 ? `${random.pick(tags)}/${name}` : name);
  }
  return tags;
}

// Formatted as the app writes a canvas: tabs, one compact object per line, no newline at the end.
function canvasText(notes: readonly PlannedNote[], random: Random): string {
  const place = (index: number) => ({ x: index * 420, y: 0, width: 400, height: 400 });
  const nodes: object[] = Array.from({ length: 6 }, (_, index) => ({
    id: `file${index}`,
    type: 'file',
    file: pathOf(random.pick(notes)),
    ...place(index),
  }));
  nodes.push({ id: 'card', type: 'text', text: `See [[${random.pick(notes).name}]]`, ...place(6) });
  const edges = [{ id: 'edge', fromNode: 'file0', toNode: 'card' }];
  const lines = (rows: object[]) => rows.map((row) => `\t\t${JSON.stringify(row)}`).join(',\n');
  return `{\n\t"nodes":[\n${lines(nodes)}\n\t],\n\t"edges":[\n${lines(edges)}\n\t]\n}`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unpackVault } from '../../test/support/unpack-vaults.ts';
import type { Random } from '../random.ts';
import { seededRandom } from '../random.ts';

// Draws the notes that queries are written for, so that nobody chooses notes that are easy to find:
// `node scripts/run-ts.mjs bench/quality/draw-notes.ts --seed 2501 --each 24`. The same seed draws the
// same notes. For each note it prints a path, how long the query has to be, and two pieces of its text.
//
// --seed     2501 drew the notes of the folder `untuned`; 7, with 18 of each vault, the notes of the
//            last queries in the folder `tuned`
// --each     how many notes of each vault

/** The vaults of other people. */
const vaults = [
  'astrowiki',
  'blue-book',
  'garden',
  'kepano',
  'knowledge-garden-zh',
  'tasks-demo',
] as const;

/** A shorter note says too little to ask for. */
const bytesMin = 300;
/** A third of the queries is this long each. */
const lengths = ['one or two words', 'three to five words', 'six words and more'] as const;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '2501' },
      each: { type: 'string', default: '24' },
    },
  });
  const random = seededRandom(Number(values.seed));
  for (const vault of vaults) {
    const folder = await unpackVault(vault);
    const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !/(^|\/)\./.test(path))
      .sort()
      .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
      .filter(({ text }) => Buffer.byteLength(text) >= bytesMin);
    console.log(`\n##### ${vault}: ${texts.length} notes`);
    for (let drawn = 0; drawn < Number(values.each) && texts.length > 0; drawn++) {
      const [note] = texts.splice(random.between(0, texts.length - 1), 1);
      if (note === undefined) break;
      console.log(`\n=== ${note.path}\n--- ${lengths[drawn % lengths.length]}`);
      console.log(pieces(note.text, random));
    }
  }
}

/** The beginning of a text and a piece from somewhere in it, without empty lines. */
function pieces(text: string, random: Random): string {
  const plain = text.replace(/\n\s*\n+/g, '\n');
  const start = random.between(0, Math.max(0, plain.length - 600));
  return plain.length <= 1_100
    ? plain
    : `${plain.slice(0, 500)}\n[…]\n${plain.slice(start, start + 600)}`;
}

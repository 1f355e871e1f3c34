import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf } from '../src/engine/text/scan-file.ts';

/** The time to read and parse all notes of a folder once, in one thread that has just started. */
export function measureParse(folder: string): number {
  const began = performance.now();
  let links = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue;
    links += factsOf('note', readFileSync(join(folder, name), 'utf8')).links.length;
  }
  if (links === 0) throw new Error('The notes have no links.');
  return performance.now() - began;
}

export function main([folder = '']: readonly string[]): void {
  console.log(JSON.stringify({ parseMs: measureParse(folder) }));
}

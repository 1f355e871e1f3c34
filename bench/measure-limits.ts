import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What no program can beat: the time to read all notes, and the time to `stat` all files. */
export interface Limits {
  readonly readMs: number;
  readonly walkMs: number;
  readonly files: number;
}

/**
 * Measures a folder three times and returns the best times, because other work only slows it down.
 */
export function measureLimits(folder: string): Limits {
  const rounds = Array.from({ length: 3 }, () => {
    const walkStart = performance.now();
    const files = walk(folder);
    const walkMs = performance.now() - walkStart;
    const readStart = performance.now();
    let characters = 0;
    for (const file of files)
      if (file.endsWith('.md')) characters += readFileSync(file, 'utf8').length;
    if (characters === 0) throw new Error('The folder has no text to read.');
    return { readMs: performance.now() - readStart, walkMs, files: files.length };
  });
  return {
    readMs: Math.min(...rounds.map((round) => round.readMs)),
    walkMs: Math.min(...rounds.map((round) => round.walkMs)),
    files: rounds[0]?.files ?? 0,
  };
}

function walk(folder: string): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...walk(path));
    else if (statSync(path, { bigint: true }).isFile()) files.push(path);
  }
  return files;
}

export function main([folder = '']: readonly string[]): void {
  console.log(JSON.stringify(measureLimits(folder)));
}

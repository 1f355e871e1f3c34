import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Promised {
  readonly number: string;
  readonly text: string;
  /** The files and folders of tests that hold it. */
  readonly heldBy: readonly string[];
}

const table = /^## Promises\n([\s\S]*?)^## /m.exec(read('ARCHITECTURE.md'))?.[1] ?? '';
const promises: readonly Promised[] = Array.from(
  table.matchAll(/^\| (\d+) \| (.*) \| (.*) \|$/gm),
  ([, number = '', text = '', held = '']) => ({
    number,
    text: /\*\*(.*?)\*\*/.exec(text)?.[1] ?? text,
    heldBy: testsIn(held),
  }),
);

/** The tests that a cell names; a file without a folder is in the folder of the one before. */
function testsIn(cell: string): string[] {
  const found: string[] = [];
  for (const [, name = ''] of cell.matchAll(/`([^` ]+)`/g)) {
    found.push(name.includes('/') ? name : join(dirname(found.at(-1) ?? '.'), name));
  }
  return found;
}

/** Whether `npm test` runs tests of this file or folder. */
function isRun(path: string): boolean {
  if (path.startsWith('test/corpora')) return false;
  if (!statSync(join(root, path)).isDirectory()) return path.endsWith('.test.ts');
  const files = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
  return files.some((file) => file.endsWith('.test.ts'));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

describe('the promises of ARCHITECTURE.md', () => {
  it('are found', () => {
    expect(promises.map(({ number }) => Number(number))).toEqual(promises.map((_, n) => n + 1));
    expect(promises.length).toBeGreaterThan(10);
  });

  it.each(promises)('$number, "$text" is held by tests that `npm test` runs', ({ heldBy }) => {
    expect(heldBy.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(heldBy.filter(isRun)).not.toEqual([]);
  });
});

it('counts are said in the files of tests, where `--mode rest` looks for them', () => {
  const folder = join(root, 'test');
  const shared = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const wrong = shared.filter((file) => /from '.*\/counts\.ts'/.test(read(join('test', file))));
  expect(wrong).toEqual([]);
});

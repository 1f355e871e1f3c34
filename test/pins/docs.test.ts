import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repositoryFiles } from '../../scripts/map/import-graph.ts';
import { readWalls } from '../../scripts/map/read-walls.ts';
import { filledDocument, filledDocuments, toolsDocument } from '../../scripts/write-docs.ts';

function document(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

describe('"npm run docs" has written', () => {
  it('docs/tools.md as the definitions say', () => {
    expect(document('docs/tools.md')).toBe(toolsDocument());
  });

  it.each(filledDocuments)('the generated pieces of %s', (name) => {
    expect(document(name)).toBe(filledDocument(document(name)));
  });

  it('every room into docs/rooms.svg', () => {
    const map = document('docs/rooms.svg');
    expect(Array.from(readWalls().keys()).filter((room) => !map.includes(`${room}:`))).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  it('has one row for every room, in the order of test/walls.txt', () => {
    const rows = Array.from(
      document('ARCHITECTURE.md').matchAll(/^\| `([\w/-]+)` \| [A-Z`].*\. \|$/gm),
      (match) => match[1],
    );
    expect(rows).toEqual(Array.from(readWalls().keys()));
  });

  it('is what a newcomer reads in fifteen minutes: under 20 kB', () => {
    expect(Buffer.byteLength(document('ARCHITECTURE.md'))).toBeLessThan(20_000);
  });
});

it('documents name only files that exist', () => {
  const files = repositoryFiles();
  const names = new Set(files.flatMap((file) => [file, file.split('/').at(-1) ?? '']));
  const documents = files.filter(
    (file) => /^(ARCHITECTURE|CONTRIBUTING|docs\/.*)\.md$/.test(file) || /^[A-Z]+\.md$/.test(file),
  );
  const missing = documents
    .filter((file) => file !== 'CHANGELOG.md')
    .flatMap((file) =>
      Array.from(
        document(file).matchAll(/`([\w./-]+\.(?:ts|mjs|cjs))`/g),
        (match) => match[1] ?? '',
      )
        .filter((name) => !names.has(name) && !files.some((each) => each.endsWith(`/${name}`)))
        .map((name) => `${file}: ${name}`),
    );
  expect(missing).toEqual([]);
});

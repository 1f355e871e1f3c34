import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryFiles } from '../../scripts/map/import-graph.ts';

const root = new URL('../../', import.meta.url);
const documents = repositoryFiles().filter((file) => /^([A-Z]+|docs\/.*)\.md$/.test(file));
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** The text of a document without its code, in which brackets are no links. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^( *)```.*?^\1```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length));
}

/** The anchors of a document, as GitHub makes them of its headings. */
function anchorsOf(file: string): ReadonlySet<string> {
  const text = textOf(file).replaceAll(/^( *)```.*?^\1```$/gms, '');
  const seen = new Map<string, number>();
  const anchors = Array.from(text.matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
  return new Set(anchors);
}

/** The links of a document, to other files and to headings, and its pictures. */
function linksOf(file: string): string[] {
  const text = withoutCode(textOf(file));
  const links = Array.from(text.matchAll(/\]\(<?([^)>\s]+)>?\)/g), ([, to = '']) => to);
  const sources = Array.from(
    text.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g),
    ([, to = '']) => to,
  );
  return [...links, ...sources].filter((to) => !/^[a-z]+:/.test(to));
}

it('every link of the documents leads to a file and a heading that exist', () => {
  let count = 0;
  const wrong = documents.flatMap((file) =>
    linksOf(file)
      .filter((to) => {
        count++;
        const [path = '', anchor] = decodeURI(to).split('#');
        const target = path === '' ? file : posix.join(posix.dirname(file), path);
        if (!existsSync(new URL(encodeURI(target), root))) return true;
        return anchor !== undefined && !anchorsOf(target).has(anchor);
      })
      .map((to) => `${file}: ${to}`),
  );
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

it('every page of docs can be reached from the start page, README.md', () => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file) || !documents.includes(file)) return;
    reached.add(file);
    for (const to of linksOf(file)) {
      const [path = ''] = to.split('#');
      if (path !== '') visit(posix.join(posix.dirname(file), path));
    }
  };
  visit('README.md');
  expect(documents.filter((file) => !reached.has(file))).toEqual([]);
});

it('README.md is short', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(110);
});

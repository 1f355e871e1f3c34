import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileNameOf, foldName, pathKey } from '../../base/vault-path.ts';
import type { Link } from '../../markdown/facts/facts.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { linksOf } from '../links/link-style.ts';
import type { ByName } from '../links/resolve-link.ts';
import { resolveLink } from '../links/resolve-link.ts';
import { encodeDestination, withoutMd, writeLink } from '../links/write-link.ts';
import { fileKind } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';
import { namesAfter, rewriteLinks } from './rewrite-links.ts';

const names = [
  'Note.md',
  'note 2.md',
  'Caf\u00e9.md',
  'Cafe\u0301 b.md',
  'p(q.md',
  'x%20y.md',
  '100%.md',
  'Report.pdf',
  'Report.pdf.md',
  "Bob's.md",
  'A&amp;B.md',
  '$& $1.md',
  'ΟΔΟΣ.md',
  'a_b`c.md',
  'pic.png',
  'no extension',
  'board.canvas',
];
const folders = ['', 'A/', 'A/B/', 'a b/', 'Zoe\u0308/', 'C/A/', 'q%41/'];
/** Made on platforms that allow them: links with them cannot always be written. */
const oddFolders = ['re: x/', 'x]/', '[y/', 'a|b/', '<z>/', 'q"r/', 'e#f/', 'w\u00a0s/'];

/** How a link may name its target, right or wrong. */
const pathTexts: readonly ((source: string, target: string) => string)[] = [
  (_, target) => withoutMd(fileNameOf(target)),
  (_, target) => fileNameOf(target),
  (_, target) => withoutMd(target),
  (_, target) => target,
  (_, target) => `/${target}`,
  (source, target) => posix.relative(posix.dirname(source), target),
  (source, target) => `./${withoutMd(posix.relative(posix.dirname(source), target))}`,
  (_, target) => target.split('/').slice(-2).join('/'),
  (_, target) => withoutMd(target).toUpperCase(),
];

/** How a link may be written, in a note. */
const forms: readonly ((path: string, name: string) => string)[] = [
  (path) => `[[${path}]]`,
  (path) => `![[${path}#h|100]]`,
  (path, name) => `[[ ${path} |${name}]]`,
  (path) => `[t](${encodeDestination(path)} "x")`,
  (path, name) => `[${name}](${encodeDestination(path)}#a%20b)`,
  (path) => `![](<${path.replaceAll('%', '%25').replaceAll('&', '%26')}>)`,
  (path, name) => `\n\n[${name}]: ${encodeDestination(path)}\n\n`,
  (path) => `\n\n| a |\n|---|\n| [[${path}\\|x]] |\n\n`,
  (path) => `\`[[${path}]]\` %% [[${path}]] %%`,
];

interface Vault {
  readonly files: readonly string[];
  readonly source: string;
  readonly text: string;
  readonly moves: ReadonlyMap<string, string>;
  readonly format: 'shortest' | 'relative' | 'absolute';
}

function anyVault(places: readonly string[]): fc.Arbitrary<Vault> {
  const path = fc
    .tuple(fc.constantFrom(...places), fc.constantFrom(...names))
    .map(([folder, name]) => folder + name);
  const link = fc.record({
    target: fc.nat(),
    path: fc.constantFrom(...pathTexts),
    form: fc.constantFrom(...forms),
    property: fc.boolean(),
  });
  return fc
    .record({
      files: fc.uniqueArray(path, { minLength: 2, maxLength: 9, selector: pathKey }),
      links: fc.array(link, { minLength: 1, maxLength: 8 }),
      moved: fc.nat(),
      to: path,
      folder: fc.option(fc.tuple(fc.constantFrom(...places), fc.constantFrom('New/', 'A/New/'))),
      canvas: fc.boolean(),
      format: fc.constantFrom('shortest', 'relative', 'absolute'),
    })
    .map(({ files, links, moved, to, folder, canvas, format }): Vault => {
      const source = files.find((file) => fileKind(file) === (canvas ? 'canvas' : 'note')) ?? '';
      const written = links.map((link) => {
        const target = files[link.target % files.length] ?? '';
        return { ...link, path: link.path(source, target), name: withoutMd(fileNameOf(target)) };
      });
      const body = written.map(({ form, path, name }) => form(path, name)).join(' and ');
      const strings = written.filter(({ property }) => property).map(({ path }) => `[[${path}]]`);
      const text = canvas
        ? canvasOf(
            body,
            written.map(({ path }) => path),
          )
        : `---\nl: ${JSON.stringify(strings)}\ns: '${(strings[0] ?? '').replaceAll("'", "''")}'\n---\n${body}`;
      return { files, source, text, moves: movesOf(files, { moved, to, folder }), format };
    })
    .filter(({ source, moves }) => source !== '' && moves.size > 0);
}

function canvasOf(text: string, paths: readonly string[]): string {
  const nodes = [{ type: 'text', text }, ...paths.map((file) => ({ type: 'file', file }))];
  return JSON.stringify({ nodes });
}

/** A file or a folder that goes to where nothing is. */
function movesOf(
  files: readonly string[],
  { moved, to, folder }: { moved: number; to: string; folder: readonly [string, string] | null },
): ReadonlyMap<string, string> {
  const taken = new Set(files.map(pathKey));
  const isFree = (path: string, from: string) =>
    path !== from && (!taken.has(pathKey(path)) || pathKey(path) === pathKey(from));
  if (folder !== null && folder[0] !== '' && !folder[1].startsWith(folder[0])) {
    const [from, into] = folder;
    const inside = files.filter((file) => file.startsWith(from));
    return new Map(inside.map((file) => [file, into + file.slice(from.length)]));
  }
  const from = files[moved % files.length] ?? '';
  return new Map(isFree(to, from) ? [[from, to]] : []);
}

function byNameOf(files: readonly string[]): ByName {
  const sorted = files.toSorted();
  return (name) =>
    sorted.filter((path) => foldName(fileNameOf(path)) === name).map((path) => ({ path }));
}

function rewrite({ files, source, text, moves, format }: Vault) {
  const before = byNameOf(files);
  const after = namesAfter(before, moves);
  const kind = fileKind(source);
  const facts = factsOf(kind, text);
  const moving = [...moves.keys(), ...moves.values()];
  const found = rewriteLinks(
    { path: source, text, facts },
    {
      moves,
      names: new Set(moving.map((path) => foldName(fileNameOf(path)))),
      before,
      after,
      settings: { newLinkFormat: format },
    },
  );
  const at = moves.get(source) ?? source;
  const target = (link: Link, from: string, byName: ByName) =>
    link.path === '' ? from : resolveLink({ path: link.path, source: from }, byName)?.path;
  const targets = linksOf(facts).map((link) => target(link, source, before));
  return { found, before: linksOf(facts), targets, after, at, kind, target };
}

/** A text without the paths and the display texts of its links. */
function around(text: string, links: readonly Link[]): string {
  const ranges = links.flatMap((link) => [link.pathRange, link.displayRange ?? link.pathRange]);
  const unique = new Map(ranges.map((range) => [`${range.start}-${range.end}`, range]));
  return applyEdits(
    text,
    Array.from(unique.values(), (range) => ({ range, text: '…' })),
  );
}

function check(vault: Vault): void {
  const { found, before, targets, after, at, kind, target } = rewrite(vault);
  if (found === undefined) return;
  const text = applyEdits(vault.text, found.edits);
  const links = linksOf(factsOf(kind, text));
  expect(links.map((link) => link.subpath)).toEqual(before.map((link) => link.subpath));
  expect(around(text, links)).toBe(around(vault.text, before));
  targets.forEach((was, index) => {
    const link = links[index];
    if (was === undefined || link === undefined) return;
    expect(target(link, at, after)).toBe(vault.moves.get(was) ?? was);
  });
}

/**
 * Writes links to the file that moves as the app would write them, moves the file and moves it
 * back. Many of the moves are to a name that another file has: there are few names.
 */
function thereAndBack({ files, source, moves, format }: Vault): void {
  const target = Array.from(moves.keys())[0] ?? '';
  const name = withoutMd(fileNameOf(target));
  const byName = byNameOf(files);
  const texts = [{}, { display: 'other' }, { display: name }].flatMap((shown) =>
    [false, true].flatMap((embed) =>
      [false, true].map((useMarkdownLinks) =>
        writeLink(
          { source, target, subpath: '#h', embed, ...shown },
          { newLinkFormat: format, useMarkdownLinks },
          byName,
        ),
      ),
    ),
  );
  const text = texts.join(' and ');
  const there = textAfter({ files, source, text, moves, format });
  const back = new Map(Array.from(moves, ([from, to]) => [to, from]));
  const moved = files.map((file) => moves.get(file) ?? file);
  const at = moves.get(source) ?? source;
  expect(textAfter({ files: moved, source: at, text: there, moves: back, format })).toBe(text);
}

function textAfter(vault: Vault): string {
  const { found } = rewrite(vault);
  return applyEdits(vault.text, found?.edits ?? []);
}

describe('after any move', () => {
  it('every link keeps its target, and all bytes but its path and name', () => {
    fc.assert(
      fc.property(anyVault(folders), (vault) => {
        expect(rewrite(vault).found).toBeDefined();
        check(vault);
      }),
      { numRuns: 500 },
    );
  });

  it('among names that links cannot always hold, the same is true or nothing is answered', () => {
    fc.assert(fc.property(anyVault([...folders, ...oddFolders]), check), { numRuns: 500 });
  });

  it("a rename to a taken name and back leaves links of the vault's format as they were", () => {
    fc.assert(fc.property(anyVault(folders), thereAndBack), { numRuns: 500 });
  });
});

import { expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { linksOf } from '../links/link-style.ts';
import { fileKind } from '../ports/file-kind.ts';
import { factsOf } from '../text/scan-file.ts';
import { rewriteSubpaths } from './rewrite-subpaths.ts';

/** A file after every `#View` and `#Old part` in it became another subpath. */
function after(path: string, text: string, subpath: string): string {
  const links = linksOf(factsOf(fileKind(path), text));
  const file = { path: vaultPath(path), text, all: links, links };
  const isOld = (written: string) => /^#(?:view|old part)$/i.test(written);
  const edits = rewriteSubpaths(file, (link) => (isOld(link.subpath) ? subpath : undefined));
  return edits === undefined ? 'refused' : applyEdits(text, edits);
}

it.each([
  [
    'R25: embeds of a view',
    'n.md',
    '![[x.base#View]] [[x.base#View|v]]',
    '![[x.base#N "1"]] [[x.base#N "1"|v]]',
  ],
  [
    'links with blanks and an empty alias',
    'n.md',
    '[[ a#View ]] [[a#View |]]',
    '[[ a#N "1" ]] [[a#N "1" |]]',
  ],
  ['brackets and quotes beside it', 'n.md', `[[it's "a" ]b#View]]`, `[[it's "a" ]b#N "1"]]`],
  [
    'destinations',
    'n.md',
    '[x](a#View) [y](a.md#View "t") [z](<a#Old part>)',
    '[x](a#N%20"1") [y](a.md#N%20"1" "t") [z](<a#N "1">)',
  ],
  [
    'an encoded subpath',
    'n.md',
    '[x](a#Old%20part) [y](a%23View)',
    '[x](a#N%20"1") [y](a#N%20"1")',
  ],
  [
    'a definition',
    'n.md',
    '[x]: a.md#View\n[y]: a.md#View "t"\n',
    '[x]: a.md#N%20"1"\n[y]: a.md#N%20"1" "t"\n',
  ],
  ['a table', 'n.md', '| a |\n|---|\n| [[a#View\\|x]] |\n', '| a |\n|---|\n| [[a#N "1"\\|x]] |\n'],
  [
    'properties',
    'n.md',
    '---\na: "[[a#View]]"\nb: \'[[a#View|x]]\'\n---\n',
    '---\na: "[[a#N \\"1\\"]]"\nb: \'[[a#N "1"|x]]\'\n---\n',
  ],
  [
    'a base',
    'b.base',
    'f: "[[a#View]]"\ng: \'link("a#View")\'\n',
    'f: "[[a#N 1]]"\ng: \'link("a#N 1")\'\n',
  ],
  [
    'a canvas',
    'c.canvas',
    '{"nodes":[{"type":"file","file":"a.md","subpath":"#View"},{"type":"text","text":"[[a#View]]\\n[x](a#View\\n\\"t\\")"}]}',
    '{"nodes":[{"type":"file","file":"a.md","subpath":"#N 1"},{"type":"text","text":"[[a#N 1]]\\n[x](a#N%201\\n\\"t\\")"}]}',
  ],
  ['others', 'n.md', '[[a#Other]] [[a]] `[[a#View]]`', '[[a#Other]] [[a]] `[[a#View]]`'],
])('%s', (_, path, text, expected) => {
  expect(after(path, text, path === 'n.md' ? '#N "1"' : '#N 1')).toBe(expected);
});

it('leaves out signs where they would break a link', () => {
  expect(after('n.md', '[[a#View]] [[a#View|x]]', '#N [1]')).toBe('[[a#N 1]] [[a#N 1|x]]');
});

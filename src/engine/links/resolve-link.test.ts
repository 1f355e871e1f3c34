import { describe, expect, it } from 'vitest';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import {
  isTied,
  linkSegment,
  resolveAnywhere,
  resolveLink,
  unresolvedName,
} from './resolve-link.ts';

/** Resolves a link in a vault that is just a list of paths. */
function resolve(files: readonly string[], link: string, source: string): string | undefined {
  const candidates = [...files].sort().map((path) => ({ path }));
  return resolveLink({ path: link, source }, (name) =>
    candidates.filter((file) => foldName(fileNameOf(file.path)) === name),
  )?.path;
}

describe('resolveLink', () => {
  const rows: readonly {
    id: string;
    files: readonly string[];
    source: string;
    link: string;
    target: string | undefined;
  }[] = [
    {
      id: 'L01: a name that only one file has resolves from anywhere',
      files: ['Sub/Deep/Note.md', 'a.md'],
      source: 'a.md',
      link: 'Note',
      target: 'Sub/Deep/Note.md',
    },
    {
      id: 'L02: case does not matter',
      files: ['Test Data/link_in_yaml.md'],
      source: 'a.md',
      link: 'liNk_in_YaMl',
      target: 'Test Data/link_in_yaml.md',
    },
    {
      id: 'L03: .md may be written',
      files: ['Test Data/link_in_task_wikilink.md'],
      source: 'a.md',
      link: 'link_in_task_wikilink.md',
      target: 'Test Data/link_in_task_wikilink.md',
    },
    {
      id: 'L04: a path resolves',
      files: ['Test Data/n.md', 'n.md'],
      source: 'a.md',
      link: 'Test Data/n',
      target: 'Test Data/n.md',
    },
    {
      id: 'L11: an empty path is the source itself',
      files: ['A/n.md', 'n.md'],
      source: 'A/n.md',
      link: '',
      target: 'A/n.md',
    },
    {
      id: 'L18: an attachment resolves by its name',
      files: ['Test Attachments/a_pdf_file.pdf'],
      source: 'x/y.md',
      link: 'a_pdf_file.pdf',
      target: 'Test Attachments/a_pdf_file.pdf',
    },
    {
      id: 'L19: an attachment needs its extension',
      files: ['Figure 1.png'],
      source: 'a.md',
      link: 'Figure 1',
      target: undefined,
    },
    {
      id: 'L32: an exact vault path beats the same folder',
      files: ['Note.md', 'A/Note.md'],
      source: 'A/src.md',
      link: 'Note',
      target: 'Note.md',
    },
    {
      id: 'L33: under the source folder first',
      files: ['A/Note.md', 'B/Note.md'],
      source: 'B/src.md',
      link: 'Note',
      target: 'B/Note.md',
    },
    {
      id: 'L34: descendants of the source folder count as under it',
      files: ['A/x/y/Note.md', 'B/Note.md'],
      source: 'A/src.md',
      link: 'Note',
      target: 'A/x/y/Note.md',
    },
    {
      id: 'L35: the shortest path otherwise',
      files: ['A/Note.md', 'Bee/Long/Note.md'],
      source: 'Z/src.md',
      link: 'Note',
      target: 'A/Note.md',
    },
    {
      id: 'L36: ties are settled by path order',
      files: ['Bb/Note.md', 'Aa/Note.md'],
      source: 'Z/src.md',
      link: 'Note',
      target: 'Aa/Note.md',
    },
    {
      id: 'L37: the end of a path is enough',
      files: ['B/Deep/Note.md', 'C/Note.md'],
      source: 'Z/src.md',
      link: 'Deep/Note',
      target: 'B/Deep/Note.md',
    },
    {
      id: 'L37: … at a name boundary only',
      files: ['folder/Note.md', 'C/Note.md'],
      source: 'Z/src.md',
      link: 'older/Note',
      target: undefined,
    },
    {
      id: 'L38: a wrong folder is unresolved',
      files: ['B/Note.md'],
      source: 'a.md',
      link: 'wrong/Note',
      target: undefined,
    },
    {
      id: 'L39: a leading slash means the root only',
      files: ['A/Note.md'],
      source: 'a.md',
      link: '/Note',
      target: undefined,
    },
    {
      id: 'L39: … and finds what is there',
      files: ['A/Note.md', 'Note.md'],
      source: 'A/a.md',
      link: '/Note',
      target: 'Note.md',
    },
    {
      id: 'L40: relative to the source folder',
      files: ['A/Note.md', 'Note.md'],
      source: 'A/s/src.md',
      link: '../Note',
      target: 'A/Note.md',
    },
    {
      id: 'L40: … with extension',
      files: ['A/Note.md'],
      source: 'A/s/src.md',
      link: '../Note.md',
      target: 'A/Note.md',
    },
    {
      id: 'L40: … the folder itself',
      files: ['A/Note.md', 'Note.md'],
      source: 'A/src.md',
      link: './Note',
      target: 'A/Note.md',
    },
    {
      id: 'L40: … never above the vault',
      files: ['Note.md', 'A/Note.md'],
      source: 'A/src.md',
      link: '../../Note',
      target: undefined,
    },
    {
      id: 'L41: a dot in the name is no extension',
      files: ['Note v1.2.md'],
      source: 'a.md',
      link: 'Note v1.2',
      target: 'Note v1.2.md',
    },
    {
      id: 'L42: the literal file name wins',
      files: ['Report.pdf', 'Report.pdf.md'],
      source: 'a.md',
      link: 'Report.pdf',
      target: 'Report.pdf',
    },
    {
      id: 'L43: final sigma',
      files: ['ΟΔΟΣ.md'],
      source: 'a.md',
      link: 'ΟΔΟΣ',
      target: 'ΟΔΟΣ.md',
    },
    {
      id: 'L44: another Unicode form',
      files: ['жизненныи\u0306 цикл.md'],
      source: 'a.md',
      link: 'жизненный цикл',
      target: 'жизненныи\u0306 цикл.md',
    },
    {
      id: 'L45: a no-break space is a space',
      files: ['a\u00a0b.md'],
      source: 'x.md',
      link: 'a b',
      target: 'a\u00a0b.md',
    },
    {
      id: 'L46: an alias never resolves',
      files: ['Artificial intelligence.md'],
      source: 'a.md',
      link: 'AI',
      target: undefined,
    },
    {
      id: 'L49: the target is trimmed',
      files: ['Note.md'],
      source: 'a.md',
      link: ' Note ',
      target: 'Note.md',
    },
  ];
  it.each(rows)('$id', ({ files, source, link, target }) => {
    expect(resolve(files, link, source)).toBe(target);
  });
});

describe('resolveAnywhere', () => {
  const files = ['Note.md', 'A/Note.md', 'A/B/Note.md', 'A/only.md', 'B/twice.md', 'C/twice.md'];
  const links = [
    'Note',
    'A/Note',
    'B/Note',
    'only',
    'A/only',
    'x/only',
    '/only',
    '/A/only',
    'twice',
  ];
  const odd = ['./only', '../only', '', ' ', 'ghost', 'A/', '/', 'C/twice', 'TWICE.md'];

  it('says what every source says, or nothing', () => {
    const candidates = files.map((path) => ({ path }));
    const byName = (name: string) =>
      candidates.filter((file) => foldName(fileNameOf(file.path)) === name);
    const settled = [...links, ...odd].flatMap((link) => {
      const answer = resolveAnywhere(link, byName);
      if (answer === undefined) return [];
      for (const source of [...files, 'root.md', 'C/D/x.md']) {
        expect(resolveLink({ path: link, source }, byName), `${link} from ${source}`).toBe(
          answer.target,
        );
      }
      return [link];
    });
    expect(settled).toEqual([
      'Note',
      'A/Note',
      'only',
      'A/only',
      'x/only',
      '/only',
      '/A/only',
      'ghost',
      'A/',
      '/',
      'C/twice',
    ]);
  });
});

describe('unresolvedName', () => {
  it('L55: keeps the case and drops .md', () => {
    expect([unresolvedName('Foo Bar'), unresolvedName('foo bar.md')]).toEqual([
      'Foo Bar',
      'foo bar',
    ]);
  });
});

describe('linkSegment', () => {
  it('is the folded last name', () => {
    expect([linkSegment('A/B c.MD'), linkSegment(' x '), linkSegment('')]).toEqual([
      'b c.md',
      'x',
      '',
    ]);
  });
});

it.each<[string, readonly string[], string, string, boolean]>([
  ['two as near and as long are', ['a/N.md', 'b/N.md'], 'n.md', 'N', true],
  ['one alone is not', ['a/N.md'], 'n.md', 'N', false],
  ['a shorter path decides', ['a/N.md', 'bb/N.md'], 'n.md', 'N', false],
  ['the folder of the source decides', ['a/N.md', 'b/N.md'], 'b/n.md', 'N', false],
  ['a full path decides', ['a/N.md', 'b/N.md'], 'n.md', 'b/N', false],
  ['nothing to lead to is not', [], 'n.md', 'N', false],
])('L36: a link is tied, or not: %s', (_, files, source, path, tied) => {
  const byName = (name: string) =>
    files
      .map((file) => ({ path: file }))
      .filter((file) => foldName(fileNameOf(file.path)) === name);
  expect(isTied({ path, source }, byName)).toBe(tied);
});

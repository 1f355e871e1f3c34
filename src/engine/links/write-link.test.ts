import { describe, expect, it } from 'vitest';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import { resolveLink } from './resolve-link.ts';
import { encodeDestination, writeLink } from './write-link.ts';

const names = (files: readonly string[]) => {
  const candidates = [...files].sort().map((path) => ({ path }));
  return (name: string) => candidates.filter(({ path }) => foldName(fileNameOf(path)) === name);
};

type Format = 'shortest' | 'relative' | 'absolute';

function write(
  files: readonly string[],
  link: Partial<Parameters<typeof writeLink>[0]> & { source: string; target: string },
  format: Format = 'shortest',
  useMarkdownLinks = false,
): string {
  return writeLink(
    { subpath: '', embed: false, ...link },
    { newLinkFormat: format, useMarkdownLinks },
    names(files),
  );
}

describe('writeLink', () => {
  const unique = ['A/Note.md', 'B/src.md'];
  const twice = ['A/Note.md', 'B/Note.md', 'B/src.md'];
  const from = { source: 'B/src.md', target: 'A/Note.md' };
  const rows: readonly [string, string, string][] = [
    ['shortest: the name if it is unique', write(unique, from), '[[Note]]'],
    ['shortest: the full path otherwise, never a part', write(twice, from), '[[A/Note]]'],
    ['relative', write(unique, from, 'relative'), '[[../A/Note]]'],
    [
      'relative: the same folder needs no dots',
      write(twice, { ...from, target: 'B/Note.md' }, 'relative'),
      '[[Note]]',
    ],
    ['absolute', write(unique, from, 'absolute'), '[[A/Note]]'],
    ['Markdown keeps .md', write(unique, from, 'shortest', true), '[Note](Note.md)'],
    [
      'Markdown, relative, spaces encoded',
      write(
        ['My Notes/A b.md', 'x/s.md'],
        { source: 'x/s.md', target: 'My Notes/A b.md' },
        'relative',
        true,
      ),
      '[A b](../My%20Notes/A%20b.md)',
    ],
    ['an alias', write(unique, { ...from, display: 'see' }), '[[Note|see]]'],
    [
      'an alias equal to the link text is left out',
      write(unique, { ...from, display: 'Note' }),
      '[[Note]]',
    ],
    ['a subpath', write(unique, { ...from, subpath: '#Heading' }), '[[Note#Heading]]'],
    [
      'an embed',
      write(['i.png', 's.md'], { source: 's.md', target: 'i.png', embed: true }),
      '![[i.png]]',
    ],
    [
      'inside the same note',
      write(unique, { source: 'A/Note.md', target: 'A/Note.md', subpath: '#h' }),
      '[[#h]]',
    ],
    [
      'a name that would lead to another file keeps its extension',
      write(['Report.pdf', 'Report.pdf.md', 's.md'], { source: 's.md', target: 'Report.pdf.md' }),
      '[[Report.pdf.md]]',
    ],
    [
      'a root file of the same name does not catch a relative link',
      write(
        ['Note.md', 'A/Note.md', 'A/s.md'],
        { source: 'A/s.md', target: 'A/Note.md' },
        'relative',
      ),
      '[[A/Note]]',
    ],
  ];
  it.each(rows)('%s', (_name, written, expected) => {
    expect(written).toBe(expected);
  });

  it('always leads to its target, whatever the names', () => {
    const files = [
      'Note.md',
      'A/Note.md',
      'A/B/Note.md',
      'A/note.MD',
      'A/Note.pdf',
      'A/Note.pdf.md',
      'C/x.md',
    ];
    for (const target of files)
      for (const source of files)
        for (const format of ['shortest', 'relative', 'absolute'] as const) {
          const text = write(files, { source, target }, format);
          const path = text.slice(2, -2);
          const found = resolveLink({ path, source }, names(files))?.path;
          // Names that differ only in case cannot be told apart by any link.
          expect(found?.toLowerCase(), `${source} -> ${target} as ${text}`).toBe(
            target.toLowerCase(),
          );
        }
  });
});

describe('encodeDestination', () => {
  const rows: readonly [string, string][] = [
    ['a b.md', 'a%20b.md'],
    ['日本語 (x)#h.md', '日本語%20(x)#h.md'],
    ['a(b.md', 'a%28b.md'],
    ['100%25 sure.md', '100%2525%20sure.md'],
    ['100% sure.md', '100%%20sure.md'],
    ['a\\b', 'a%5Cb'],
  ];
  it.each(rows)('%s becomes %s', (path, encoded) => {
    expect(encodeDestination(path)).toBe(encoded);
    expect(decodeURIComponent(encoded.replace(/%(?![0-9A-F]{2})/g, '%25'))).toBe(path);
  });
});

import { describe, expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import type { View } from './view.ts';
import { makeSees, makeSeesFolder, seesAll, wholeVault } from './view.ts';

function seen(view: Partial<View>, paths: readonly string[]): string[] {
  return paths.filter(makeSees({ ...wholeVault, ...view }));
}

describe('makeSees', () => {
  const paths = [
    'a.md',
    'Work/b.md',
    'Work/Deep/c.md',
    'Workshop/d.md',
    'Private/e.md',
    'x.secret.md',
  ];
  const rows: readonly [string, Partial<View>, readonly string[]][] = [
    ['sees everything', {}, paths],
    [
      'sees folders at name boundaries',
      { folders: [vaultPath('Work')] },
      ['Work/b.md', 'Work/Deep/c.md'],
    ],
    ['sees nothing without folders', { folders: [] }, []],
    [
      'hides a folder by name',
      { hide: ['Private'] },
      ['a.md', 'Work/b.md', 'Work/Deep/c.md', 'Workshop/d.md', 'x.secret.md'],
    ],
    [
      'hides a folder in any case',
      { hide: ['private/'] },
      ['a.md', 'Work/b.md', 'Work/Deep/c.md', 'Workshop/d.md', 'x.secret.md'],
    ],
    [
      'hides names at any depth',
      { hide: ['*.secret.md', 'c.md'] },
      ['a.md', 'Work/b.md', 'Workshop/d.md', 'Private/e.md'],
    ],
    [
      'lets * stop at a slash',
      { hide: ['Work/*.md'] },
      ['a.md', 'Work/Deep/c.md', 'Workshop/d.md', 'Private/e.md', 'x.secret.md'],
    ],
    [
      'lets ** cross slashes',
      { hide: ['Work/**'] },
      ['a.md', 'Workshop/d.md', 'Private/e.md', 'x.secret.md'],
    ],
    [
      'takes ./ for the root',
      { hide: ['./Work/b.md'] },
      ['a.md', 'Work/Deep/c.md', 'Workshop/d.md', 'Private/e.md', 'x.secret.md'],
    ],
    [
      'anchors at the root with a slash',
      { hide: ['/c.md', '/a.md'] },
      ['Work/b.md', 'Work/Deep/c.md', 'Workshop/d.md', 'Private/e.md', 'x.secret.md'],
    ],
    [
      'lets **/ end at a name',
      { hide: ['**/b.md', 'Work/**/c.md', '**/hop/d.md'] },
      ['a.md', 'Workshop/d.md', 'Private/e.md', 'x.secret.md'],
    ],
    ['lets ? be one character', { hide: ['?.md'] }, ['x.secret.md']],
    ['takes other signs literally', { hide: ['x.secret+.md', '[a].md', '(a).md'] }, paths],
    [
      'excludes by prefix, as Obsidian does',
      { exclude: ['Work'] },
      ['a.md', 'Private/e.md', 'x.secret.md'],
    ],
    [
      'excludes by regular expression',
      { exclude: ['/^W.*d\\.md$/'] },
      ['a.md', 'Work/b.md', 'Work/Deep/c.md', 'Private/e.md', 'x.secret.md'],
    ],
    ['ignores a filter that is no regular expression', { exclude: ['/(/'] }, paths],
    ['asks within a folder', { within: vaultPath('Work') }, ['Work/b.md', 'Work/Deep/c.md']],
  ];
  it.each(rows)('%s', (_name, view, expected) => {
    expect(seen(view, paths)).toEqual(expected);
  });

  it('hides names in another Unicode form', () => {
    expect(seen({ hide: ['Privé'] }, ['Prive\u0301/x.md', 'y.md'])).toEqual(['y.md']);
  });

  it('knows when a query needs no condition', () => {
    expect(seesAll(wholeVault)).toBe(true);
    expect(seesAll({ ...wholeVault, hide: ['x'] })).toBe(false);
    expect(seesAll({ ...wholeVault, within: vaultPath('x') })).toBe(false);
  });
});

describe('makeSeesFolder', () => {
  const folders = ['Work', 'Work/Deep', 'Workshop', 'x', 'x/y', 'x/y/z'].map(vaultPath);
  const [work, deep, shop, x, y, z] = folders;

  it.each<[name: string, view: Partial<View>, expected: readonly (string | undefined)[]]>([
    ['sees every folder', {}, folders],
    ['sees no folder whose files are hidden', { hide: ['Work/**'] }, [shop, x, y, z]],
    ['nor by one star', { hide: ['x/y/*'] }, [work, deep, shop, x]],
    ['nor by several', { hide: ['x/**/*', 'Work/**/**'] }, [shop]],
    ['nor by a name at any depth', { hide: ['**/y/**', 'deep'] }, [work, shop, x]],
    ['nor by wildcards in its name', { hide: ['W*/**', 'x/?/**'] }, [x]],
    ['nor by a pattern for every folder', { hide: ['*/**'] }, []],
    ['nor by patterns that only together hide all', { hide: ['x/?', 'x/??*'] }, [work, deep, shop]],
    ['sees one in which a longer name is seen', { hide: ['x/?', 'x/??'] }, [work, deep, shop, x]],
    ['sees one in which a short name is seen', { hide: ['x/??*'] }, folders],
    ['sees one in which other kinds of files are seen', { hide: ['Work/*.md'] }, folders],
    ['sees one whose folders alone are hidden', { hide: ['x/*/**'] }, [work, deep, shop, x]],
    ['sees the way to a folder', { folders: [vaultPath('x/y')] }, [x, y, z]],
    ['but not to one that is hidden', { folders: [vaultPath('x/y')], hide: ['x/y/**'] }, []],
    ['whatever letters the patterns have', { hide: ['x/\ue000', 'x/\ue000\ue001'] }, folders],
  ])('%s', (_name, view, expected) => {
    const view_ = { ...wholeVault, ...view };
    expect(folders.filter(makeSeesFolder(view_))).toEqual(expected);
  });

  it('does not take files for folders', () => {
    const files = ['x', 'x.md', 'Work', 'Work plan.md', 'top.md'];
    expect(seen({ hide: ['*/**'] }, files)).toEqual(files);
    expect(seen({ hide: ['Work*/**'] }, files)).toEqual(files);
    // A pattern for everything in a folder also hides what has exactly its name.
    expect(seen({ hide: ['Work/**', 'x/*'] }, files)).toEqual(['x.md', 'Work plan.md', 'top.md']);
  });
});

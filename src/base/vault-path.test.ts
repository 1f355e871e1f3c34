import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VaultError } from './vault-error.ts';
import {
  extensionOf,
  foldName,
  isInside,
  pathKey,
  stemOf,
  vaultFolder,
  vaultPath,
} from './vault-path.ts';

function refusal(input: string): string | undefined {
  try {
    vaultPath(input);
    return undefined;
  } catch (error) {
    return error instanceof VaultError ? error.code : 'not a VaultError';
  }
}

describe('vaultPath', () => {
  const refused: readonly [string, string][] = [
    ['', 'invalid_input'],
    ['/abs.md', 'outside_vault'],
    ['C:/x.md', 'outside_vault'],
    ['../x.md', 'outside_vault'],
    ['a/../x.md', 'outside_vault'],
    ['a/..', 'outside_vault'],
    ['./x.md', 'outside_vault'],
    ['a/./x.md', 'outside_vault'],
    ['a\\b.md', 'outside_vault'],
    ['..\\x.md', 'outside_vault'],
    ['a\u0000b.md', 'invalid_input'],
    ['a\nb.md', 'invalid_input'],
    ['a\u007f.md', 'invalid_input'],
    [`${'x'.repeat(256)}`, 'invalid_input'],
    [`${'я'.repeat(128)}.md`, 'invalid_input'],
    [`${'abc/'.repeat(1100)}x.md`, 'invalid_input'],
  ];
  it.each(refused)('refuses %j as %s', (input, code) => {
    expect(refusal(input)).toBe(code);
  });

  const accepted: readonly [string, string][] = [
    ['a.md', 'a.md'],
    ['a/b c/d.md', 'a/b c/d.md'],
    ['a//b.md', 'a/b.md'],
    ['Folder/', 'Folder'],
    ['..a/b...md', '..a/b...md'],
    ['C: drive.md', 'C: drive.md'],
    ['и\u0306.md', 'и\u0306.md'],
    [`${'я'.repeat(126)}.md`, `${'я'.repeat(126)}.md`],
  ];
  it.each(accepted)('accepts %j as %j, in its own Unicode form', (input, path) => {
    expect(vaultPath(input)).toBe(path);
  });

  it('never lets a path climb out, whatever the text', () => {
    const segment = fc.oneof(fc.constantFrom('..', '.', '', 'a', '\\', 'C:'), fc.string());
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const input = segments.join('/');
        if (refusal(input) !== undefined) return;
        const names = vaultPath(input).split('/');
        expect(names.every((name) => name !== '' && name !== '.' && name !== '..')).toBe(true);
      }),
    );
  });
});

describe('vaultFolder', () => {
  it('takes several spellings of the vault itself', () => {
    expect(['', '.', './', '/'].map(vaultFolder)).toEqual(['', '', '', '']);
  });
});

describe('names', () => {
  it('compare without regard to case, Unicode form and kind of space', () => {
    expect(pathKey('A/Й\u00a0x.md')).toBe(pathKey('a/и\u0306 X.MD'));
    expect(foldName('ΟΔΟΣ')).toBe(foldName('οδος'));
    expect(`${foldName('ΟΔΟΣ')}.md`).toBe(foldName('ΟΔΟΣ.md'));
  });

  it('have extensions and stems', () => {
    expect(['a/b.MD', 'a.b/c', '.hidden', 'x.tar.gz'].map(extensionOf)).toEqual([
      'md',
      '',
      '',
      'gz',
    ]);
    expect(['a/b.MD', 'a.b/c', '.hidden', 'v1.2.md'].map(stemOf)).toEqual([
      'b',
      'c',
      '.hidden',
      'v1.2',
    ]);
  });

  it('lie inside folders at name boundaries', () => {
    expect([
      isInside('a/b.md', 'a' as never),
      isInside('ab/c.md', 'a' as never),
      isInside('x', ''),
    ]).toEqual([true, false, true]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { isVaultPath, vaultPath } from '../../base/vault-path.ts';
import { checkNewPath } from './check-new-path.ts';

const replacementOf = (path: string, existing: VaultFolder = ''): string | undefined => {
  try {
    checkNewPath(path, { existing });
  } catch (error) {
    const replacement = error instanceof VaultError ? error.details['replacement'] : undefined;
    if (typeof replacement !== 'string') throw error;
    expect(error).toMatchObject({ code: 'invalid_input' });
    expect(String(error)).toContain(`"${replacement}"`);
    return replacement;
  }
  return undefined;
};

describe('checkNewPath', () => {
  it.each([
    'Note.md',
    'Meeting Notes/2024-01-01.md',
    'v1.2/Note v1.2.md',
    "it's (a) {b} 100% & more, ok;=+~@!$`.md",
    '日本語/Ω é 😀.canvas',
    'Console.md',
    'com10.md',
    'a.con',
    'lpt.md',
    `${'x'.repeat(237)}.md`,
  ])('lets %s pass', (path) => {
    expect(replacementOf(path)).toBeUndefined();
  });

  it.each([
    ['What is it?.md', 'What is it.md'],
    ['a*b<c>d.md', 'abcd.md'],
    ['Title: part one.md', 'Title - part one.md'],
    ['10:30.md', '10-30.md'],
    ['a|b\\c.md', 'a-b-c.md'],
    ['say "hi".md', "say 'hi'.md"],
    ['C# [draft] ^x.md', 'C draft x.md'],
    ['tab\there.md', 'tabhere.md'],
    ['half\ud800.md', 'half.md'],
    ['.hidden/x.md', 'hidden/x.md'],
    ['.md', 'Untitled.md'],
    ['???.md', 'Untitled.md'],
    ['ends./x.md', 'ends/x.md'],
    ['ends /x.md', 'ends/x.md'],
    [' begins.md', 'begins.md'],
    ['ends .md', 'ends.md'],
    ['Note.', 'Note'],
    ['con', 'con_'],
    ['Sub/NUL.md', 'Sub/NUL_.md'],
    ['aux.tar.gz', 'aux_.tar.gz'],
    ['Com¹.md', 'Com¹_.md'],
    [`${'x'.repeat(238)}.md`, `${'x'.repeat(237)}.md`],
    [`${'ю'.repeat(200)}.md`, `${'ю'.repeat(118)}.md`],
    [`${'😀'.repeat(70)}.md`, `${'😀'.repeat(59)}.md`],
    ['a?/e\u0301/b?.md', 'a/\u00e9/b.md'],
  ])('offers for "%s" another name', (path, expected) => {
    expect(replacementOf(path)).toBe(expected);
  });

  it('says nothing about folders that are there already', () => {
    const existing = vaultPath('What? [old]/.e\u0301');
    expect(replacementOf('What? [old]/.e\u0301/New.md', existing)).toBeUndefined();
    expect(replacementOf('What? [old]/.e\u0301/New?.md', existing)).toBe(
      'What? [old]/.e\u0301/New.md',
    );
    expect(replacementOf('What? [old]/.e\u0301x/New.md', existing)).toBe('What old/\u00e9x/New.md');
  });

  it.each(['../x.md', 'a/./x?.md', '/x.md', 'C:/x.md', 'C:\\x.md', '..\\x.md', 'a\\..\\x.md'])(
    'mends no path that would leave the vault: %s',
    (path) => {
      expect(() => checkNewPath(path)).toThrow(
        expect.objectContaining({ code: 'outside_vault' }) as Error,
      );
    },
  );

  it('offers only names that pass, in NFC, whatever it is given', () => {
    const pieces = fc.constantFrom(
      ...'* " \\ < > : | ? # ^ [ ] / . CON nul com1 .md .png \t \u0301 \u0338 \ud83d \ude00 \u00a0 \u2028 x é'.split(
        ' ',
      ),
      ' ',
      'x'.repeat(236),
      'é'.repeat(120),
      ' '.repeat(239),
    );
    const paths = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 12 })
      .map((parts) => parts.join(''));
    let offered = 0;
    fc.assert(
      fc.property(paths, (path) => {
        let replacement: string | undefined;
        try {
          replacement = replacementOf(path);
        } catch {
          expect(isVaultPath(path)).toBe(false);
          return;
        }
        if (replacement === undefined) return;
        offered++;
        expect(replacementOf(replacement)).toBeUndefined();
        expect(replacement.normalize('NFC')).toBe(replacement);
        expect(vaultPath(replacement)).not.toBe('');
      }),
      { numRuns: 5_000 },
    );
    expect(offered).toBeGreaterThan(1_000);
  });
});

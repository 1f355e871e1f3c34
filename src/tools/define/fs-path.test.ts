import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { fsPath } from './fs-path.ts';

function read(input: string): string {
  try {
    return `"${fsPath(input)}"`;
  } catch (error) {
    if (error instanceof VaultError) return error.code;
    throw error;
  }
}

describe('fsPath', () => {
  it.each<[string, string]>([
    ['', '""'],
    ['/', '""'],
    ['.', '""'],
    ['./', '""'],
    ['././/.', '""'],
    ['a.md', '"a.md"'],
    ['d/a.md/', '"d/a.md"'],
    ['d//a.md', '"d/a.md"'],
    ['./d/./a.md', '"d/a.md"'],
    ['.obsidian/app.json', '".obsidian/app.json"'],
    ['...', '"..."'],
    ['a..b', '"a..b"'],
    ['Zoë 🎉.md', '"Zoë 🎉.md"'],
    ['//', 'outside_vault'],
    ['/.', 'outside_vault'],
    ['/etc/passwd', 'outside_vault'],
    ['..', 'outside_vault'],
    ['../a', 'outside_vault'],
    ['d/..', 'outside_vault'],
    ['d/../a.md', 'outside_vault'],
    ['./../a', 'outside_vault'],
    ['d\\a.md', 'outside_vault'],
    ['\\', 'outside_vault'],
    ['a\0b', 'invalid_input'],
    ['a\nb', 'invalid_input'],
    ['a\ud800', 'invalid_input'],
    ['n'.repeat(limits.segmentBytesMax), `"${'n'.repeat(limits.segmentBytesMax)}"`],
    ['n'.repeat(limits.segmentBytesMax + 1), 'invalid_input'],
    ['d/'.repeat(limits.pathBytesMax), 'invalid_input'],
  ])('reads %j as %s', (input, expected) => {
    expect(read(input)).toBe(expected);
  });
});

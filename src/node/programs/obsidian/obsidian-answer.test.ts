import { describe, expect, it } from 'vitest';
import type { VaultError } from '../../../base/vault-error.ts';
import { obsidianAnswer } from './obsidian-answer.ts';

interface Said {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number | undefined;
}

function answer({ stdout = '', stderr = '', ...rest }: Said): string {
  const exitCode = 'exitCode' in rest ? rest.exitCode : 0;
  return obsidianAnswer({ exitCode, stdout: new TextEncoder().encode(stdout), stderr });
}

describe('obsidianAnswer', () => {
  it.each<[string, Said, string]>([
    ['what was printed', { stdout: 'a\nb\n' }, 'a\nb'],
    ['the lines of Windows', { stdout: 'a\r\nb\r\n' }, 'a\nb'],
    ['nothing', {}, ''],
    ['nothing but banners', { stdout: 'Checking for updates...\n' }, ''],
    [
      'what follows the banners of an old installer',
      {
        stdout:
          '2026-02-16 12:32:42 Loading updated app package /x.asar\nYour Obsidian installer is out of date. Please download\n[markdown] A\n',
      },
      '[markdown] A',
    ],
    [
      'a list that ends in the words of a failure',
      { stdout: 'A.md\nVault not found.\n' },
      'A.md\nVault not found.',
    ],
    [
      'what was printed in spite of noise on stderr',
      { stdout: 'A.md\n', stderr: 'The CLI is unable to find Obsidian: GPU process' },
      'A.md',
    ],
  ])('is %s', (_what, said, expected) => {
    expect(answer(said)).toBe(expected);
  });

  it.each<[string, Said, VaultError['code'], string]>([
    [
      'the app is not running',
      {
        stderr:
          'The CLI is unable to find Obsidian. Please make sure Obsidian is running and try again.\n',
        exitCode: 1,
      },
      'app_not_running',
      'Obsidian application is not running. Please start Obsidian and try again.',
    ],
    [
      'the CLI is switched off',
      {
        stdout:
          'Command line interface is not enabled. Please turn it on in Settings > General > Advanced.\n',
      },
      'unavailable',
      'Settings > General > Advanced > Command line interface',
    ],
    [
      'the vault is unknown',
      { stdout: 'Vault not found.\n' },
      'vault_not_found',
      'Open its folder as a vault',
    ],
    [
      'the command is unknown',
      { stdout: 'Error: Command "x:y" not found. It may require a plugin to be enabled.\n' },
      'not_found',
      'does not know this command',
    ],
    [
      'the file is unknown',
      { stdout: 'Error: File "A.md" not found.\n' },
      'not_found',
      'does not find this file',
    ],
    [
      'the app failed',
      { stdout: 'Error: ENOSPC: no space\n' },
      'unavailable',
      'could not carry out',
    ],
    [
      'the CLI crashed',
      { stderr: 'Segmentation fault', exitCode: 139 },
      'unavailable',
      'exit code 139',
    ],
    ['the CLI was killed', { exitCode: undefined }, 'unavailable', 'it was killed'],
  ])('tells that %s', (_what, said, code, message) => {
    expect(() => answer(said)).toThrow(expect.objectContaining({ code }));
    expect(() => answer(said)).toThrow(message);
  });

  it('has the words of the app as an excerpt, never in the message', () => {
    try {
      answer({ stdout: 'Error: Secret plan.md is locked\n' });
      expect.unreachable();
    } catch (error) {
      expect((error as VaultError).excerpt).toBe('Error: Secret plan.md is locked');
      expect((error as VaultError).message).not.toContain('Secret');
    }
  });

  it('is nothing that is not UTF-8', () => {
    const said = { exitCode: 0, stdout: new Uint8Array([0xff, 0xfe]), stderr: '' };
    expect(() => obsidianAnswer(said)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});

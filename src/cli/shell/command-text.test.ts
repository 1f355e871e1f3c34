import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { hint } from '../options/program-text.ts';
import { commandText } from './command-text.ts';

it.each<[platform: NodeJS.Platform, vault: string | undefined, expected: string]>([
  ['linux', undefined, 'vaultdoor undo 3'],
  ['linux', '/v/Notes', 'vaultdoor undo 3 --vault /v/Notes'],
  ['darwin', "/v/Ann's notes", "vaultdoor undo 3 --vault '/v/Ann'\\''s notes'"],
  ['linux', '~x', "vaultdoor undo 3 --vault '~x'"],
  ['win32', 'C:\\Notes', 'vaultdoor undo 3 --vault C:\\Notes'],
  ['win32', "C:\\Ann's notes", 'vaultdoor undo 3 --vault "C:\\Ann\'s notes"'],
])('on %s for the vault %s', (platform, vault, expected) => {
  expect(commandText(['undo', '3'], vault, platform)).toBe(expected);
});

it.each([
  ['npx', 'vaultdoor', 'npx vaultdoor undo 3'],
  ['npx', "'vaultdoor'", 'npx vaultdoor undo 3'], // As npm 11 has it.
  ['npx', 'vitest', 'vaultdoor undo 3'],
  ['test', 'vaultdoor', 'vaultdoor undo 3'],
])('has npx before it if npx has started the program: %s, %s', (event, script, expected) => {
  vi.stubEnv('npm_lifecycle_event', event);
  vi.stubEnv('npm_lifecycle_script', script);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(commandText(['undo', '3'], undefined)).toBe(expected);
  expect(hint('undo 3')).toBe(`"${expected}"`);
});

it.skipIf(process.platform === 'win32')('is taken by a shell as it was meant', () => {
  const words = ["it's", '$HOME `x` "y" \\ !', '', '*', '~', 'a b'];
  const command = commandText(words, "/v/Ann's").replace('vaultdoor', "printf '%s\\n'");
  const seen = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(seen.split('\n').slice(0, -1)).toEqual([...words, '--vault', "/v/Ann's"]);
});

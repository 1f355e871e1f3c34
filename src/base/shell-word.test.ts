import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

it.each([
  ['/home/anna/Notes', '/home/anna/Notes', '/home/anna/Notes'],
  ['C:\\Users\\anna', "'C:\\Users\\anna'", 'C:\\Users\\anna'],
  ['My Notes', "'My Notes'", '"My Notes"'],
  ["Anna's $HOME `x`", "'Anna'\\''s $HOME `x`'", '"Anna\'s $HOME `x`"'],
  ['My Drive\\', "'My Drive\\'", '"My Drive\\\\"'],
  ['~/Notes', "'~/Notes'", '"~/Notes"'],
  ['', "''", '""'],
])('%j is quoted for a shell, and for Windows', (text, posix, windows) => {
  expect([shellWord(text, 'linux'), shellWord(text, 'win32')]).toEqual([posix, windows]);
  if (process.platform === 'win32') return;
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${posix}`], { encoding: 'utf8' })).toBe(text);
});

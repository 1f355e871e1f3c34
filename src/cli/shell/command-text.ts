import { oneLine } from '../../base/one-line.ts';

const wordCharsMax = 4_000;

/**
 * A command of this program that a person can type or paste, for the vault that they have given:
 * with quotes as the shells of the platform take them.
 */
export function commandText(
  words: readonly string[],
  vault: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const all = [...words, ...(vault === undefined ? [] : ['--vault', vault])];
  return ['vaultdoor', ...all.map((word) => quotedWord(word, platform))].join(' ');
}

function quotedWord(text: string, platform: NodeJS.Platform): string {
  const word = oneLine(text, wordCharsMax);
  const isWindows = platform === 'win32';
  if ((isWindows ? /^[\w@+=:,./\\-]+$/ : /^[\w@%+=:,./-]+$/).test(word)) return word;
  return isWindows ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

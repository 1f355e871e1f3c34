import { oneLine } from '../../base/one-line.ts';
import { shellWord } from '../../base/shell-word.ts';
import { programText } from '../options/program-text.ts';

const wordCharsMax = 4_000;

/**
 * A command of this program that a person can type or paste, for the vault that they have given:
 * with quotes as the shells of the platform take them, and with `npx` if that is how the person has
 * started the program.
 */
export function commandText(
  words: readonly string[],
  vault: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string {
  const all = [...words, ...(vault === undefined ? [] : ['--vault', vault])];
  const quoted = all.map((word) => shellWord(oneLine(word, wordCharsMax), platform));
  return [programText(), ...quoted].join(' ');
}

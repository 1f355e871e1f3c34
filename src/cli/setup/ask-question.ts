import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { plain } from '../../tools/cli/text.ts';
import type { Shell } from '../shell/shell.ts';
import { askLine } from '../shell/terminal.ts';

/** A question to the person at the terminal. */
interface Question<T> {
  readonly question: string;
  /** What can be chosen, with its number before it when it is shown. */
  readonly choices: readonly string[];
  /** What can be typed. */
  readonly hint: string;
  /** What Enter stands for; absent where something has to be typed. */
  readonly usual?: string;
  /** What an answer means. When it fails, its message is shown and the question is asked again. */
  readonly read: (answer: string) => T | Promise<T>;
}

/**
 * Asks until the answer makes sense. Fails with `cancelled` on Ctrl-C and at the end of the input, and
 * with `invalid_input` after too many answers that make no sense.
 */
export async function askQuestion<T>(shell: Shell, asked: Question<T>): Promise<T> {
  const { question, choices, hint, usual, read } = asked;
  const { stderr } = shell;
  stderr.write(`\n${question}\n`);
  choices.forEach((choice, at) => void stderr.write(`  ${at + 1}  ${plain(choice)}\n`));
  const prompt = usual === undefined ? `${hint} ` : `${hint} [${plain(usual)}] `;
  for (let tries = 0; tries < limits.answersMax; tries++) {
    const typed = await askLine(shell, prompt);
    if (typed === undefined) throw notWritten();
    const answer = typed === '' ? usual : typed;
    if (answer === undefined) continue;
    try {
      return await read(answer);
    } catch (error) {
      stderr.write(`${plain(toVaultError(error).message)}\n`);
    }
  }
  throw noSense();
}

/**
 * Asks a question until it is answered with y or n; Enter means yes. With `show`, the answer s shows
 * more, and the question is asked again. An answer that makes no sense is not repeated: it may be a
 * passphrase. Fails with `cancelled` on Ctrl-C, and with `invalid_input` after too many such answers.
 */
export async function askYes(shell: Shell, question: string, show?: () => void): Promise<boolean> {
  const keys = show === undefined ? '[Y/n]' : '[Y/n/s]';
  for (let tries = 0; tries < limits.answersMax; tries++) {
    const answer = await askLine(shell, `\n${question} ${keys} `);
    if (answer === undefined) throw notWritten();
    if (/^(y(es)?)?$/i.test(answer)) return true;
    if (/^no?$/i.test(answer)) return false;
    if (show !== undefined && /^s(how)?$/i.test(answer)) show();
    else shell.stderr.write(`Type y or n${show === undefined ? '' : ', or s to see more'}.\n`);
  }
  throw noSense();
}

/** The choice with the number that was typed. Fails with `invalid_input` for any other text. */
export function numbered<T>(answer: string, choices: readonly T[]): T {
  const choice = /^\d{1,4}$/.test(answer) ? choices[Number(answer) - 1] : undefined;
  if (choice !== undefined) return choice;
  const says = `"${answer}" is no choice; type a number from 1 to ${choices.length}.`;
  throw new VaultError('invalid_input', says);
}

function noSense(): VaultError {
  return new VaultError('invalid_input', 'No answer made sense. Nothing was written.');
}

function notWritten(): VaultError {
  return new VaultError('cancelled', 'Nothing was written.');
}

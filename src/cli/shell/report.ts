import { plain } from '../../tools/cli/text.ts';
import { type Outcome, textsOf } from '../../tools/define/outcome.ts';
import { exitCodes } from './exit-codes.ts';
import type { Shell } from './shell.ts';

const failureStart = 'vaultdoor: ';

/** Prints the result of a command, or its failure to stderr, and answers the exit code. */
export function report(shell: Shell, outcome: Outcome, json: boolean): number {
  if (outcome.ok) {
    if (json) return printJson(shell, outcome.value);
    return print(shell, textsOf(outcome.content).join(''));
  }
  // What some messages announce is text of a note, which is not printed here.
  const { code, message, details } = outcome.error;
  shell.stderr.write(
    json
      ? `${JSON.stringify({ error: { code, message, details } })}\n`
      : `${failureStart}${plain(message).replace(/:$/, '.')}\n`,
  );
  return exitCodes[code];
}

/** The last failure that `report` has printed into a text; undefined when there is none. */
export function lastFailure(text: string): string | undefined {
  const line = text.split('\n').findLast((each) => each.startsWith(failureStart));
  return line?.slice(failureStart.length);
}

/** Prints a result and answers 0, the exit code of success. */
export function print(shell: Shell, text: string): number {
  shell.stdout.write(text);
  return 0;
}

/** Prints a sentence that is not part of the result to stderr, and answers 0. */
export function remark(shell: Shell, sentence: string): number {
  shell.stderr.write(`${failureStart}${plain(sentence)}\n`);
  return 0;
}

/** Prints a value as JSON, as `--json` asks for, and answers 0. */
export function printJson(shell: Shell, value: unknown): number {
  return print(shell, `${JSON.stringify(value, undefined, 2)}\n`);
}

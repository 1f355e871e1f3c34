import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { plain } from '../../tools/cli/text.ts';

/**
 * Lets the person at the terminal choose one of several by its number; undefined for anything else
 * that is typed, the end of the input and Ctrl-C.
 */
export function chooseAt(
  {
    stdin,
    stderr,
    signal,
  }: {
    readonly stdin: ReadStream;
    readonly stderr: Pick<WriteStream, 'write'>;
    readonly signal: AbortSignal;
  },
  question: string,
  choices: readonly string[],
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin, terminal: false });
    lines.once('close', () => resolve(undefined));
    lines.once('line', (answer) => {
      const number = /^\d{1,4}$/.test(answer.trim()) ? Number(answer) : 0;
      resolve(number >= 1 && number <= choices.length ? number - 1 : undefined);
      lines.close();
    });
    signal.addEventListener('abort', () => lines.close(), { once: true });
    stderr.write(choices.map((choice, i) => `  ${i + 1}  ${plain(choice)}\n`).join(''));
    stderr.write(`${question} [1-${choices.length}] `);
  });
}

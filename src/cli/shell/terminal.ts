import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Progress } from '../../base/caller.ts';
import { visible } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { commandText } from './command-text.ts';

type Colours = Omit<Paint, 'command' | 'nameOf'>;

const plainPaint: Colours = {
  strong: (text) => text,
  faint: (text) => text,
  good: (text) => text,
  bad: (text) => text,
  content: (text) => text,
};

const colourPaint: Colours = {
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
  content: visible,
};

/**
 * How to set off words in the output: with colours on a terminal, unless `NO_COLOR` is set. `vault`
 * is what was given as `--vault`, which commands to type next repeat.
 */
export function paintFor(
  stream: Pick<WriteStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
  vault?: string,
): Paint {
  return { ...coloursFor(stream, env), command: (words) => commandText(words, vault) };
}

function coloursFor(
  stream: Pick<WriteStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): Colours {
  if (stream.isTTY !== true) return plainPaint;
  const colour = !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return colour ? colourPaint : { ...plainPaint, content: visible };
}

const showAfterMs = 500;

/**
 * A line on a terminal that shows the progress of work that takes longer than half a second. It prints
 * nothing when the stream is not a terminal.
 */
export function progressLine(
  stream: Pick<WriteStream, 'isTTY' | 'write'>,
  nowMs: () => number,
): { readonly show: (progress: Progress) => void; readonly clear: () => void } {
  const startMs = nowMs();
  let shown = false;
  return {
    show: ({ message }) => {
      if (stream.isTTY !== true || nowMs() - startMs < showAfterMs) return;
      shown = true;
      stream.write(`\r\u001b[K${message}`);
    },
    clear: () => {
      if (shown) stream.write('\r\u001b[K');
      shown = false;
    },
  };
}

/**
 * A function that asks the person at the terminal a question, to be answered with y or n. Any other
 * input, the end of the input and Ctrl-C mean no. Undefined when stdin or stderr is not a terminal.
 */
export function askAt(
  stdin: ReadStream,
  stderr: Pick<WriteStream, 'isTTY' | 'write'>,
  signal: AbortSignal,
): ((question: string) => Promise<boolean>) | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return (question) =>
    new Promise((resolve) => {
      const lines = createInterface({ input: stdin, terminal: false });
      lines.once('close', () => resolve(false));
      lines.once('line', (answer) => {
        resolve(/^y(es)?$/i.test(answer.trim()));
        lines.close();
      });
      signal.addEventListener('abort', () => lines.close(), { once: true });
      stderr.write(`${question} [y/N] `);
    });
}

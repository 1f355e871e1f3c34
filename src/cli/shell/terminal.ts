import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Progress } from '../../base/caller.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import { cutToWidth } from '../../tools/cli/display-width.ts';
import { plain, visible } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { timeAgo } from '../../tools/wording/time-ago.ts';
import { commandText } from './command-text.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Output = Pick<WriteStream, 'isTTY'> & { readonly columns?: number };
type Colours = Pick<Paint, 'strong' | 'faint' | 'good' | 'bad' | 'match'>;

const same = (text: string): string => text;
const noColours: Colours = { strong: same, faint: same, good: same, bad: same, match: same };

const colours: Colours = {
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
  match: (text) => `\u001b[1;31m${text}\u001b[22;39m`,
};

/**
 * How to set off words in the output, and how wide it may be. `vault` is what was given as `--vault`,
 * which commands to type next repeat. Only a terminal gets lines that are cut, relative times, notes
 * without their control characters and diffs for people: elsewhere both are printed as they are.
 */
export function paintFor(stream: Output, env: Env, vault?: string): Paint {
  const isTerminal = stream.isTTY === true;
  const { columns } = stream;
  return {
    ...(hasColours(isTerminal, env) ? colours : noColours),
    content: isTerminal ? visible : same,
    isTerminal,
    when: (timeMs) => whenText(timeMs, isTerminal ? Date.now() : undefined),
    ...(isTerminal && columns !== undefined && columns > 0 ? { columns } : {}),
    command: (words) => commandText(words, vault),
  };
}

/**
 * Whether to print colours: at a terminal, unless `NO_COLOR`, `CLICOLOR=0` or `TERM=dumb` is set. With
 * `FORCE_COLOR` or `CLICOLOR_FORCE` also elsewhere, but `NO_COLOR` is stronger. `FORCE_COLOR=0` means
 * no colours.
 */
function hasColours(isTerminal: boolean, env: Env): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  if (env['CLICOLOR_FORCE'] && env['CLICOLOR_FORCE'] !== '0') return true;
  return isTerminal && env['TERM'] !== 'dumb' && env['CLICOLOR'] !== '0';
}

const dayMs = 86_400_000;

/** A moment in words if it was less than a day before `nowMs`, else as date and time. */
function whenText(timeMs: number, nowMs: number | undefined): string {
  const agoMs = nowMs === undefined ? -1 : nowMs - timeMs;
  if (nowMs !== undefined && agoMs >= 0 && agoMs < dayMs) return timeAgo(timeMs, nowMs);
  return formatDate(timeMs, 'YYYY-MM-DD HH:mm');
}

const showAfterMs = 500;
const tickMs = 250;
/** After this time without news, a message says nothing about what is done now. */
const staleMs = 2_000;

/**
 * A line on a terminal that shows the progress of work that takes longer than half a second. It prints
 * nothing when the stream is not a terminal. With `idle`, work that reports nothing, or nothing for
 * some time, shows that word and the seconds since its beginning. `clear` removes the line; `show` begins a new one.
 */
export function progressLine(
  stream: Output & Pick<WriteStream, 'write'>,
  nowMs: () => number,
  { idle }: { readonly idle?: string } = {},
): { readonly show: (progress: Progress) => void; readonly clear: () => void } {
  const startMs = nowMs();
  const isTerminal = stream.isTTY === true;
  let message: string | undefined;
  let messageMs = startMs;
  let shown: string | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const draw = (): void => {
    const sinceMs = nowMs() - startMs;
    if (sinceMs < showAfterMs) return;
    const waiting =
      idle && sinceMs >= 1_000 ? `${idle} ${Math.floor(sinceMs / 1_000)} s` : undefined;
    const isStale = waiting !== undefined && nowMs() - messageMs > staleMs;
    const text = (isStale ? waiting : (message ?? waiting)) ?? '';
    const line = cutToWidth(plain(text), (stream.columns ?? 80) - 1);
    if (line === '' || line === shown) return;
    shown = line;
    stream.write(`\r\u001b[K${line}`);
  };
  const tick = (): void => {
    timer ??= setInterval(draw, tickMs);
    timer.unref();
  };
  if (isTerminal && idle !== undefined) tick();
  return {
    show: (progress) => {
      if (!isTerminal) return;
      message = progress.message;
      messageMs = nowMs();
      tick();
      draw();
    },
    clear: () => {
      clearInterval(timer);
      timer = undefined;
      message = undefined;
      if (shown !== undefined) stream.write('\r\u001b[K');
      shown = undefined;
    },
  };
}

/** A terminal on which something is asked, and the signal that Ctrl-C aborts. */
interface AskedTerminal {
  readonly stdin: ReadStream;
  readonly stderr: Pick<WriteStream, 'write'>;
  readonly signal: AbortSignal;
}

/**
 * Asks the person at the terminal for one line, and answers it without the blanks around it.
 * Undefined at the end of the input and after Ctrl-C.
 */
export function askLine(
  { stdin, stderr, signal }: AskedTerminal,
  question: string,
): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin, terminal: false });
    const close = (): void => lines.close();
    lines.once('close', () => {
      signal.removeEventListener('abort', close);
      resolve(undefined);
    });
    lines.once('line', (answer) => {
      resolve(answer.trim());
      lines.close();
    });
    signal.addEventListener('abort', close, { once: true });
    stderr.write(question);
  });
}

/**
 * A function that asks the person at the terminal a question, to be answered with y or n. Enter means
 * what `enter` says, or no. Any other input, the end of the input and Ctrl-C mean no. Undefined when
 * stdin or stderr is not a terminal.
 */
export function askAt(
  stdin: ReadStream,
  stderr: Pick<WriteStream, 'isTTY' | 'write'>,
  signal: AbortSignal,
): ((question: string, enter?: 'yes') => Promise<boolean>) | undefined {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined;
  return async (question, enter) => {
    const keys = enter === 'yes' ? '[Y/n]' : '[y/N]';
    const answer = await askLine({ stdin, stderr, signal }, `${question} ${keys} `);
    return (enter === 'yes' && answer === '') || /^y(es)?$/i.test(answer ?? '');
  };
}

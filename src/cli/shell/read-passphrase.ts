import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Shell } from './shell.ts';

/** Two lines of the longest passphrase. */
const stdinBytesMax = 2 * (limits.passphraseBytesMax + 2);

type Streams = Pick<Shell, 'stdin' | 'stderr' | 'signal'>;

/**
 * A new passphrase, given twice so that a slip does not lock its owner out: asked for on a terminal
 * without showing it, otherwise read as two lines from stdin. `problem` says why one is refused; on a
 * terminal it is asked before the passphrase has to be typed again. Fails with `invalid_input` when it
 * is refused or both are not the same, and with `cancelled` on Ctrl-C and at the end of the input.
 */
export async function readPassphrase(
  streams: Streams,
  problem: (passphrase: string) => string | undefined,
): Promise<string> {
  const check = (passphrase: string): void => {
    const says = problem(passphrase);
    if (says !== undefined) throw new VaultError('invalid_input', says);
  };
  const isTerminal = streams.stdin.isTTY === true;
  const [one, other] = isTerminal ? await asked(streams, check) : await piped(streams);
  if (!isTerminal) check(one);
  if (one === other) return one;
  throw new VaultError('invalid_input', 'The two passphrases are not the same; nothing was set.');
}

async function asked(
  { stdin, stderr, signal }: Streams,
  check: (passphrase: string) => void,
): Promise<readonly [string, string]> {
  // The terminal is read key by key, and what readline would show goes nowhere.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const close = (): void => lines.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const next = linesOf(lines);
    const ask = async (question: string): Promise<string> => {
      stderr.write(question);
      const line = await next();
      stderr.write('\n');
      if (line === undefined) throw new VaultError('cancelled', 'Nothing was set.');
      return line;
    };
    const first = `New passphrase (at least ${limits.passphraseCharsMin} characters; it is not shown): `;
    const one = await ask(first);
    check(one);
    return [one, await ask('The same again: ')];
  } finally {
    signal.removeEventListener('abort', close);
    lines.close();
  }
}

/**
 * A function that waits for the next line; undefined at the end. Both lines may be there before the
 * second is asked for, when they are pasted: so lines are kept until then.
 */
function linesOf(lines: Interface): () => Promise<string | undefined> {
  const kept: (string | undefined)[] = [];
  let give: ((line: string | undefined) => void) | undefined;
  const take = (line: string | undefined): void => {
    if (give === undefined) kept.push(line);
    else give(line);
    give = undefined;
  };
  lines.on('line', take);
  lines.once('close', () => take(undefined));
  return () =>
    new Promise((resolve) => {
      if (kept.length > 0) resolve(kept.shift());
      else give = resolve;
    });
}

/** The first two lines of stdin; what comes after them is not read. */
async function piped({ stdin }: Streams): Promise<readonly [string, string]> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > stdinBytesMax || linesIn(Buffer.concat(chunks)).length > 2) break;
  }
  const lines = linesIn(Buffer.concat(chunks));
  const [one, other] = lines.map(decoded);
  // After a single line, what follows its end is empty.
  const isOne = lines.length === 2 && other === '';
  if (one === undefined || other === undefined || isOne || length > stdinBytesMax) {
    throw new VaultError(
      'invalid_input',
      'There is no terminal to ask on: give the passphrase twice, as two lines on stdin, or with --passphrase-file.',
    );
  }
  return [one, other];
}

/** The pieces between line ends; the last one is empty when the text ends with a line end. */
function linesIn(bytes: Buffer): readonly string[] {
  return bytes.toString('latin1').split(/\r?\n/);
}

function decoded(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    throw new VaultError('invalid_input', 'The passphrase on stdin is not UTF-8 text.');
  }
}

import { spawn, spawnSync } from 'node:child_process';

/** Whether this machine has curl. */
export const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** What curl was answered. */
export interface CurlAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Runs the real curl with these words; fails where it does. */
export function curl(...words: readonly string[]): Promise<CurlAnswer> {
  return startCurl(...words).answer;
}

/** The same of an answer that goes on: `begun` resolves with its first bytes, `come` tells what there is. */
export function startCurl(...words: readonly string[]): {
  readonly begun: Promise<void>;
  readonly come: () => string;
  readonly answer: Promise<CurlAnswer>;
} {
  const child = spawn('curl', ['-sS', '-i', '-N', '--max-time', '30', ...words]);
  let stdout = '';
  let stderr = '';
  const begun = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const answer = new Promise<CurlAnswer>((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve(answerIn(stdout)) : reject(Error(stderr))));
  });
  return { begun, come: () => stdout, answer };
}

/** The messages in the events of a stream, each framed as the seed says. */
export function messagesIn(body: string): readonly unknown[] {
  const framed = body.matchAll(/^event: message\n(?:id: .*\n)?data: (?<data>\{.*\})\n\n/gm);
  return Array.from(framed, ({ groups }): unknown => JSON.parse(groups?.['data'] ?? ''));
}

function answerIn(stdout: string): CurlAnswer {
  const end = stdout.indexOf('\r\n\r\n');
  const [first = '', ...lines] = stdout.slice(0, end).split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(pairs),
    body: stdout.slice(end + 4),
  };
}

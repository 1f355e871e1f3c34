import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { record } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { UserPlace } from '../../node/place/app-folders.ts';
import { lastFailure } from '../shell/report.ts';
import { type Exchange, type FirstCall, firstCall } from './first-call.ts';

/** A command as the configuration of a client has it. */
export interface ClientCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What every program needs of its environment. There is no PATH: desktop apps do not know the shell's. */
const bareVariables: Readonly<Record<'win32' | 'other', readonly string[]>> = {
  win32: ['APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'SYSTEMROOT', 'SYSTEMDRIVE', 'TEMP', 'TMP'],
  other: ['HOME', 'USER', 'LOGNAME', 'TMPDIR'],
};

/**
 * Starts a command as an MCP client does, in the home folder and with the bare environment, makes the
 * first call over stdin and stdout, and ends it. Fails with `unavailable` and the reason.
 */
export async function callCommand(
  { command, args, env }: ClientCommand,
  {
    place,
    signal,
    ...parts
  }: Parameters<typeof firstCall>[1] & {
    readonly place: UserPlace;
    readonly signal: AbortSignal;
  },
): Promise<FirstCall> {
  const names = bareVariables[place.platform === 'win32' ? 'win32' : 'other'];
  const bare = Object.fromEntries(names.map((name) => [name, place.env[name]]));
  const child = spawn(command, args, {
    env: { ...bare, ...env },
    cwd: place.home,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    signal,
    killSignal: 'SIGTERM',
  });
  const waiting = new Map<number, (answer: Readonly<Record<string, unknown>>) => void>();
  let errors = '';
  let failure: VaultError | undefined;
  const fail = (reason: string): void => {
    failure ??= new VaultError('unavailable', reason);
    for (const answer of waiting.values()) answer({});
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-limits.programErrorBytesMax);
  });
  child.stdin.on('error', () => undefined); // The end of the program says why.
  child.on('error', (error) => fail(`"${command}" could not be started: ${error.message}`));
  const ended = new Promise<void>((resolve) => {
    child.once('close', (code) => {
      fail(failureIn(errors) || `The program ended with the exit code ${code}.`);
      resolve();
    });
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.length > limits.firstAnswerBytesMax) return fail('An answer was too long.');
    const answer = answerIn(line);
    waiting.get(Number(answer['id']))?.(answer);
  });
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const exchange: Exchange = {
    notify: async (method) => send({ method }),
    request: async (method, params) => {
      if (failure !== undefined) throw failure;
      const id = waiting.size + 1;
      const late = setTimeout(
        () => fail(`There was no answer in ${limits.firstAnswerMs / 1000} seconds.`),
        limits.firstAnswerMs,
      );
      const answer = await new Promise<Readonly<Record<string, unknown>>>((resolve) => {
        waiting.set(id, resolve);
        send({ id, method, params });
      });
      clearTimeout(late);
      if (failure !== undefined) throw failure;
      const { error } = answer;
      if (error === undefined) return answer['result'];
      throw new VaultError('unavailable', String(record(error)['message']));
    },
  };
  try {
    return await firstCall(exchange, parts);
  } finally {
    child.stdin.end();
    const kill = setTimeout(() => child.kill('SIGKILL'), limits.shutdownMs);
    await ended;
    clearTimeout(kill);
  }
}

/** Why a program has ended: what we print, else the line in which Node names its error, else the last. */
function failureIn(errors: string): string | undefined {
  const all = errors.trim().split('\n');
  return lastFailure(errors) ?? all.find((line) => /^\w*Error\b.*: /.test(line)) ?? all.at(-1);
}

function answerIn(line: string): Readonly<Record<string, unknown>> {
  try {
    return record(JSON.parse(line));
  } catch {
    return {};
  }
}

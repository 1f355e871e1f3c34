import { limits } from '../../../base/limits.ts';
import { oneLine } from '../../../base/one-line.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { errnoOf } from '../../system/disk-error.ts';
import { findProgram, type ProgramPlace } from '../find-program.ts';
import { runProgram } from '../run-program.ts';

/** git in one folder, for one call. */
export class Git {
  readonly folder: string;
  readonly runner: GitRunner;
  readonly signal: AbortSignal;

  constructor(
    runner: GitRunner,
    { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
  ) {
    this.runner = runner;
    this.folder = folder;
    this.signal = signal;
  }

  /** The same in another folder. */
  in(folder: string): Git {
    return new Git(this.runner, { folder, signal: this.signal });
  }

  /** The same for cleaning up, which is done even when the call is over. */
  afterwards(): Git {
    return new Git(this.runner, { folder: this.folder, signal: new AbortController().signal });
  }

  run(...args: readonly string[]): Promise<GitAnswer> {
    return this.runner.run('git', args, this);
  }

  /** What it prints; undefined when it has nothing to say to that (exit code 1). */
  async ask(...args: readonly string[]): Promise<string | undefined> {
    const answer = await this.run(...args);
    if (answer.exitCode === 1) return undefined;
    if (answer.exitCode === 0) return answer.stdout === '' ? undefined : answer.stdout;
    throw gitFailed(args[0] ?? '', answer, 'Nothing was committed.');
  }

  /** What it prints. Fails with `unavailable` and what it said when it fails. */
  async must(...args: readonly string[]): Promise<string> {
    const answer = await this.run(...args);
    if (answer.exitCode === 0) return answer.stdout;
    throw gitFailed(args[0] ?? '', answer, 'Nothing was committed.');
  }
}

/** The failure of a git command, with what it said for the caller and what is left of it. */
export function gitFailed(command: string, { said }: GitAnswer, left: string): VaultError {
  return new VaultError('unavailable', `"git ${command}" failed in the checkout. ${left}`, {
    ...(said === '' ? {} : { excerpt: said }),
  });
}

const outputBytesMax = 1024 * 1024;
const saidLinesMax = 6;
const saidLineCharsMax = 300;

/** Would make git work elsewhere than in the folder it is started in: it may come from a hook. */
const elsewhere = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
]);

export interface GitAnswer {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** Without line ends around it. */
  readonly stdout: string;
  /** What it said about its failure, on few lines, for the caller and never for a log. */
  readonly said: string;
}

/** Runs git and gh in folders of this machine, without a terminal to ask anything on. */
export class GitRunner {
  readonly #place: ProgramPlace;

  constructor({ env, platform }: ProgramPlace) {
    const kept = Object.entries(env).filter(
      ([name]) => !elsewhere.has(name) && !name.startsWith('VAULTDOOR_') && name !== 'NODE_OPTIONS',
    );
    const quiet = {
      GIT_TERMINAL_PROMPT: '0',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_EDITOR: ':',
      GH_PROMPT_DISABLED: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
      NO_COLOR: '1',
    };
    this.#place = { env: { ...Object.fromEntries(kept), ...quiet }, platform };
  }

  has(name: 'git' | 'gh'): boolean {
    return this.#find(name) !== undefined;
  }

  /** Runs one of them, and answers however it ended. Fails with `unavailable` without it. */
  async run(
    name: 'git' | 'gh',
    args: readonly string[],
    { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
  ): Promise<GitAnswer> {
    const program = this.#find(name);
    if (program === undefined) throw notInstalled(name);
    try {
      const { exitCode, stdout, stderr } = await runProgram(program, args, {
        env: this.#place.env,
        cwd: folder,
        signal,
        deadlineMs: limits.publishMs,
        awaitsEnd: true,
        outputBytesMax,
        says: {
          late: `${name} took longer than ${limits.publishMs} ms; whether it did what was asked is not known. Look at the checkout.`,
          stopped: `Whether ${name} did what was asked is not known; look at the checkout.`,
          tooMuch: `${name} answered with more than ${outputBytesMax} bytes.`,
        },
      });
      const out = Buffer.from(stdout).toString();
      return { exitCode, stdout: out.trim(), said: fewLines(stderr.trim() || out, folder) };
    } catch (error) {
      const errno = errnoOf(error);
      if (error instanceof VaultError || errno === undefined) throw error;
      const message = `${name} could not be started (${errno}); look whether the checkout is there.`;
      throw new VaultError('unavailable', message, { cause: error, details: { errno } });
    }
  }

  #find(name: string): string | undefined {
    const file = this.#place.platform === 'win32' ? `${name}.exe` : name;
    return findProgram([file], this.#place);
  }
}

/** The last lines of what a program said, without where on this machine it ran. */
function fewLines(text: string, folder: string): string {
  return text
    .replaceAll(folder, 'the checkout')
    .replace(/:\/\/[^/\s]*@/g, '://') // An address may hold a password, with an @ in it.
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('hint:'))
    .slice(-saidLinesMax)
    .map((line) => oneLine(line, saidLineCharsMax))
    .join('\n');
}

function notInstalled(name: string): VaultError {
  return new VaultError(
    'unavailable',
    `${name} is not installed on the server; whoever runs it installs it and makes sure that it is on PATH.`,
  );
}

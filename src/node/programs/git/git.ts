import { limits } from '../../../base/limits.ts';
import { oneLine } from '../../../base/one-line.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { errnoOf } from '../../system/disk-error.ts';
import { findProgram, type ProgramPlace } from '../find-program.ts';
import { runProgram } from '../run-program.ts';

/** The commands of git that write, or talk to the remote. They do not outlive us. */
const writing = new Set(['add', 'commit', 'fetch', 'push', 'reset', 'rm', 'worktree']);

interface GitPlace {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly settings: readonly string[];
}

/** Runs git in one folder, for one call of a tool. */
export class Git {
  readonly folder: string;
  readonly runner: GitRunner;
  readonly signal: AbortSignal;
  /** Settings of git, `name=value`, that hold for every run. */
  readonly settings: readonly string[];

  constructor(runner: GitRunner, { folder, signal, settings }: GitPlace) {
    this.runner = runner;
    this.folder = folder;
    this.signal = signal;
    this.settings = settings;
  }

  /** The same for another folder. */
  in(folder: string): Git {
    return new Git(this.runner, { ...this, folder });
  }

  /** The same, but it also works after the call is cancelled: for cleaning up. */
  afterwards(): Git {
    return new Git(this.runner, { ...this, signal: new AbortController().signal });
  }

  /** The same with these settings in place of its own. */
  with(settings: readonly string[]): Git {
    return new Git(this.runner, { ...this, settings });
  }

  /** Runs git, and resolves whatever its exit code. */
  run(...args: readonly string[]): Promise<GitAnswer> {
    const settings = this.settings.flatMap((setting) => ['-c', setting]);
    return this.runner.run('git', [...settings, ...args], this, {
      diesWithUs: writing.has(args[0] ?? ''),
    });
  }

  /** What git prints; undefined when that is nothing, or when it exits with 1 ("not found"). */
  async ask(...args: readonly string[]): Promise<string | undefined> {
    const answer = await this.run(...args);
    if (answer.exitCode === 1) return undefined;
    if (answer.exitCode === 0) return answer.stdout === '' ? undefined : answer.stdout;
    throw gitFailed(args[0] ?? '', answer, 'Nothing was committed.');
  }

  /** What git prints. Fails with `unavailable`, and git's own words, when git fails. */
  async must(...args: readonly string[]): Promise<string> {
    const answer = await this.run(...args);
    if (answer.exitCode === 0) return answer.stdout;
    throw gitFailed(args[0] ?? '', answer, 'Nothing was committed.');
  }
}

/** The error for a failed git command. `consequence` is a sentence that says what was done. */
export function gitFailed(command: string, { said }: GitAnswer, consequence: string): VaultError {
  return new VaultError('unavailable', `"git ${command}" failed in the checkout. ${consequence}`, {
    ...(said === '' ? {} : { excerpt: said }),
  });
}

const outputBytesMax = 1024 * 1024;
/** How many lines of git's own words are shown, and how long they may be. */
const saidLinesMax = 6;
const saidLineCharsMax = 300;

/**
 * Variables that would make git work in another folder than the one it is started in. They are set
 * when Vaultdoor itself is started from a git hook.
 */
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

interface GitAnswer {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** Without white space around it. */
  readonly stdout: string;
  /** The last lines that it printed about its failure. For the caller, never for a log. */
  readonly said: string;
}

/** Runs git and gh so that they never ask anything on a terminal. */
export class GitRunner {
  readonly #place: ProgramPlace;

  constructor({ env, platform }: ProgramPlace) {
    const kept = Object.entries(env).filter(
      ([name]) => !elsewhere.has(name) && !name.startsWith('VAULTDOOR_') && name !== 'NODE_OPTIONS',
    );
    // Nothing may ask, page, colour or open an editor.
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

  /** Runs one of them, and resolves whatever its exit code. Fails with `unavailable` without it. */
  async run(
    name: 'git' | 'gh',
    args: readonly string[],
    { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
    { diesWithUs = true }: { readonly diesWithUs?: boolean } = {},
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
        ...(diesWithUs ? { diesWithUs: {} } : {}),
        outputBytesMax,
        says: {
          late: `${name} did not finish in time, and it is not known whether it has done its work; look at the git checkout.`,
          stopped: `It is not known whether ${name} has finished its work; look at the git checkout.`,
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

/** The last lines of what a program said, without the path on this machine and without passwords. */
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
    `${name} is not installed on the server. The person who runs the server must install it so that it is on PATH.`,
  );
}

import { VaultError } from '../../../base/vault-error.ts';
import type { GitAnswer, GitRunner } from './git-runner.ts';

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

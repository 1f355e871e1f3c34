import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type {
  AppCommand,
  AppCommandName,
  ObsidianApp,
} from '../../../engine/ports/obsidian-app.ts';
import { notRunningMessage } from '../../../engine/ports/obsidian-app.ts';
import type { UserPlace } from '../../place/app-folders.ts';
import { errnoOf } from '../../system/disk-error.ts';
import { findProgram, isProgram } from '../find-program.ts';
import { type ProgramResult, runProgram } from '../run-program.ts';
import { obsidianAnswer } from './obsidian-answer.ts';
import { obsidianArguments } from './obsidian-arguments.ts';
import { appVaultName } from './obsidian-vaults.ts';
import { openAddress } from './open-address.ts';

interface CommandTraits {
  readonly deadlineMs: number;
  /** Whether it always prints an answer. On Windows, `Obsidian.exe` prints nothing at all. */
  readonly confirms: boolean;
}

/** Commands that only list something are fast; a command of Obsidian's palette may take long. */
const traits: Readonly<Record<AppCommandName, CommandTraits>> = {
  open: { deadlineMs: 20_000, confirms: true },
  command: { deadlineMs: limits.appDeadlineMs, confirms: true },
  commands: { deadlineMs: 15_000, confirms: false },
  tabs: { deadlineMs: 15_000, confirms: false },
  recents: { deadlineMs: 15_000, confirms: false },
};

interface ObsidianCliOptions {
  /** The vault's real path. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Deadlines that replace those of the table. */
  readonly deadlinesMs?: Readonly<Partial<Record<AppCommandName, number>>>;
}

/**
 * The Obsidian app, reached through its official CLI. Starts nothing by itself: the CLI is looked for
 * at the first command, and again at the next one if it was not found.
 */
export function openObsidianCli(options: ObsidianCliOptions): ObsidianApp {
  return new ObsidianCli(options);
}

class ObsidianCli implements ObsidianApp {
  readonly #options: ObsidianCliOptions;
  readonly #place: UserPlace;
  #program: string | undefined;
  #running = 0;

  constructor(options: ObsidianCliOptions) {
    const { env, platform } = options;
    this.#options = options;
    const home = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'] || homedir();
    this.#place = { platform, env: programEnv(env, platform), home };
  }

  async run(command: AppCommand, { signal }: { readonly signal: AbortSignal }): Promise<string> {
    const program = this.#find();
    if (program === undefined) throw notInstalled(this.#options.env['OBSIDIAN_CLI']);
    const vault = await appVaultName(this.#options.root, this.#place);
    const args = obsidianArguments(vault, command);
    const answer = obsidianAnswer(await this.#start(program, args, { name: command.name, signal }));
    if (answer === '' && traits[command.name].confirms) throw saidNothing();
    return answer;
  }

  async open(
    path: VaultPath,
    { signal, newTab = false }: { readonly signal: AbortSignal; readonly newTab?: boolean },
  ): Promise<{ readonly by: 'cli' | 'uri' }> {
    if (this.#find() !== undefined) {
      await this.run({ name: 'open', path, flags: newTab ? ['newtab'] : [] }, { signal });
      return { by: 'cli' };
    }
    // With an absolute path there can be no other vault of the same name.
    const file = encodeURIComponent(Buffer.from(join(this.#options.root, path)).toString());
    const address = `obsidian://open?path=${file}${newTab ? '&paneType=tab' : ''}`;
    if (await openAddress(address, { ...this.#place, signal })) return { by: 'uri' };
    throw new VaultError('app_not_running', notRunningMessage);
  }

  /** The path of the CLI; undefined when it is not installed. */
  #find(): string | undefined {
    if (this.#program === undefined || !isProgram(this.#program)) {
      this.#program = findCli(this.#options);
    }
    return this.#program;
  }

  async #start(
    program: string,
    args: readonly string[],
    { name, signal }: { readonly name: AppCommandName; readonly signal: AbortSignal },
  ): Promise<ProgramResult> {
    if (this.#running >= limits.appCommandsMax) throw tooMany();
    const deadlineMs = this.#options.deadlinesMs?.[name] ?? traits[name].deadlineMs;
    this.#running++;
    try {
      return await runProgram(program, args, {
        env: this.#place.env,
        signal,
        deadlineMs,
        outputBytesMax: limits.appOutputBytesMax,
        says: {
          late: 'Obsidian did not answer in time. Only the app knows whether it did what was asked: look there, and whether it is busy or asks something, before you try again.',
          stopped: 'Only the app knows whether it did what was asked.',
          tooMuch: `Obsidian answered with more than ${limits.appOutputBytesMax} bytes; ask for less.`,
        },
      });
    } catch (error) {
      throw couldNotStart(error);
    } finally {
      this.#running--;
    }
  }
}

/** The path in `OBSIDIAN_CLI`, else the CLI on PATH; undefined when there is none. */
function findCli({ env, platform }: ObsidianCliOptions): string | undefined {
  const given = env['OBSIDIAN_CLI'];
  if (!given)
    return findProgram([platform === 'win32' ? 'Obsidian.com' : 'obsidian'], { env, platform });
  // On Windows, Obsidian.exe is the app, which prints nothing; the CLI Obsidian.com is beside it.
  const cli = platform === 'win32' ? given.replace(/\.exe$/i, '.com') : given;
  return isAbsolute(cli) && isProgram(cli) ? cli : undefined;
}

/**
 * The environment for Obsidian's programs. The CLI looks for the app's socket in `XDG_RUNTIME_DIR`,
 * which MCP clients do not pass on, so it is set again. The variables with which Electron clients
 * make their own program run as Node are removed, or Obsidian would run as Node too.
 */
function programEnv(
  given: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Readonly<Record<string, string | undefined>> {
  const { ELECTRON_RUN_AS_NODE: _, NODE_OPTIONS: __, ...env } = given;
  if (platform !== 'linux' || env['XDG_RUNTIME_DIR']) return env;
  const folder = `/run/user/${process.getuid?.() ?? ''}`;
  return existsSync(folder) ? { ...env, XDG_RUNTIME_DIR: folder } : env;
}

function couldNotStart(error: unknown): unknown {
  const errno = errnoOf(error);
  if (error instanceof VaultError || errno === undefined) return error;
  return new VaultError(
    'unavailable',
    `The Obsidian CLI could not be started (${errno}). Check OBSIDIAN_CLI, or "obsidian" on PATH.`,
    { cause: error, details: { errno } },
  );
}

function notInstalled(given: string | undefined): VaultError {
  return new VaultError(
    'unavailable',
    given
      ? 'OBSIDIAN_CLI is not the absolute path of a program; set it to the CLI of Obsidian.'
      : 'The CLI of Obsidian is not installed. Turn it on in Obsidian under Settings > General > Command line interface, or set OBSIDIAN_CLI to its path.',
  );
}

function saidNothing(): VaultError {
  return new VaultError(
    'unavailable',
    'The Obsidian CLI answered nothing, so the command was probably not carried out. On Windows, set OBSIDIAN_CLI to Obsidian.com instead of Obsidian.exe.',
  );
}

function tooMany(): VaultError {
  return new VaultError(
    'busy',
    `${limits.appCommandsMax} commands are waiting for Obsidian already; try again in a moment.`,
    { details: { retryAfterMs: limits.busyRetryMs } },
  );
}

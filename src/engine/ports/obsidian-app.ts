import type { VaultPath } from '../../base/vault-path.ts';

/**
 * The commands of the official CLI that we use, because only the running app can answer them.
 * `move` and `rename` are not among them: the app rewrites links late, and at offsets that may be
 * outdated.
 */
export type AppCommandName = 'open' | 'command' | 'commands' | 'tabs' | 'recents';

interface AppParameters {
  /** Parameters as `name=value`, e.g. `{ id: 'app:reload' }`; undefined ones are left out. */
  readonly values?: Readonly<Record<string, string | undefined>>;
  /** Words without a value, e.g. `newtab`. */
  readonly flags?: readonly string[];
}

/**
 * One command of the CLI. Values are plain text: the port escapes them for the CLI. A command about
 * a file names it by its path; without one the CLI would take the active file.
 */
export type AppCommand = AppParameters &
  (
    | { readonly name: 'open'; readonly path: VaultPath }
    | { readonly name: Exclude<AppCommandName, 'open'>; readonly path?: undefined }
  );

/** The contract's sentence for an app that cannot be reached. */
export const notRunningMessage =
  'Obsidian application is not running. Please start Obsidian and try again.';

/** The Obsidian app that has this vault open. */
export interface ObsidianApp {
  /**
   * Runs one command of the official CLI for this vault and answers what it printed, without the
   * final newline. Fails with `app_not_running`, `busy`, `unavailable` (not installed, switched off,
   * failed), `vault_not_found` (the app does not know this vault), `not_found` (it says that
   * something does not exist), `invalid_input` (a value that the CLI cannot be given), `timeout` or
   * `too_large`.
   */
  run(command: AppCommand, options: { readonly signal: AbortSignal }): Promise<string>;
  /**
   * Shows a file in the app: through the CLI or, where that is not installed, by an `obsidian://`
   * address given to the platform's opener. Fails with `app_not_running` where there is neither.
   */
  open(
    path: VaultPath,
    options: { readonly signal: AbortSignal; readonly newTab?: boolean },
  ): Promise<{ readonly by: 'cli' | 'uri' }>;
}

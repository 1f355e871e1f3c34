import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { checkAllowed } from '../../decide/decide.ts';
import { findNote } from '../../notes/find-note.ts';
import type { AppCommand, ObsidianApp } from '../../ports/obsidian-app.ts';
import { notRunningMessage } from '../../ports/obsidian-app.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

// Operations on the running Obsidian app. All fail as `ObsidianApp` does, e.g. with
// `app_not_running`.

/**
 * Opens a note in the Obsidian app, and returns its path. Fails with `not_found` or `ambiguous`
 * when the name does not lead to one file.
 */
export async function openInApp(
  vault: BoundVault,
  { name }: { readonly name: NoteName },
): Promise<{ readonly path: VaultPath }> {
  const path = await findNote(vault, name);
  await appOf(vault).open(path, { signal: vault.caller.signal });
  return { path };
}

/**
 * Lists the ids of the app's commands that begin with `filter`, or all. Fails with `forbidden` for
 * a caller who sees only a part of the vault.
 */
export async function listAppCommands(
  vault: BoundVault,
  { filter }: { readonly filter?: string | undefined },
): Promise<readonly string[]> {
  checkAllowed(vault.caller, { wholeVault: 'app' });
  const lines = await linesFrom(vault, { name: 'commands', values: { filter } });
  return lines.flatMap(commandId);
}

/**
 * Runs a command of the app. What the command changes cannot be undone from here. Fails with
 * `forbidden` for a caller who sees only a part of the vault, or may only propose.
 */
export async function runAppCommand(
  vault: BoundVault,
  { id }: { readonly id: string },
): Promise<void> {
  checkAllowed(vault.caller, { effect: 'destroy', atOnce: 'outside', wholeVault: 'app' });
  await linesFrom(vault, { name: 'command', values: { id } });
}

/** A tab of the app; `type` is absent when the app does not say it. */
interface AppTab {
  readonly type?: string;
  readonly title: string;
}

/**
 * Lists the open tabs of the app. Fails with `forbidden` for a caller who sees only a part of the
 * vault.
 */
export async function listAppTabs(vault: BoundVault): Promise<readonly AppTab[]> {
  checkAllowed(vault.caller, { wholeVault: 'app' });
  return (await linesFrom(vault, { name: 'tabs' })).map(tabOf);
}

/** Lists the files that were last opened in the app, without those that the caller may not see. */
export async function listAppRecents(vault: BoundVault): Promise<readonly string[]> {
  return (await linesFrom(vault, { name: 'recents' })).filter((path) => vault.sees(path));
}

function appOf(vault: BoundVault): ObsidianApp {
  const { app } = vault.vault.parts;
  if (app === undefined) throw new VaultError('app_not_running', notRunningMessage);
  return app;
}

/** Returns the lines that a command of the app prints, trimmed and without empty ones. */
async function linesFrom(vault: BoundVault, command: AppCommand): Promise<readonly string[]> {
  const printed = await appOf(vault).run(command, { signal: vault.caller.signal });
  return printed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

/** Returns the id at the beginning of a line; nothing for a line that is a sentence. */
function commandId(line: string): readonly string[] {
  const id = line.replace(/\t.*$/, '');
  return id.includes(':') || !id.includes(' ') ? [id] : [];
}

/** Reads a line like `[markdown] Welcome`; the tab's id follows after a tab character. */
function tabOf(line: string): AppTab {
  const { type, title = line } = /^\[(?<type>[^\]]*)\] ?(?<title>[^\t]*)/.exec(line)?.groups ?? {};
  return { ...(type === undefined ? {} : { type }), title };
}

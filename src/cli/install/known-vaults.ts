import { existsSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { UserPlace } from '../../node/place/app-folders.ts';
import { obsidianFiles, vaultsIn } from '../../node/programs/obsidian/obsidian-vaults.ts';
import { plain } from '../../tools/cli/text.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { askLine } from '../shell/terminal.ts';

/** The paths in Obsidian's own list of vaults, the one that was opened last first. */
export function obsidianList(machine: UserPlace): readonly string[] {
  return obsidianFiles(machine)
    .flatMap((file) => vaultsIn(textOf(file)))
    .sort((a, b) => b.openedMs - a.openedMs)
    .map(({ path }) => path);
}

/** The vaults in Obsidian's own list that still exist, the one opened last first. */
export function knownVaults(machine: UserPlace): readonly VaultChoice[] {
  const paths = obsidianList(machine).filter((path) => existsSync(path));
  const { basename } = machine.platform === 'win32' ? win32 : posix;
  return [...new Set(paths)].map((path) => ({ name: basename(path) || path, path }));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Lists the vaults and lets the person at the terminal type the number of one. Any other input, the
 * end of the input and Ctrl-C answer undefined.
 */
export async function chooseAtTerminal(
  shell: Shell,
  vaults: readonly VaultChoice[],
): Promise<VaultChoice | undefined> {
  shell.stderr.write(vaults.map(({ path }, at) => `  ${at + 1}  ${plain(path)}\n`).join(''));
  const answer = (await askLine(shell, `Which vault? [1-${vaults.length}] `)) ?? '';
  return vaults[/^\d{1,4}$/.test(answer) ? Number(answer) - 1 : -1];
}

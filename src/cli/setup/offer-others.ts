import { diffText } from '../../tools/cli/change-text.ts';
import { plain } from '../../tools/cli/text.ts';
import { planDiff, writePlan } from '../install/apply-plan.ts';
import { readConfigFile } from '../install/config-file.ts';
import { planUninstall } from '../install/plan-uninstall.ts';
import { isSameVault } from '../install/this-machine.ts';
import type { Shell } from '../shell/shell.ts';
import { askAt, paintFor } from '../shell/terminal.ts';
import type { ClientFile } from './call-as-clients.ts';

/**
 * Offers to take the entries of other servers for the same vault out of the apps' files: shows the
 * difference and asks, and does nothing unless the person says yes. Answers the files in which such
 * entries are left. `setup --undo` puts the entries back.
 */
export async function offerOthers(
  shell: Shell,
  files: readonly ClientFile[],
): Promise<readonly ClientFile[]> {
  const { stdout } = shell;
  const ask = askAt(shell.stdin, shell.stderr, shell.signal);
  const left: ClientFile[] = [];
  for (const file of files) {
    const others = file.plan.others ?? [];
    if (others.length === 0) continue;
    const without = await withoutOthers(file, others);
    const title = file.client.title;
    const names = others.map((name) => `"${plain(name)}"`).join(', ');
    const paint = paintFor(stdout, shell.env);
    stdout.write(
      `\n${paint.strong(title)} has another server for this vault: ${names}. With both, it may use the wrong tool.\n`,
    );
    stdout.write(diffText(planDiff(without, file.client), paint));
    if ((await ask?.(`\nTake ${names} out of ${title}?`)) !== true) {
      left.push(file);
      continue;
    }
    await writePlan(without);
    stdout.write(`Taken out of ${plain(file.file.path)}. "setup --undo" puts it back.\n`);
  }
  return left;
}

/** The file as it is now, and the plan to take these entries out of it. */
async function withoutOthers(
  { client, file: before }: ClientFile,
  others: readonly string[],
): Promise<ClientFile> {
  const file = await readConfigFile(before.path);
  const request = { section: client.section, vaults: [], isSameVault, backups: [] };
  let text = file.text ?? '';
  for (const entryName of others) {
    ({ text } = planUninstall({ file: file.path, text }, { ...request, entryName }));
  }
  return { client, file, plan: { text, entries: [] } };
}

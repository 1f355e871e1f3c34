import { lines, plain } from '../../tools/cli/text.ts';
import { writePlan } from '../install/apply-plan.ts';
import { readConfigFile } from '../install/config-file.ts';
import { planUninstall, valueAt } from '../install/plan-uninstall.ts';
import { keepTakenOut } from '../install/taken-out.ts';
import { isSameVault } from '../install/this-machine.ts';
import { hint } from '../options/program-text.ts';
import type { Shell } from '../shell/shell.ts';
import { askAt, paintFor } from '../shell/terminal.ts';
import { type Allowed, mayWords } from './allowed.ts';
import type { ClientFile } from './call-as-clients.ts';
import { listed } from './setup-words.ts';
import { otherCommand, otherName } from './shown-change.ts';
import { keptAsText } from './write-together.ts';

/** Says which other servers work on the same vault, and that {@link offerOthers} asks about them. */
export function othersAhead(files: readonly ClientFile[]): readonly string[] {
  return files
    .filter(({ plan }) => (plan.others ?? []).length > 0)
    .map((file) => {
      const them = (file.plan.others ?? []).length === 1 ? 'it' : 'them';
      return `${file.client.title} also has ${otherNames(file)} for this vault. You are asked about ${them} next.`;
    });
}

/**
 * Offers to take the entries of other servers for the same vault out of the apps' files: shows what
 * goes and asks, and does nothing unless the person says yes. `setup --undo` puts the entries back:
 * they are kept beside the file. Answers whether something was taken out.
 */
export async function offerOthers(
  shell: Shell,
  files: readonly ClientFile[],
  allow: Allowed,
): Promise<boolean> {
  const { stdout } = shell;
  let isTaken = false;
  const ask = askAt(shell.stdin, shell.stderr, shell.signal);
  for (const file of files) {
    const others = file.plan.others ?? [];
    if (others.length === 0) continue;
    const without = await withoutOthers(file, others);
    const title = file.client.title;
    const names = otherNames(file);
    const [it, entry, stays, other] =
      others.length === 1
        ? ['it', 'that entry', 'stays', 'the other one changes']
        : ['them', 'those entries', 'stay', 'the others change'];
    const paint = paintFor(stdout, shell.env);
    const entries = others.map(
      (name) => `  "${name}": ${otherCommand(without.file.text, name, file.client)}`,
    );
    stdout.write(
      lines([
        '',
        `${paint.strong(title)} also has ${names} for this vault. With both, it may use the wrong tool, and what ${other} cannot be undone here, so it is better to take ${it} out.${unlimited(allow, it)}`,
        `In ${plain(file.file.path)}:`,
        '',
        ...entries.map(plain),
      ]),
    );
    const asked = `\n${hint('setup --undo')} puts ${entry} back. Enter leaves ${it}, because another program made ${it}.\nTake ${names} out of ${title}?`;
    if ((await ask?.(asked)) !== true) {
      stdout.write(`${names} ${stays} in ${title}; if you run setup again, it asks again.\n`);
      continue;
    }
    const { section } = file.client;
    const text = without.file.text ?? '';
    const values = others.map((name) => [name, valueAt(text, [section, name])] as const);
    // First, so that they are never nowhere.
    await keepTakenOut(without.file, section, values);
    const { backup } = await writePlan(without);
    isTaken = true;
    stdout.write(`Taken out of ${plain(file.file.path)}${keptAsText(backup)}.\n`);
  }
  return isTaken;
}

/** Says that a right which was chosen for Vaultdoor does not hold for another program. */
function unlimited(allow: Allowed, it: string): string {
  return allow === 'change' ? '' : ` That Vaultdoor may ${mayWords[allow]} does not limit ${it}.`;
}

function otherNames({ client, file, plan }: ClientFile): string {
  return plain(listed((plan.others ?? []).map((name) => otherName(file.text, name, client))));
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

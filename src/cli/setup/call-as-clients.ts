import { record } from '../../base/json.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { counted, plain } from '../../tools/cli/text.ts';
import type { PlannedFile } from '../install/apply-plan.ts';
import type { Client, Machine } from '../install/client-places.ts';
import { readConfigFile } from '../install/config-file.ts';
import { valueAt } from '../install/plan-uninstall.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hint } from '../options/program-text.ts';
import type { Shell } from '../shell/shell.ts';
import { progressLine } from '../shell/terminal.ts';
import { type Allowed, mayWords } from './allowed.ts';
import { type ClientCommand, callCommand } from './call-command.ts';
import type { FirstCall } from './first-call.ts';
import { listed } from './setup-words.ts';

/** A file of a client with the plan for it. */
export interface ClientFile extends PlannedFile {
  readonly client: Client;
}

/** A command to be called once, with the clients that have it and the files that it is in. */
interface CalledCommand {
  readonly whose: Set<string>;
  readonly places: Set<string>;
  readonly command: ClientCommand;
}

/** How the first call went. */
export interface CalledClients {
  /** The titles of the clients whose command was called. */
  readonly titles: readonly string[];
  readonly tools?: number;
  readonly notes?: number;
  /** Clients that can read another number of notes, because some are hidden from them. */
  readonly others?: readonly { readonly title: string; readonly notes: number }[];
  /** Why it failed, as a sentence; absent when it did not. */
  readonly failure?: string;
}

/**
 * Makes the first call of each client, with the command that its file has now. Clients that have the
 * same command are called once.
 */
export async function callAsClients(
  shell: Shell,
  files: readonly ClientFile[],
  {
    machine,
    vault,
    json,
  }: { readonly machine: Machine; readonly vault: VaultChoice; readonly json: boolean },
): Promise<CalledClients> {
  const titles = [...new Set(files.map(({ client }) => client.title))];
  const progress = progressLine(shell.stderr, Date.now);
  if (!json) shell.stderr.write(`\nMaking the first call, as ${titles[0]} does …\n`);
  let called: CalledClients = { titles };
  const commands = new Map<string, CalledCommand>();
  for (const file of files) {
    for (const command of await commandsOf(file)) {
      const key = JSON.stringify(command);
      const known = commands.get(key) ?? { whose: new Set(), places: new Set(), command };
      known.whose.add(file.client.title);
      known.places.add(file.file.path);
      commands.set(key, known);
    }
  }
  for (const { whose, places, command } of commands.values()) {
    try {
      const answer = await callCommand(command, {
        place: machine,
        signal: shell.signal,
        version: shell.version,
        onWait: (message) => progress.show({ message, done: 0 }),
      });
      called = withAnswer(called, answer, whose);
    } catch (error) {
      if (shell.signal.aborted) {
        const says = `The first call was interrupted. The change stays; ${hint('setup --undo')} takes it back.`;
        throw new VaultError('cancelled', says);
      }
      const reason = toVaultError(error).message;
      const where = `The command that failed is in ${listed([...places])}.`;
      const failure = `${listed([...whose])} cannot read "${vault.name}" yet: ${reason}\n${where}`;
      return { titles, failure: failure.split('\n').map(plain).join('\n') };
    } finally {
      progress.clear();
    }
  }
  return called;
}

/** Adds the answer of a command: the first one counts, others where they differ. */
function withAnswer(
  called: CalledClients,
  answer: FirstCall,
  whose: ReadonlySet<string>,
): CalledClients {
  const { notes } = answer;
  if (called.notes === undefined) return { ...called, ...answer };
  if (notes === undefined || notes === called.notes) return called;
  const others = Array.from(whose, (title) => ({ title, notes }));
  return { ...called, others: [...(called.others ?? []), ...others] };
}

/** The commands that a client's file has now for the entries of the plan. */
async function commandsOf({ client, file, plan }: ClientFile): Promise<readonly ClientCommand[]> {
  const { text = '' } = await readConfigFile(file.path);
  return plan.entries.map(({ name }) => {
    const { command, args, env } = record(valueAt(text, [client.section, name]));
    return {
      command: String(command),
      args: Array.isArray(args) ? args.map(String) : [],
      env: Object.fromEntries(
        Object.entries(record(env)).map(([key, value]) => [key, String(value)]),
      ),
    };
  });
}

/** The sentence that says what the clients can read, and what else they may do. */
export function canReadText(
  { titles, notes, others = [] }: CalledClients,
  { vault, allow }: { readonly vault: VaultChoice; readonly allow: Allowed },
): string {
  const what = notes === undefined ? 'the notes' : counted(notes, 'note');
  const may = `may ${allow === 'change' ? 'change them' : mayWords[allow]}`;
  const first = titles.filter((title) => !others.some((other) => other.title === title));
  const rest = others.map((other) => `, ${other.title} ${counted(other.notes, 'note')}`).join('');
  return `${listed(first)} can read ${what} in "${plain(vault.name)}"${rest}${rest === '' ? ' and' : '; they'} ${may}.`;
}

import { plain } from '../../tools/cli/text.ts';
import { ourEntry } from '../install/plan-install.ts';
import { isSameVault } from '../install/this-machine.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { commandText } from '../shell/command-text.ts';
import { wrapText } from '../shell/wrap-text.ts';
import { type Allowed, allowed, allowedBy } from './allowed.ts';
import type { FoundClient } from './found-clients.ts';
import { listed } from './setup-words.ts';

/** What was decided: by questions, options, or what there is. */
export interface Decided {
  readonly vault: VaultChoice;
  readonly clients: readonly FoundClient[];
  readonly allow: Allowed;
  /** Whether a vault that is gone is this one now, also as the person has said. */
  readonly isMoved: (from: string, to: string) => boolean;
}

/** What a client may do with the vault by the entry that it had; undefined when it had none. */
export function allowedBefore(
  { ours }: FoundClient,
  { vault, isMoved }: Pick<Decided, 'vault' | 'isMoved'>,
): Allowed | undefined {
  const found = ourEntry(ours, vault.path, { isSameVault, isMoved });
  return found && allowedBy(found.flags);
}

/**
 * What to do now, how to see what the clients did, and how to take all of it back. Sentences are broken
 * to fit into `columns`, commands are not: a broken one cannot be copied.
 */
export function nextText(
  decided: Decided,
  { isWritten, columns = Number.POSITIVE_INFINITY }: { isWritten: boolean; columns?: number },
): readonly string[] {
  const { vault, clients, allow, isMoved } = decided;
  const others = clients.flatMap(({ client, ours }) =>
    ours
      .filter((server) => server.vault !== undefined && !isSameVault(server.vault, vault.path))
      .filter((server) => server !== ourEntry(ours, vault.path, { isSameVault, isMoved }))
      .map((server) => {
        const undo = commandText(['setup', '--undo'], server.vault);
        return `${client.title} keeps "${plain(server.vault ?? '')}" as well. To take that out: ${undo}`;
      }),
  );
  const isNew = clients.some((client) => allowedBefore(client, decided) === undefined);
  const undo = commandText(['setup', '--undo'], undefined);
  return [
    ...others,
    `See what the apps did: ${commandText(['console'], vault.path)}`,
    ...(allow === 'propose'
      ? [`Decide what they propose: there, or with ${commandText(['proposals'], vault.path)}`]
      : []),
    ...backCommands(decided).map((command) => `Take this back:        ${command}`),
    isNew && isWritten ? `Take this back:        ${undo}` : `Take Vaultdoor out:    ${undo}`,
    ...(isWritten
      ? ['', ...(isNew ? firstSteps(clients, columns) : restart(clients, columns))]
      : []),
  ];
}

/** The commands that allow again what clients were allowed before. */
function backCommands(decided: Decided): readonly string[] {
  const { vault, clients, allow } = decided;
  return allowed
    .filter((right) => right !== allow)
    .flatMap((right) => {
      const had = clients.filter((client) => allowedBefore(client, decided) === right);
      const words = had.flatMap(({ id }) => ['--client', id]);
      return had.length === 0
        ? []
        : [commandText(['setup', ...words, '--allow', right], vault.path)];
    });
}

/** A client starts Vaultdoor with the options that its file had then. */
function restart(clients: readonly FoundClient[], columns: number): readonly string[] {
  const titles = listed(clients.map(({ client }) => client.title));
  return wrapText(
    `Restart ${titles} for this to take effect: until then, what runs already may do what it could before.`,
    columns - 1,
  );
}

/** What a person does now, up to the first question to the app, and how one sees that it works. */
function firstSteps(clients: readonly FoundClient[], columns: number): readonly string[] {
  const steps = [
    ...clients.map(({ client }) => client.next),
    `Ask ${clients.length === 1 ? 'it' : 'one of them'}: "What did I write in my notes last week?" If it asks whether it may use Vaultdoor, it works: say yes.`,
  ];
  return [
    'What to do now:',
    ...steps.flatMap((step, at) =>
      wrapText(step, columns - 6).map((line, row) =>
        row === 0 ? `  ${at + 1}. ${line}` : `     ${line}`,
      ),
    ),
  ];
}

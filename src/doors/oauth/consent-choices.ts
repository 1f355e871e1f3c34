import { type Right, rightTo, type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { toVaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import {
  type ConsentChoice,
  type ConsentChosen,
  type ConsentDays,
  type ConsentView,
  consentDays,
} from '../../oauth/pages/consent-view.ts';
import type { Allowed, Grant } from '../../oauth/ports/oauth-book.ts';
import { dayInWords } from './shown-grant.ts';

const dayMs = 86_400_000;

const effectsOf: Readonly<Record<ConsentChoice, readonly Right[]>> = {
  read: ['read'],
  propose: ['read', 'propose'],
  change: ['read', 'write'],
  delete: ['read', 'write', 'destroy'],
};

/** What the owner can choose, for what the server allows at all. */
export function choicesFor(rights: readonly Right[]): readonly ConsentChoice[] {
  const offered: Readonly<Record<ConsentChoice, boolean>> = {
    read: rights.includes('read'),
    propose: rights.includes('read') && rightTo('write', rights) !== undefined,
    change: rights.includes('read') && rights.includes('write'),
    delete: rights.includes('write') && rights.includes('destroy'),
  };
  return consentOrder.filter((choice) => offered[choice]);
}

const consentOrder: readonly ConsentChoice[] = ['read', 'propose', 'change', 'delete'];

/**
 * What the client has asked for as a choice, and the choice that is selected at first: the same or the
 * next lesser one that the server offers, and never `delete`.
 */
export function askedChoice(
  asked: readonly Right[],
  choices: readonly ConsentChoice[],
): { readonly asked?: ConsentChoice; readonly preselected: ConsentChoice } {
  const choice = wordFor(asked);
  const upTo = consentOrder.indexOf(choice === 'delete' ? 'change' : choice);
  const preselected = consentOrder.slice(0, upTo + 1).findLast((one) => choices.includes(one));
  return {
    ...(choices.includes(choice) && { asked: choice }),
    preselected: preselected ?? 'read',
  };
}

function wordFor(asked: readonly Right[]): ConsentChoice {
  if (asked.includes('destroy')) return 'delete';
  if (asked.includes('write')) return 'change';
  return asked.includes('propose') ? 'propose' : 'read';
}

/**
 * The connection that is changed unless the owner chooses otherwise: the latest one that lacks
 * something the client asks for now, and that the server could allow.
 */
export function changeDefault(
  existing: readonly Grant[],
  asked: { readonly rights: readonly Right[]; readonly ofServer: readonly Right[] },
): string | undefined {
  const wanted = asked.rights.filter((right) => asked.ofServer.includes(right));
  const lacking = existing.filter(({ effects }) =>
    wanted.some((right) => !effects.includes(right)),
  );
  const [latest] = lacking.toSorted((one, other) => lastMs(other) - lastMs(one));
  return latest?.id;
}

function lastMs({ usedMs, createdMs }: Grant): number {
  return usedMs ?? createdMs;
}

/** What the owner has entered, and what follows from it; or also what is wrong with it. */
export type ReadChoices =
  | {
      readonly chosen: ConsentChosen;
      readonly allowed: Allowed;
      /** The id of the connection that is changed. */
      readonly change?: string;
    }
  | {
      readonly chosen: ConsentChosen;
      readonly message: string;
      readonly wrongAt?: NonNullable<ConsentView['wrongAt']>;
    };

/** Reads the form of the consent page. Nothing about the client is taken from it. */
export function readChoices(
  form: URLSearchParams,
  context: {
    readonly choices: readonly ConsentChoice[];
    readonly existing: readonly Grant[];
    readonly checkFolder: (text: string) => VaultFolder;
    readonly nowMs: number;
  },
): ReadChoices {
  const rights = context.choices.find((choice) => choice === form.get('rights'));
  const typed = form.getAll('folder').map((text) => text.trim());
  const folders = typed.filter((text) => text !== '');
  const sentTools = form.getAll('tools');
  const tools = servedToolsets.filter((toolset) => sentTools.includes(toolset));
  const days = consentDays.find((one) => one === form.get('days'));
  const sentGrant = form.get('grant') ?? 'new';
  const where = form.get('where');
  const chosen: ConsentChosen = {
    rights: rights ?? 'read',
    // Names that were typed are shown again, also where the whole vault was chosen: see below.
    where: where === 'folders' || folders.length > 0 ? 'folders' : 'all',
    folders,
    tools: tools.length === 0 ? usualTools : tools,
    days: days ?? '90',
    grant: sentGrant,
  };
  const wrong = (message: string): ReadChoices => ({ chosen, message });
  const wrongFolders = (message: string): ReadChoices => ({
    ...wrong(message),
    wrongAt: 'folders',
  });
  if (rights === undefined) return wrong('Choose what the app may do.');
  if (days === undefined) return wrong('Choose for how long.');
  if (where !== 'all' && where !== 'folders') return wrong('Choose the whole vault or folders.');
  if (where === 'folders' && folders.length === 0)
    return wrongFolders('Choose at least one folder.');
  if (where === 'all' && folders.length > 0) {
    return wrongFolders(
      'You have named folders and also chosen the whole vault. For the whole vault, remove the names first.',
    );
  }
  const change = context.existing.find(({ id }) => id === sentGrant)?.id;
  if (change === undefined && sentGrant !== 'new') {
    return wrong('The connection that you wanted to change has ended. Add a new one.');
  }
  const checked =
    where === 'all' ? { folders: wholeVault } : checkAll(folders, context.checkFolder);
  if ('message' in checked) return wrongFolders(checked.message);
  if (where === 'folders' && checked.folders.includes(wholeFolder)) {
    return wrongFolders(
      'One of the folders is the whole vault. Choose that above, or name a folder in it.',
    );
  }
  const endsMs = days === 'never' ? undefined : endOf(days, context.nowMs);
  const allowed: Allowed = {
    effects: effectsOf[rights],
    folders: checked.folders,
    tools: chosen.tools,
    ...(endsMs !== undefined && { endsMs }),
  };
  return { chosen, allowed, ...(change !== undefined && { change }) };
}

/** When a connection for so many days ends. */
function endOf(days: Exclude<ConsentDays, 'never'>, nowMs: number): number {
  return nowMs + Number(days) * dayMs;
}

/** The day on which a connection ends, for each number of days that the owner can choose. */
export function lastDays(nowMs: number): ConsentView['lastDays'] {
  const day = (days: Exclude<ConsentDays, 'never'>): string => dayInWords(endOf(days, nowMs));
  return { '1': day('1'), '30': day('30'), '90': day('90'), '365': day('365') };
}

const usualTools: readonly ServedToolset[] = ['notes'];
const wholeFolder = '' as VaultFolder;
const wholeVault: readonly VaultFolder[] = [wholeFolder];

function checkAll(
  typed: readonly string[],
  checkFolder: (text: string) => VaultFolder,
): { readonly folders: readonly VaultFolder[] } | { readonly message: string } {
  try {
    return { folders: Array.from(new Set(typed.map(checkFolder))) };
  } catch (error) {
    const { code, message } = toVaultError(error);
    if (code === 'internal') throw error;
    return { message };
  }
}

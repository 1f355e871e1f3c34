import { existsSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { findProgram, isProgram } from '../../node/programs/find-program.ts';
import { plainPaint } from '../../tools/wording/plain-voice.ts';
import { removeLocal } from '../install/local-entries.ts';
import { isMoved, isSameVault } from '../install/this-machine.ts';
import { allowedBy, mayWords } from '../setup/allowed.ts';
import { commandText } from '../shell/command-text.ts';
import type { Shell } from '../shell/shell.ts';
import type { ClientFile } from './client-files.ts';
import {
  absent,
  bad,
  command,
  type Finding,
  hidden,
  joined,
  known,
  ok,
  type Said,
  said,
  warning,
} from './finding.ts';
import type { VaultLook } from './look-at-vault.ts';

interface ClientParts {
  readonly env: Shell['env'];
  /** What was found at the vaults of the entries, by their paths. */
  readonly looks: ReadonlyMap<string, VaultLook>;
  /** Vaults that exist here, of which one may be a vault that was moved. */
  readonly listed: readonly string[];
  /** Whether apps come another way than through their files: to a server. */
  readonly isServer: boolean;
}

/**
 * Whether each client can start our program for a vault that exists. Where none of them uses
 * Vaultdoor, and no server does, that is the first finding.
 */
export function examineClients(
  files: readonly ClientFile[],
  parts: ClientParts,
): readonly Finding[] {
  const findings = files.flatMap((file) => [
    examineClient(file, parts),
    ...otherFindings(file),
    ...doubleFindings(file),
    ...localFindings(file),
  ]);
  if (parts.isServer || findings.some(({ state, isAbsent }) => state !== 'ok' || !isAbsent)) {
    return findings;
  }
  const here = files.filter(({ is }) => is !== 'not installed').map(({ title }) => title);
  const names = Array.from(new Set(here)).join(', ');
  const found = known(names === '' ? 'none that setup knows' : names);
  return [
    {
      ...warning(
        'apps',
        said`No app uses Vaultdoor yet. Apps on this machine: ${found}.`,
        said`Run "${command(['setup'])}".`,
      ),
      isNothing: true,
    },
    ...findings,
  ];
}

function examineClient(file: ClientFile, parts: ClientParts): Finding {
  const { client, title, is, entries, isOfProject } = file;
  const check = isOfProject ? `${client}, project` : client;
  const words = ['install', client, ...(isOfProject ? ['--project'] : [])];
  const install = command(words);
  switch (is) {
    case 'not installed':
      return absent(check, said`${known(title)} is not installed.`);
    case 'missing':
      return absent(check, said`It has no entry of Vaultdoor. "${install}" adds one.`);
    case 'unusable':
      return bad(
        check,
        file.fault ?? said`Its file cannot be used.`,
        file.backup !== undefined
          ? said`Repair it in an editor, or put ${hidden(`"${file.backup.path}"`, 'its backup')} in its place: so the file was on ${known(plainPaint.when(file.backup.timeMs))}, and what the app has written since is lost. Then run "${command(['setup'])}" or "${install}".`
          : said`Repair it in an editor. Then run "${command(['setup'])}" or "${install}".`,
      );
    case 'read':
      break;
  }
  if (entries.length === 0) {
    return absent(check, said`It has no entry of Vaultdoor. "${install}" adds one.`);
  }
  for (const entry of entries) {
    const trouble = entryTrouble(entry, { ...parts, words });
    if (trouble !== undefined) return bad(check, trouble.says, trouble.change);
  }
  const each = entries.map(({ name, vault, may, hides }) =>
    joined(
      said`${hidden(`"${name}"`, 'An entry')} opens ${hidden(`"${vault}"`, 'a vault that exists')} and may ${known(mayWords[may])}.`,
      ...(hides === undefined
        ? []
        : [hidden(`What ${hides} names is hidden from it.`, 'Some notes are hidden from it.')]),
    ),
  );
  const rights = Array.from(
    new Set(
      entries.map(
        ({ may, hides }) =>
          `may ${mayWords[may]}${hides === undefined ? '' : ', some notes hidden'}`,
      ),
    ),
  );
  return { ...ok(check, joined(...each)), inShort: rights.join('; ') };
}

/** Servers of other programs for the same vault: the app then has two tools for one thing. */
function otherFindings({ client, title, others, isOfProject }: ClientFile): readonly Finding[] {
  return others.map(({ name, shown }) =>
    warning(
      isOfProject ? `${client}, project` : client,
      said`${known(title)} has a second server for the same vault: ${hidden(shown, 'an entry of another program')}. With both, it may use the wrong tool, and what the other one changes cannot be undone here.`,
      isOfProject
        ? said`Take ${hidden(`"${name}"`, 'its entry')} out of the file.`
        : said`Run "${command(['setup'])}": it offers to take ${hidden(`"${name}"`, 'its entry')} out.`,
    ),
  );
}

/**
 * Second entries of ours for a vault, as setup and `claude mcp add` make together: the app then has each
 * tool twice, and may do what either entry lets it. The one that allows least should stay.
 */
function doubleFindings({ client, title, entries, isOfProject }: ClientFile): readonly Finding[] {
  const words = ['uninstall', client, ...(isOfProject ? ['--project'] : [])];
  const leastFirst = entries.toSorted((a, b) => limitsOf(b) - limitsOf(a));
  return leastFirst.flatMap((entry, at) => {
    const { vault } = entry;
    const first = leastFirst
      .slice(0, at)
      .find((other) => vault && other.vault && isSameVault(other.vault, vault));
    if (first === undefined) return [];
    return [
      warning(
        isOfProject ? `${client}, project` : client,
        said`${known(title)} has two entries of Vaultdoor for the same vault, ${hidden(`"${first.name}" and "${entry.name}"`, 'with different names')}: it has each tool twice, and what one entry forbids or hides, the other may allow.`,
        said`Take one out: "${hidden(commandText([...words, '--name', entry.name], undefined), `${commandText(words, undefined)} --name …`)}".`,
      ),
    ];
  });
}

/** How much less an entry allows than another: first by what it may do, then by whether it hides notes. */
function limitsOf({ may, hides }: ClientFile['entries'][number]): number {
  const byRight = { change: 0, propose: 2, read: 4 } as const;
  return byRight[may] + (hides === undefined ? 0 : 1);
}

/**
 * Entries that hold in one folder only. There they come before the others, so what setup allows or
 * forbids does not hold.
 */
function localFindings({ client, title, local }: ClientFile): readonly Finding[] {
  return local.map((entry) =>
    warning(
      `${client}, in a folder`,
      said`In the folder ${hidden(`"${entry.folder}"`, 'of a project')}, ${known(title)} has an entry ${hidden(`"${entry.server.name}"`, 'of Vaultdoor')} of its own, which may ${known(mayWords[allowedBy(entry.server.flags)])}. Setup leaves it as it is.`,
      said`To take it out, type in that folder: "${hidden(removeLocal(entry), 'claude mcp remove …')}".`,
    ),
  );
}

function entryTrouble(
  { name, starts, vault }: ClientFile['entries'][number],
  { env, looks, listed, words }: ClientParts & { readonly words: readonly string[] },
): { readonly says: Said; readonly change: Said } | undefined {
  const entry = hidden(`entry "${name}"`, 'entry');
  // With its name, so that this entry is written again, with its options, and none is added.
  const again = (path: string): Said => ({
    shown: commandText([...words, '--name', name], path),
    reported: `${commandText(words, undefined)} --name … --vault …`,
  });
  const missing = missingProgram(starts, env);
  if (missing !== undefined) {
    return {
      says: said`Its ${entry} starts a program that does not exist: ${hidden(missing, 'Node or our script')}.`,
      change: said`Write the entry again: "${again(vault ?? '/path/of/the/vault')}".`,
    };
  }
  if (vault === undefined) {
    return {
      says: said`Its ${entry} names no vault.`,
      change: said`Write the entry again: "${again('/path/of/the/vault')}".`,
    };
  }
  const look = looks.get(vault);
  if (look === undefined || !('fault' in look)) return undefined;
  const there = listed.filter((path) => path !== vault && existsSync(path));
  const moved =
    there.find((path) => basename(path) === basename(vault)) ??
    there.find((path) => isMoved(vault, path));
  const path = hidden(`"${vault}"`, 'its vault');
  if (look.fault === 'missing') {
    return {
      says: said`Its ${entry} is for ${path}, which does not exist. Was it moved?`,
      change:
        moved === undefined
          ? said`Give the entry the right path; its options stay: "${again('/new/path')}".`
          : said`A vault was found that may be meant. This gives the entry its path, and the options stay: "${again(moved)}".`,
    };
  }
  return {
    says: said`Its ${entry} is for ${path}, which cannot be opened. ${hidden(look.message, '')}`,
    change: said`See "vault" above, or give the entry another path: "${again('/another/path')}".`,
  };
}

/** The first of the words that must be a file or a program on PATH, and is not. */
function missingProgram(starts: readonly string[], env: Shell['env']): string | undefined {
  const [command = '', ...rest] = starts;
  const { platform } = process;
  const names = platform === 'win32' ? [command, `${command}.exe`, `${command}.cmd`] : [command];
  const isThere = isAbsolute(command)
    ? names.some(isProgram)
    : findProgram(names, { env, platform }) !== undefined;
  if (!isThere) return command;
  // A name without a folder is a package, such as "vaultdoor@1" of npx.
  return rest.find((word) => isAbsolute(word) && !existsSync(word));
}

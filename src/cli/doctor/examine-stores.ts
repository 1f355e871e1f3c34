import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupedNumber } from '../../base/grouped-number.ts';
import { limits } from '../../base/limits.ts';
import type { VaultFolders } from '../../node/place/vault-folders.ts';
import { examineIndex } from '../../sqlite/index/examine-index.ts';
import { examineState } from '../../sqlite/state/examine-state.ts';
import { counted } from '../../tools/cli/text.ts';
import type { ServedVault } from './examine-local-server.ts';
import {
  bad,
  command,
  type Finding,
  hidden,
  known,
  ok,
  type Said,
  said,
  warning,
} from './finding.ts';

/** What is known about one vault where its index and history are examined. */
interface StoreParts extends ServedVault {
  readonly folders: VaultFolders;
  readonly nowMs: number;
}

/** The index and the history of a vault. Opens both for reading only. */
export async function examineStores(parts: StoreParts): Promise<readonly Finding[]> {
  return [await indexFinding(parts), ...(await stateFindings(parts))];
}

async function indexFinding(parts: StoreParts): Promise<Finding> {
  const { name, path, look, folders, isServed } = parts;
  const file = join(folders.cache, 'index.db');
  if (!existsSync(file)) {
    return ok('index', said`${name} has none yet. The first search or list builds it.`);
  }
  const safe = said`Deleting it${hidden(` (${file})`, '')} loses nothing.`;
  try {
    const found = await examineIndex(file);
    if (found.is === 'damaged') {
      return warning(
        'index',
        said`The index of ${name} is damaged. The next command builds it again. ${safe}`,
        said`If that does not help, delete the folder ${hidden(`"${folders.cache}"`, 'of the cache')}.`,
      );
    }
    const schema = said`schema ${found.schema}`;
    if (found.is === 'of another version') {
      return ok(
        'index',
        said`The index of ${name} is of another version (${schema}). The next command builds it again. ${safe}`,
      );
    }
    const { notes } = found;
    const walked = 'fault' in look || look.tree?.isWhole !== true ? undefined : look.tree.notes;
    const says = said`The index of ${name} has ${known(counted(notes, 'note'))} (${schema})`;
    if (walked === undefined || walked === notes) return ok('index', said`${says}. ${safe}`);
    if (!isServed)
      return ok('index', said`${says}, the vault ${walked}; the next command catches up. ${safe}`);
    return warning(
      'index',
      said`${says}, but the vault ${walked}, although a server runs that should have noticed.`,
      said`If this stays so, run "${command(['check'], path)}", and start the server again.`,
    );
  } catch (error) {
    return bad(
      'index',
      said`The index of ${name} cannot be opened${reason(error)}.`,
      whoMay(folders.cache),
    );
  }
}

async function stateFindings(parts: StoreParts): Promise<readonly Finding[]> {
  const { name, path, folders, nowMs } = parts;
  const file = join(folders.state, 'state.db');
  if (!existsSync(file)) return [ok('history', said`No change was made in ${name} yet.`)];
  const shown = hidden(`"${file}"`, 'its file');
  try {
    const found = await examineState(file, { readBytesMax: limits.doctorReadBytesMax });
    switch (found.is) {
      case 'damaged':
        return [
          bad(
            'history',
            said`The history of ${name} is damaged. Notes are not affected, but changes cannot be made or undone.`,
            said`Stop all servers, move ${shown} away (with its -wal and -shm), and go on with an empty history.`,
          ),
        ];
      case 'something else':
        return [
          bad(
            'history',
            said`${shown} is not a history of Vaultdoor.`,
            said`Move it to another place to begin a new one.`,
          ),
        ];
      case 'of a newer version':
        return [
          bad(
            'history',
            said`A newer Vaultdoor wrote the history of ${name}.`,
            said`Use that version, or a newer one.`,
          ),
        ];
      case 'usable':
        break;
    }
    const { changes, unfinished, bytes, newestMs } = found.facts;
    const used = known(`${megabytes(bytes)} of ${megabytes(limits.historyBytesMax)}`);
    const read = found.wasReadWhole ? said`no damage` : said`too large to be read whole for damage`;
    return [
      ok('history', said`${known(counted(changes, 'change'))} of ${name}, ${used}; ${read}.`),
      ...(unfinished === 0
        ? []
        : [
            warning(
              'journal',
              said`Interrupted changes of ${name}: ${unfinished}. The next change, or a check, finishes them or takes them back.`,
              said`Run "${command(['check'], path)}".`,
            ),
          ]),
      ...(newestMs !== undefined && newestMs > nowMs + limits.doctorClockMs
        ? [
            warning(
              'history clock',
              said`The newest change of ${name} has a time in the future, so the clock of this machine was or is wrong.`,
              said`Set the clock by the network ("timedatectl set-ntp true" with systemd).`,
            ),
          ]
        : []),
    ];
  } catch (error) {
    return [
      bad(
        'history',
        said`The history of ${name} cannot be opened${reason(error)}.`,
        whoMay(folders.state),
      ),
    ];
  }
}

function megabytes(bytes: number): string {
  return `${groupedNumber(Math.ceil(bytes / (1024 * 1024)))} MB`;
}

function reason(error: unknown): Said {
  return hidden(` (${error instanceof Error ? error.message : String(error)})`, '');
}

function whoMay(folder: string): Said {
  return said`Check who may read and write ${hidden(`"${folder}"`, 'its folder')}: all programs must run as the same user.`;
}

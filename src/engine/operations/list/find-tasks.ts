import type { VaultFolder } from '../../../base/vault-path.ts';
import { openStatus } from '../../notes/task-status.ts';
import type { PageRequest, TaskPage } from '../../ports/index-store.ts';
import { readTaskSettings, statusChars, statusType } from '../../settings/task-settings.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { AskedDate, ListedTask } from './list-tasks.ts';
import { wantedTasks } from './list-tasks.ts';

interface FindTasksRequest extends PageRequest {
  readonly name?: NoteName;
  readonly folder: VaultFolder;
  /** `all`, or as `statusChars` takes it. */
  readonly status: string;
  readonly tag?: string;
  readonly dates: readonly AskedDate[];
}

interface FoundTasks extends TaskPage<ListedTask> {
  /** The character that most of the tasks are expected to have. */
  readonly usual: string;
  /** Text that the Tasks plugin demands of a task. */
  readonly globalFilter: string;
}

/**
 * Lists tasks as `listTasks` does, with statuses in the words of the Tasks plugin and of the vault's
 * settings for it. When open tasks are asked for, `others` has the other statuses that are not done
 * either.
 */
export async function findTasks(vault: BoundVault, request: FindTasksRequest): Promise<FoundTasks> {
  const { status, ...rest } = request;
  const settings = await readTaskSettings(vault.vault.parts.disk);
  const chars = status.trim().toLowerCase() === 'all' ? undefined : statusChars(settings, status);
  const page = await wantedTasks(vault, rest, chars && { chars });
  const isLeft = (char: string): boolean =>
    chars?.includes(openStatus) === true &&
    !['DONE', 'CANCELLED', 'NON_TASK'].includes(statusType(settings, char));
  return {
    ...page,
    others: page.others.filter(([char]) => isLeft(char)),
    usual: chars?.[0] ?? ' ',
    globalFilter: settings.globalFilter,
  };
}

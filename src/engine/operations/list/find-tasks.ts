import type { VaultFolder } from '../../../base/vault-path.ts';
import type { TaskDateKind } from '../../../markdown/facts/task-fields.ts';
import { openStatus } from '../../notes/task-status.ts';
import type { PageRequest, TaskFilter, TaskPage } from '../../ports/index-store.ts';
import { readTaskSettings, statusChars, statusType } from '../../settings/task-settings.ts';
import { parseDateRange } from '../../text/parse-date-range.ts';
import { tagName } from '../../text/tag-name.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { ListedTask } from './list-tasks.ts';
import { wantedTasks } from './list-tasks.ts';

interface FindTasksRequest extends PageRequest {
  readonly name?: NoteName;
  readonly folder: VaultFolder;
  /** `all`, or as `statusChars` takes it. */
  readonly status: string;
  readonly tag?: string;
  /** What each date must be, as `parseDateRange` takes it. */
  readonly dates: readonly (readonly [kind: TaskDateKind, asked: string])[];
}

interface FoundTasks extends TaskPage<ListedTask> {
  /** The character that most of the tasks are expected to have. */
  readonly usual: string;
  /** Text that the Tasks plugin demands of a task. */
  readonly globalFilter: string;
}

/**
 * Lists tasks by status, tag and dates, in the terms of the Tasks plugin and of the vault's settings
 * for it. They are sorted by the first date that is asked for, else by path and line. When
 * open tasks are asked for, `others` has the other statuses that are not done either. Fails as `listTasks` does, and with
 * `invalid_input` for a date or a tag that is not understood.
 */
export async function findTasks(vault: BoundVault, request: FindTasksRequest): Promise<FoundTasks> {
  const { status, tag, dates, ...rest } = request;
  const { disk, clock } = vault.vault.parts;
  const settings = await readTaskSettings(disk);
  const chars = status.trim().toLowerCase() === 'all' ? undefined : statusChars(settings, status);
  const nowMs = clock.nowMs();
  const filter: TaskFilter = {
    ...(chars === undefined ? {} : { statuses: { chars } }),
    ...(tag === undefined ? {} : { tag: tagName(tag) }),
    ...(dates.length === 0
      ? {}
      : { dates: dates.map(([kind, asked]) => ({ kind, ...parseDateRange(asked, nowMs) })) }),
  };
  const sort = filter.dates?.find(({ none }) => !none)?.kind;
  const page = await wantedTasks(vault, {
    ...rest,
    ...filter,
    ...(sort === undefined ? {} : { sort }),
  });
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

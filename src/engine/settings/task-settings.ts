import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import type { TaskFilter } from '../ports/task-request.ts';
import { isPluginOn, readSettingsFile } from './read-settings-file.ts';

const plugin = 'obsidian-tasks-plugin';

const statusTypes = ['TODO', 'IN_PROGRESS', 'ON_HOLD', 'DONE', 'CANCELLED', 'NON_TASK'] as const;
/** What a status means to the Tasks plugin. */
export type StatusType = (typeof statusTypes)[number];

interface TaskStatus {
  readonly name: string;
  readonly type: StatusType;
  /** The character that comes next when the task is clicked. */
  readonly next: string;
}

/** What the settings of the Tasks plugin say, with its defaults where they say nothing. */
export interface TaskSettings {
  /** Whether the plugin is enabled in the vault. */
  readonly enabled: boolean;
  readonly form: 'emoji' | 'dataview';
  /** To the plugin only a checkbox with this text is a task; empty for all. */
  readonly globalFilter: string;
  readonly setsDone: boolean;
  readonly setsCancelled: boolean;
  readonly setsCreated: boolean;
  /** Whether the next task of a recurring one comes below the done one; otherwise above. */
  readonly nextBelow: boolean;
  /** Whether the next task has no scheduled date, if it has another one. */
  readonly dropsScheduled: boolean;
  /** By the character between the brackets. */
  readonly statuses: ReadonlyMap<string, TaskStatus>;
  readonly problems: readonly string[];
}

const coreStatuses: readonly (readonly [symbol: string, status: TaskStatus])[] = [
  [' ', { name: 'Todo', type: 'TODO', next: 'x' }],
  ['x', { name: 'Done', type: 'DONE', next: ' ' }],
  ['X', { name: 'Done', type: 'DONE', next: ' ' }],
  ['/', { name: 'In Progress', type: 'IN_PROGRESS', next: 'x' }],
  ['-', { name: 'Cancelled', type: 'CANCELLED', next: ' ' }],
];

/** Reads the settings of the Tasks plugin, and whether it is enabled. */
export async function readTaskSettings(disk: Disk): Promise<TaskSettings> {
  const problems: string[] = [];
  const [enabled, data] = await Promise.all([
    isPluginOn(disk, plugin, problems),
    readSettingsFile(disk, vaultPath(`.obsidian/plugins/${plugin}/data.json`), problems),
  ]);
  const { globalFilter, taskFormat } = data;
  return {
    enabled,
    form: taskFormat === 'dataview' ? 'dataview' : 'emoji',
    globalFilter: typeof globalFilter === 'string' ? globalFilter.trim() : '',
    setsDone: data['setDoneDate'] !== false,
    setsCancelled: data['setCancelledDate'] !== false,
    setsCreated: data['setCreatedDate'] === true,
    nextBelow: data['recurrenceOnNextLine'] === true,
    dropsScheduled: data['removeScheduledDateOnRecurrence'] === true,
    statuses: new Map([...coreStatuses, ...customStatuses(data['statusSettings'])]),
    problems,
  };
}

function* customStatuses(settings: unknown): Generator<[symbol: string, status: TaskStatus]> {
  if (typeof settings !== 'object' || settings === null) return;
  const { coreStatuses: core, customStatuses: custom } = settings as Record<string, unknown>;
  const known = new Set<string>();
  for (const row of [core, custom].flatMap((rows) => (Array.isArray(rows) ? rows : []))) {
    const { symbol, name, nextStatusSymbol: next, type } = Object(row) as Record<string, unknown>;
    if (typeof symbol !== 'string' || symbol === '' || known.has(symbol)) continue;
    known.add(symbol); // Of several with one character the first counts.
    yield [
      symbol,
      {
        name: typeof name === 'string' ? name : '',
        type: statusTypes.find((known) => known === type) ?? 'TODO',
        next: typeof next === 'string' ? next : 'x',
      },
    ];
  }
}

/** What a character means; the plugin takes one that it does not know for an open task. */
export function statusType({ statuses }: TaskSettings, status: string): StatusType {
  return statuses.get(status)?.type ?? 'TODO';
}

/** The statuses that mean something else than this one; unknown characters are open tasks. */
export function otherStatuses(settings: TaskSettings, status: string): TaskFilter['statuses'] {
  const type = statusType(settings, status);
  const isOpen = type === 'TODO';
  const rows = Array.from(settings.statuses).filter(([, row]) => (row.type === type) !== isOpen);
  const chars = rows.map(([symbol]) => symbol);
  return isOpen ? { chars } : { chars, not: true };
}

/** The statuses that a caller may name by a word. */
const words: ReadonlyMap<string, StatusType> = new Map([
  ['open', 'TODO'],
  ['todo', 'TODO'],
  ['done', 'DONE'],
  ['cancelled', 'CANCELLED'],
  ['canceled', 'CANCELLED'],
  ['in progress', 'IN_PROGRESS'],
  ['on hold', 'ON_HOLD'],
]);

/**
 * The characters that a caller means by a status, the usual one first: a word such as `open`, the
 * name that the vault's settings give a status, or one character. Fails with `invalid_input` for
 * anything else.
 */
export function statusChars(
  { statuses }: TaskSettings,
  asked: string,
): readonly [string, ...string[]] {
  const word = asked.trim().toLowerCase().replace(/[_-]/g, ' ').trim();
  const type = words.get(word);
  const rows = Array.from(statuses);
  const named = rows.filter(([, status]) =>
    type === undefined ? word !== '' && status.name.toLowerCase() === word : status.type === type,
  );
  const [first, ...others] = named.map(([symbol]) => symbol);
  if (first !== undefined) return [first, ...others];
  if (Array.from(asked).length === 1) return [asked];
  const names = rows.map(([, { name }]) => name).filter((name) => !words.has(name.toLowerCase()));
  const own = Array.from(new Set(names), (name) => `, "${name}"`).join('');
  throw new VaultError(
    'invalid_input',
    `A status is "open", "done", "cancelled", "in progress"${own}, or the one character between the brackets of a task.`,
  );
}

/** The status of the next task of a recurring one that becomes `done`, as the plugin chooses it. */
export function nextStatus(settings: TaskSettings, done: string): string {
  const { statuses } = settings;
  for (const wanted of ['TODO', 'IN_PROGRESS']) {
    let status = done;
    for (let step = 0; step < statuses.size; step++) {
      status = statuses.get(status)?.next ?? 'x';
      if (statusType(settings, status) === wanted) return status;
    }
  }
  return ' ';
}

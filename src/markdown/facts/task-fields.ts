import type { TextRange } from '../../base/text-range.ts';

/** The dates that the Tasks plugin writes on the line of a task. */
export const taskDateKinds = ['due', 'scheduled', 'start', 'done', 'created', 'cancelled'] as const;
export type TaskDateKind = (typeof taskDateKinds)[number];

/** The dates of a task as they are written, `YYYY-MM-DD`; a month may not have that day. */
export type TaskDates = { readonly [Kind in TaskDateKind]?: string };

/** Something that the Tasks plugin reads from the line of a task. */
export interface TaskField {
  readonly kind: TaskDateKind | 'repeat' | 'id' | 'dependsOn' | 'onCompletion' | 'priority';
  readonly value: string;
  /** The whole field in the text, with its emoji or its brackets. */
  readonly range: TextRange;
  readonly valueRange: TextRange;
  /** `📅 2026-01-01`, or `[due:: 2026-01-01]` as the Dataview plugin writes it. */
  readonly form: 'emoji' | 'dataview';
}

const dateKinds: ReadonlyMap<string | undefined, TaskDateKind> = new Map([
  ['📅', 'due'],
  ['📆', 'due'],
  ['🗓', 'due'],
  ['⏳', 'scheduled'],
  ['⌛', 'scheduled'],
  ['🛫', 'start'],
  ['✅', 'done'],
  ['➕', 'created'],
  ['❌', 'cancelled'],
  ['due', 'due'],
  ['scheduled', 'scheduled'],
  ['start', 'start'],
  ['completion', 'done'],
  ['created', 'created'],
  ['cancelled', 'cancelled'],
]);

const day = /^\d{4}-\d{2}-\d{2}$/;

// No two neighbouring parts may match the same characters, and a field in brackets holds no
// bracket: so a long line of spaces or of openings is read once or twice, not once per place.
const field =
  /(?<sign>📅|📆|🗓|⏳|⌛|🛫|✅|➕|❌)\uFE0F? *(?<day>\d{4}-\d{2}-\d{2})|🔁\uFE0F? *(?<repeat>[a-zA-Z0-9, !]+)|🆔\uFE0F? *(?<id>[\w-]+)|⛔\uFE0F? *(?<dependsOn>[\w-]+(?: *, *[\w-]+)*)|🏁\uFE0F? *(?<onCompletion>[a-zA-Z]+)|(?<priority>🔺|⏫|🔼|🔽|⏬)\uFE0F?|[[(] *(?<key>due|scheduled|start|completion|created|cancelled|repeat|id|dependsOn|onCompletion|priority)::(?<value>[^[\]()]*)[\])]/gu;

/**
 * Finds the fields of the Tasks plugin in the text of a task, in order: those with an emoji, and
 * those in brackets. Unlike the plugin it also finds them before other text.
 */
export function taskFields(text: string): readonly TaskField[] {
  const fields: TaskField[] = [];
  for (const match of text.matchAll(field)) {
    const { sign, day: date, key, value: inner, ...others } = match.groups ?? {};
    const form = key === undefined ? 'emoji' : 'dataview';
    const opens = match[0].startsWith('[');
    if (form === 'dataview' && opens !== match[0].endsWith(']')) continue;
    const plain = Object.entries(others).find(([, found]) => found !== undefined);
    const kind = dateKinds.get(sign ?? key) ?? key ?? plain?.[0];
    const written = date ?? inner ?? plain?.[1] ?? '';
    const value = written.trim();
    if (kind === undefined || (dateKinds.has(key) && !day.test(value))) continue;
    // The value stands at the end, before the closing bracket and spaces that were trimmed.
    const end = match.index + match[0].lastIndexOf(written) + written.trimEnd().length;
    const cut = form === 'emoji' ? written.length - written.trimEnd().length : 0;
    fields.push({
      kind: kind as TaskField['kind'],
      value,
      range: { start: match.index, end: match.index + match[0].length - cut },
      valueRange: { start: end - value.length, end },
      form,
    });
  }
  return fields;
}

/** The dates of a task; of several of one kind the first counts, as in the plugin. */
export function taskDates(fields: readonly TaskField[]): TaskDates {
  const dates: { [Kind in TaskDateKind]?: string } = {};
  for (const { kind, value } of fields) {
    const date = taskDateKinds.find((known) => known === kind);
    if (date !== undefined) dates[date] ??= value;
  }
  return dates;
}

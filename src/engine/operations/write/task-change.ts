import { VaultError } from '../../../base/vault-error.ts';
import type { TaskField } from '../../../markdown/facts/task-fields.ts';
import { taskDates, taskFields } from '../../../markdown/facts/task-fields.ts';
import { applyEdits, type TextEdit } from '../../../markdown/text/text-edit.ts';
import type { StatusType, TaskSettings } from '../../settings/task-settings.ts';
import { nextStatus, statusType } from '../../settings/task-settings.ts';
import { dayNumber, dayText } from '../../text/day-number.ts';
import { nextRecurrence, parseRecurrence } from '../../text/recurrence.ts';

/** What happens to a task that gets another status. */
interface TaskChange {
  /** The new text of the task; undefined when its line goes away (`🏁 delete`). */
  readonly text: string | undefined;
  /** The next task of a recurring one. */
  readonly next?: { readonly status: string; readonly text: string };
}

/**
 * Finds out what happens to the text of a task that gets another status, as the Tasks plugin does
 * it: a done or cancelled task gets the date, any other loses it, and a recurring task that becomes
 * done is followed by the next one. The text stays as it is where the plugin has nothing to do with
 * the task, and so do signs that other text follows: they mean nothing to the plugin. `today` is the
 * number of a day (`dayNumber`). Fails with `invalid_input` for a rule that is not plain, and for
 * dates that do not exist.
 */
export function changeTask(
  { status, text }: { readonly status: string; readonly text: string },
  to: string,
  { settings, today }: { readonly settings: TaskSettings; readonly today: number },
): TaskChange {
  const fields = tailFields(text);
  const { enabled, globalFilter } = settings;
  const isPlugins = (enabled || fields.length > 0) && text.includes(globalFilter);
  if (!isPlugins || status === to) return { text };
  const [before, after] = [statusType(settings, status), statusType(settings, to)];
  const changed = withDates(text, fields, { before, after, settings, today });
  if (after !== 'DONE' || before === 'DONE') return { text: changed };
  const rule = fields.find(({ kind }) => kind === 'repeat')?.value;
  const action = fields.find(({ kind }) => kind === 'onCompletion')?.value.toLowerCase();
  return {
    text: action === 'delete' ? undefined : changed,
    ...(rule === undefined
      ? {}
      : {
          next: {
            status: nextStatus(settings, to),
            text: nextText(text, fields, { rule, settings, today }),
          },
        }),
  };
}

/** What may stand between two fields at the end of a task: tags, and a comma after brackets. */
const betweenFields = /^(?: *,)?(?:\s+#[^\s!@#$%^&*(),.?":{}|<>]+)*\s*$/;

/** The fields that the Tasks plugin reads: those after which only fields, tags and a block id come. */
function tailFields(text: string): readonly TaskField[] {
  const fields = taskFields(text);
  let end = endOfText(text);
  let first = fields.length;
  for (; first > 0; first--) {
    const { range, form } = fields[first - 1] as TaskField;
    const between = text.slice(range.end, end);
    if (!betweenFields.test(between) || (form === 'emoji' && between.includes(','))) break;
    end = range.start;
  }
  return fields.slice(first);
}

const signs = { done: '✅', cancelled: '❌', created: '➕' } as const;
const keys = { done: 'completion', cancelled: 'cancelled', created: 'created' } as const;

/** The text with the date of the new status, and without the dates of others. */
function withDates(
  text: string,
  fields: readonly TaskField[],
  change: {
    readonly before: StatusType;
    readonly after: StatusType;
    readonly settings: TaskSettings;
    readonly today: number;
  },
): string {
  const { before, after, settings, today } = change;
  if (before === after) return text;
  const ended = fields.filter(({ kind }) => kind === 'done' || kind === 'cancelled');
  const edits = ended.map((field) => removal(text, field));
  const kind = after === 'DONE' ? 'done' : after === 'CANCELLED' ? 'cancelled' : undefined;
  const isSet = kind === 'done' ? settings.setsDone : settings.setsCancelled;
  if (kind !== undefined && isSet) {
    const date = writtenDate(kind, { form: formOf(fields, settings), today });
    edits.push(insertion(endOfText(text), date));
  }
  return applyEdits(text, edits).trim();
}

/** The text of the next task of a recurring one. */
function nextText(
  text: string,
  fields: readonly TaskField[],
  request: { readonly rule: string; readonly settings: TaskSettings; readonly today: number },
): string {
  const { rule, settings, today } = request;
  const { due, scheduled, start } = taskDates(fields);
  const recurrence = parseRecurrence(rule);
  if (recurrence === undefined) throw notPlain(rule);
  const reference = due ?? (settings.dropsScheduled ? (start ?? scheduled) : (scheduled ?? start));
  const from = reference === undefined ? today : existingDay(reference);
  const next = nextRecurrence(recurrence, recurrence.whenDone ? today : from);
  if (next === undefined) throw notPlain(rule);
  const dropsScheduled = settings.dropsScheduled && (due ?? start) !== undefined;
  const edits: TextEdit[] = [];
  let hasCreated = false;
  for (const field of fields) {
    const { kind, value, valueRange } = field;
    const isShifted = kind === 'due' || kind === 'start' || kind === 'scheduled';
    if (isShifted && !(kind === 'scheduled' && dropsScheduled)) {
      const shifted = dayText(existingDay(value) - from + next);
      edits.push({ range: valueRange, text: shifted });
    } else if (kind === 'created' && settings.setsCreated && !hasCreated) {
      hasCreated = true;
      edits.push({ range: valueRange, text: dayText(today) });
    } else if (kind !== 'repeat' && kind !== 'priority' && kind !== 'onCompletion') {
      edits.push(removal(text, field));
    }
  }
  if (settings.setsCreated && !hasCreated) {
    // The plugin writes it before the other dates.
    const first = fields.find(({ kind }) => ['start', 'scheduled', 'due'].includes(kind));
    const at = first === undefined ? endOfText(text) : removal(text, first).range.start;
    const date = writtenDate('created', { form: formOf(fields, settings), today });
    edits.push(insertion(at, date));
  }
  // A block id names one block only.
  edits.push({ range: { start: endOfText(text), end: text.length }, text: '' });
  return applyEdits(text, edits).trim();
}

function writtenDate(
  kind: keyof typeof signs,
  { form, today }: { readonly form: TaskField['form']; readonly today: number },
): string {
  const date = dayText(today);
  // The plugin writes two spaces here: with one, the app hides every second field.
  return form === 'emoji' ? ` ${signs[kind]} ${date}` : `  [${keys[kind]}:: ${date}]`;
}

function formOf(fields: readonly TaskField[], settings: TaskSettings): TaskField['form'] {
  if (fields.length === 0) return settings.form;
  return fields.some(({ form }) => form === 'emoji') ? 'emoji' : 'dataview';
}

/** Where the text of a task ends, before its block id. */
function endOfText(text: string): number {
  const id = /(?:^|\s)\^[a-zA-Z0-9-]+$/.exec(text);
  return text.slice(0, id?.index ?? text.length).trimEnd().length;
}

function insertion(at: number, text: string): TextEdit {
  return { range: { start: at, end: at }, text };
}

/** Removes a field with the spaces before it. */
function removal(text: string, { range }: TaskField): TextEdit {
  const start = text.slice(0, range.start).trimEnd().length;
  return { range: { start, end: range.end }, text: '' };
}

function existingDay(date: string): number {
  const day = dayNumber(date);
  if (day !== undefined) return day;
  throw new VaultError(
    'invalid_input',
    'The task recurs, but one of its dates does not exist, so the next date cannot be worked out. Nothing was changed; correct the date first (replace_note).',
    { excerpt: date },
  );
}

function notPlain(rule: string): VaultError {
  return new VaultError(
    'invalid_input',
    'The task recurs by a rule whose next date is not worked out here. Nothing was changed; complete it in Obsidian, or edit its line (replace_note).',
    { excerpt: rule },
  );
}

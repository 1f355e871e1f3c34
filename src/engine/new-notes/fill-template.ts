import { formatDate, weekdays } from '../text/format-date.ts';
import { addDuration, type Duration } from '../text/moment-dates.ts';
import { type CommandValues, fillCommands } from './fill-commands.ts';

/** The values of the placeholders and commands in a template. */
interface TemplateValues extends CommandValues {
  /** The time that `{{date}}` and `{{time}}` mean; commands mean `nowMs`. */
  readonly timeMs: number;
  readonly dateFormat: string;
  readonly timeFormat: string;
  /** For a note of the Periodic Notes plugin, whose templates have more placeholders: its format. */
  readonly periodFormat?: string | undefined;
}

/**
 * Replaces `{{title}}`, `{{date}}`, `{{time}}`, `{{date:FORMAT}}` and `{{time:FORMAT}}`, in any
 * case, in the text of a template, and the commands of Templater as `fillCommands` does. Other
 * braces stay, and a value that was filled in is not searched for placeholders. Without a title,
 * `{{title}}` stays. Fails as `fillCommands` does.
 */
export function fillTemplate(text: string, values: TemplateValues): string {
  return fillCommands(text, values, (between) => fillPlaceholders(between, values));
}

function fillPlaceholders(text: string, values: TemplateValues): string {
  if (values.periodFormat !== undefined) return fillPeriodic(text, values, values.periodFormat);
  return text.replace(placeholder, (whole: string, name: string, asked: string | undefined) => {
    if (name.toLowerCase() === 'title') return values.title ?? whole;
    const usual = name.toLowerCase() === 'date' ? values.dateFormat : values.timeFormat;
    return formatDate(values.timeMs, asked?.trim() || usual);
  });
}

const placeholder = /\{\{[ \t]*(title(?=[ \t]*\}\})|date|time)[ \t]*(?::([^\r\n]{0,300}?))?\}\}/gi;

/**
 * Fills in a template of the Periodic Notes plugin: also `{{yesterday}}`, `{{tomorrow}}`, a day of
 * the week (`{{monday:YYYY-MM-DD}}`), and dates that are moved, such as `{{date+1w:YYYY}}`.
 */
function fillPeriodic(text: string, values: TemplateValues, usual: string): string {
  const fill = (
    whole: string,
    word: string,
    count: string | undefined,
    unit: string | undefined,
    asked: string | undefined,
  ): string => {
    const name = word.toLowerCase();
    const format = asked?.trim() || (name === 'time' ? values.timeFormat : usual);
    if (name === 'title') return values.title ?? whole;
    const weekday = weekdays.findIndex((day) => day.toLowerCase() === name);
    if (weekday !== -1 && !asked?.trim()) return whole;
    const days =
      weekday === -1 ? (daysAway.get(name) ?? 0) : weekday - new Date(values.timeMs).getDay();
    const moved = { months: 0, days, ms: 0, ...durationOf(Number(count ?? 0), unit) };
    return formatDate(addDuration(values.timeMs, moved), format);
  };
  return text.replace(periodicPlaceholder, fill);
}

const periodicPlaceholder =
  /\{\{[ \t]{0,9}(title|date|time|yesterday|tomorrow|(?:sun|mon|tues|wednes|thurs|fri|satur)day)[ \t]{0,9}(?:([+-]\d{1,5})([yqmwdhs]))?[ \t]{0,9}(?::([^\r\n{}]{0,99}))?\}\}/gi;

const daysAway: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['tomorrow', 1],
]);

function durationOf(count: number, unit: string | undefined): Partial<Duration> {
  switch (unit?.toLowerCase()) {
    case 'y':
      return { months: 12 * count };
    case 'q':
      return { months: 3 * count };
    case 'm':
      return { months: count };
    case 'w':
      return { days: 7 * count };
    case 'd':
      return { days: count };
    case 'h':
      return { ms: 3_600_000 * count };
    case 's':
      return { ms: 1_000 * count };
    default:
      return {};
  }
}

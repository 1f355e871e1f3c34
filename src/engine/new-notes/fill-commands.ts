import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { fileNameOf } from '../../base/vault-path.ts';
import { formatDate } from '../text/format-date.ts';
import { addDuration, parseDuration, parseMoment } from '../text/moment-dates.ts';
import {
  commandName,
  noteTitle,
  parseTemplaterCall,
  type TemplaterArgument,
  type TemplaterCall,
} from './templater-call.ts';

/** What Templater's commands tell of the note and of the time. */
export interface CommandValues {
  /** The template, for failures. */
  readonly template: VaultPath;
  /** The name of the note; undefined leaves commands that need it in the text. */
  readonly title: string | undefined;
  /** The folder of the note; undefined leaves commands that need it in the text. */
  readonly folder: VaultFolder | undefined;
  readonly nowMs: number;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/**
 * Fills in the commands of the Templater plugin (`<% tp.date.now() %>`) whose meaning is plain, and
 * trims the text around them as Templater does. `fillText` fills in the text between them. No
 * JavaScript runs: any other command fails with `invalid_input`, which names it and its line.
 */
export function fillCommands(
  text: string,
  values: CommandValues,
  fillText: (text: string) => string,
): string {
  const filled: string[] = [];
  let trim = '';
  let [from, line] = [0, 1];
  for (;;) {
    const open = text.indexOf('<%', from);
    const between = text.slice(from, open === -1 ? text.length : open);
    if (open === -1) {
      filled.push(fillText(trimmed(between, trim, 'start')));
      return filled.join('');
    }
    line += newlinesIn(between);
    const close = text.indexOf('%>', open + 2);
    const command = commandOf(text.slice(open + 2, close === -1 ? text.length : close));
    if (close === -1) throw refusal(values, line, command.source, 'is not closed with "%>"');
    filled.push(fillText(trimmed(trimmed(between, trim, 'start'), command.before, 'end')));
    const value = commandText(command, { values, line, fillText });
    filled.push(value ?? text.slice(open, close + 2));
    trim = value === undefined ? '' : command.after;
    line += newlinesIn(command.source);
    from = close + 2;
  }
}

interface Command {
  /** What is trimmed before and after it: `-` one line end, `_` all white space. */
  readonly before: string;
  readonly after: string;
  /** Whether it is `<%*`, a command that only runs, or `<%+`, one for reading mode. */
  readonly special: string;
  readonly source: string;
}

function commandOf(inside: string): Command {
  const before = /^[-_]/.exec(inside)?.[0] ?? '';
  const special = /^[*+]/.exec(inside.slice(before.length))?.[0] ?? '';
  const rest = inside.slice(before.length + special.length);
  const last = rest.at(-1) ?? '';
  const after = last === '-' || last === '_' ? last : '';
  return { before, after, special, source: rest.slice(0, rest.length - after.length) };
}

function trimmed(text: string, how: string, side: 'start' | 'end'): string {
  if (how === '_') return side === 'start' ? text.trimStart() : text.trimEnd();
  if (how !== '-') return text;
  if (side === 'start') return text.replace(/^(?:\r\n|\r|\n)/, '');
  const cut = text.endsWith('\r\n') ? 2 : text.endsWith('\n') || text.endsWith('\r') ? 1 : 0;
  return text.slice(0, text.length - cut);
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The text of a command; undefined when it has to stay in the text. */
function commandText(
  { special, source }: Command,
  at: {
    readonly values: CommandValues;
    readonly line: number;
    readonly fillText: (text: string) => string;
  },
): string | undefined {
  const { values, line, fillText } = at;
  if (special !== '') {
    throw refusal(values, line, `<%${special} … %>`, 'would run JavaScript');
  }
  const call = parseTemplaterCall(source);
  const command = call === undefined ? undefined : commands.get(call.name);
  if (call === undefined || command === undefined) {
    throw refusal(
      values,
      line,
      source,
      commands.has(commandName(source) ?? '')
        ? 'is used with more than plain values, or is not written correctly'
        : 'is not one that Vaultdoor fills in',
    );
  }
  const args = call.args?.map((argument) =>
    argument === noteTitle
      ? values.title
      : typeof argument === 'string'
        ? fillText(argument)
        : argument,
  );
  if (values.title === undefined && (call.args ?? []).includes(noteTitle)) return undefined;
  const value = command({ ...call, ...(args === undefined ? {} : { args }) }, values);
  if (value === wrong) throw refusal(values, line, source, 'has arguments that do not fit');
  return value;
}

/** The answer of a command whose arguments do not fit. */
const wrong = Symbol('wrong');

type Fill = (call: TemplaterCall, values: CommandValues) => string | undefined | typeof wrong;

const usualDate = 'YYYY-MM-DD';
const usualTime = 'YYYY-MM-DD HH:mm';

const commands: ReadonlyMap<string, Fill> = new Map<string, Fill>([
  [
    'tp.date.now',
    ({ args }, { nowMs }) => {
      const [format = usualDate, offset, reference, referenceFormat] = args ?? [];
      const from = args === undefined ? wrong : referenceTime(reference, referenceFormat, nowMs);
      const duration = durationOf(offset);
      if (from === wrong || duration === undefined) return wrong;
      return written(addDuration(from, duration), format);
    },
  ],
  ['tp.date.tomorrow', dayFrom(1)],
  ['tp.date.yesterday', dayFrom(-1)],
  [
    'tp.date.weekday',
    ({ args }, { nowMs }) => {
      const [format = usualDate, weekday, reference, referenceFormat] = args ?? [];
      const from = referenceTime(reference, referenceFormat, nowMs);
      if (from === wrong || typeof weekday !== 'number' || !Number.isInteger(weekday)) return wrong;
      const days = weekday - new Date(from).getDay();
      return written(addDuration(from, { months: 0, days, ms: 0 }), format);
    },
  ],
  ['tp.file.title', ({ args }, { title }) => (args === undefined ? title : wrong)],
  [
    'tp.file.folder',
    ({ args }, { folder }) => {
      const [absolute = false] = args ?? [];
      if (args === undefined || typeof absolute !== 'boolean') return wrong;
      if (folder === undefined) return undefined;
      return absolute ? folder || '/' : folder === '' ? '' : fileNameOf(folder);
    },
  ],
  ['tp.file.cursor', ({ args }) => (args === undefined ? wrong : '')],
  ['tp.file.creation_date', fileTime(({ createdMs }) => createdMs)],
  ['tp.file.last_modified_date', fileTime(({ modifiedMs }) => modifiedMs)],
]);

function dayFrom(days: number): Fill {
  return ({ args }, { nowMs }) => {
    const [format = usualDate] = args ?? [];
    if (args === undefined) return wrong;
    return written(addDuration(nowMs, { months: 0, days, ms: 0 }), format);
  };
}

function fileTime(timeOf: (values: CommandValues) => number): Fill {
  return ({ args }, values) => {
    const [format = usualTime] = args ?? [];
    return args === undefined ? wrong : written(timeOf(values), format);
  };
}

function written(timeMs: number, format: TemplaterArgument): string | typeof wrong {
  if (typeof format !== 'string' || Number.isNaN(new Date(timeMs).getTime())) return wrong;
  return formatDate(timeMs, format === '' ? 'YYYY-MM-DDTHH:mm:ssZ' : format);
}

/** An offset: a number of days, or a duration of ISO 8601. */
function durationOf(offset: TemplaterArgument) {
  if (offset === undefined) return { months: 0, days: 0, ms: 0 };
  if (typeof offset === 'string') return parseDuration(offset);
  return typeof offset === 'number' && Number.isInteger(offset)
    ? { months: 0, days: offset, ms: 0 }
    : undefined;
}

const isoTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/;

function referenceTime(
  reference: TemplaterArgument,
  format: TemplaterArgument,
  nowMs: number,
): number | typeof wrong {
  if (reference === undefined) return nowMs;
  if (typeof reference !== 'string') return wrong;
  if (typeof format === 'string') return parseMoment(reference, format, nowMs) ?? wrong;
  if (format !== undefined || !isoTime.test(reference)) return wrong;
  const full = 'YYYY-MM-DDTHH:mm:ss'.slice(0, reference.length);
  return parseMoment(reference, full.replace('T', ' '), nowMs) ?? wrong;
}

function refusal(
  { template }: CommandValues,
  line: number,
  source: string,
  problem: string,
): VaultError {
  const command = source.startsWith('<%') ? source : (commandName(source) ?? '<% … %>');
  return new VaultError(
    'invalid_input',
    `Line ${line} of the template "${template}" has the Templater command "${command}", which ${problem}. Nothing was changed: use another template, or no template and the text that you want.`,
    { details: { path: template, line, command } },
  );
}

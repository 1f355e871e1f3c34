import { VaultError } from '../../base/vault-error.ts';
import { dayInMonth, dayNumber, dayParts, dayText, todayNumber } from './day-number.ts';

/** Days from one to another as `YYYY-MM-DD`, each included; with `none` no day at all. */
interface DateRange {
  readonly from?: string;
  readonly to?: string;
  readonly none?: true;
}

/** The first and the last day of a period, as numbers. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads which dates a caller wants: a day, month or year (`2026-01-31`, `2026-01`, `2026`), `today`,
 * `this week`, `+7d`, each alone or after `<`, `<=`, `>`, `>=`; two of them with `..` between them;
 * `overdue`, `any` or `none`. Several, separated by commas, by `and` or by the signs before them, must
 * all hold. Fails with `invalid_input` for anything else, and when no day fits all of them.
 */
export function parseDateRange(asked: string, nowMs: number): DateRange {
  const text = asked.trim().toLowerCase();
  if (text === 'none' || text === 'no') return { none: true };
  if (text === 'any') return {};
  const today = todayNumber(nowMs);
  let first = Number.NEGATIVE_INFINITY;
  let last = Number.POSITIVE_INFINITY;
  const terms = termsOf(text);
  if (terms.length === 0) throw notUnderstood(asked);
  if (terms.length > termsMax) throw notTogether(asked, `has more than ${termsMax} conditions`);
  for (const term of terms) {
    const span = rangeOf(term, today);
    if (span === undefined) throw notUnderstood(asked);
    first = Math.max(first, span.first);
    last = Math.min(last, span.last);
  }
  if (first > last) throw notTogether(asked, 'fits no day');
  return {
    ...(Number.isFinite(first) ? { from: dayText(first) } : {}),
    ...(Number.isFinite(last) ? { to: dayText(last) } : {}),
  };
}

const termsMax = 10;

function termsOf(text: string): readonly string[] {
  const signs = text
    .replace(/\b(?:on or before|until|by) /g, '<=')
    .replace(/\b(?:on or after|since|from) /g, '>=')
    .replace(/\bbefore /g, '<')
    .replace(/\bafter /g, '>');
  return signs
    .split(/,| and |(?=[<>]=?)/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
}

function rangeOf(term: string, today: number): Span | undefined {
  if (term === 'overdue') return { first: Number.NEGATIVE_INFINITY, last: today - 1 };
  const [, sign = '', word = ''] = /^([<>]?=?)\s*(.*)$/.exec(term) ?? [];
  const [from = '', to] = word.split('..').map((part) => part.trim());
  if (to !== undefined) return sign === '' ? between(from, to, today) : undefined;
  const span = spanOf(word, today);
  if (span === undefined) return undefined;
  const open = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
  switch (sign) {
    case '<':
      return { ...open, last: span.first - 1 };
    case '<=':
      return { ...open, last: span.last };
    case '>':
      return { ...open, first: span.last + 1 };
    case '>=':
      return { ...open, first: span.first };
    default:
      return span;
  }
}

/** `a..b`, where one of the two may be missing. */
function between(from: string, to: string, today: number): Span | undefined {
  const start = from === '' ? Number.NEGATIVE_INFINITY : spanOf(from, today)?.first;
  const end = to === '' ? Number.POSITIVE_INFINITY : spanOf(to, today)?.last;
  if (start === undefined || end === undefined || (from === '' && to === '')) return undefined;
  return { first: start, last: end };
}

const daysFromToday: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);
const steps: ReadonlyMap<string, number> = new Map([
  ['last', -1],
  ['this', 0],
  ['next', 1],
]);

function spanOf(word: string, today: number): Span | undefined {
  const near = daysFromToday.get(word);
  if (near !== undefined) return oneDay(today + near);
  const [, step, unit] = /^(last|this|next) (week|month|year)$/.exec(word) ?? [];
  if (step !== undefined && unit !== undefined) {
    return period(today, unit, steps.get(step) ?? 0);
  }
  const [, away, by] = /^([+-]\d{1,4})([dw])$/.exec(word) ?? [];
  if (away !== undefined) return oneDay(today + Number(away) * (by === 'w' ? 7 : 1));
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?$/.exec(word) ?? [];
  if (year !== undefined && month !== undefined) {
    const isMonth = Number(month) >= 1 && Number(month) <= 12;
    return isMonth ? monthSpan(Number(year), Number(month), 1) : undefined;
  }
  if (year !== undefined) return monthSpan(Number(year), 1, 12);
  const day = dayNumber(word);
  return day === undefined ? undefined : oneDay(day);
}

function oneDay(day: number): Span {
  return { first: day, last: day };
}

function period(today: number, unit: string, step: number): Span {
  const { year, month, weekday } = dayParts(today);
  if (unit === 'month') return monthSpan(year, month + step, 1);
  if (unit === 'year') return monthSpan(year + step, 1, 12);
  const monday = today - weekday + 7 * step;
  return { first: monday, last: monday + 6 };
}

/** The days of some months, which begin with this one. */
function monthSpan(year: number, month: number, months: number): Span {
  return {
    first: dayInMonth(year, month, 1),
    last: dayInMonth(year, month + months, 1) - 1,
  };
}

function notTogether(asked: string, why: string): VaultError {
  return new VaultError(
    'invalid_input',
    `"${asked.slice(0, 100)}" ${why}: all conditions must hold for one day. For the days from one to another write a..b, such as "2026-01-01..2026-01-07".`,
  );
}

function notUnderstood(asked: string): VaultError {
  return new VaultError(
    'invalid_input',
    `"${asked.slice(0, 100)}" is not a date or a range of dates; write for example "<2026-01-01", "2026-01-01..2026-01-07", "today", "this week", "<+7d", "overdue", "any" or "none".`,
  );
}

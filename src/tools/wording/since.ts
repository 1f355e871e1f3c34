import { z } from 'zod';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';

/** The argument `since` of tools that list or undo changes. */
export const Since = z
  .string()
  .min(1)
  .exactOptional()
  .describe(
    'Only changes since then: 30m, 2h, 3d or 1w (so long ago), or a date or time like 2026-11-09T18:30.',
  );

const quotedCharsMax = 100;

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
  w: 7 * 24 * 60 * 60_000,
};

/** `2h`, `2 hours`, `7 days`, `7 days ago`; a month has no fixed length, so there is none. */
const agoPattern = /^(\d{1,6}) ?(m|h|d|w|min(?:ute)?s?|hours?|days?|weeks?)(?: ago)?$/i;

/**
 * Reads `2h` and `2 hours` as two hours ago, or a date or time, which is local unless it has a time zone. Fails
 * with `invalid_input` for anything else.
 */
function parseSince(text: string, nowMs: number): number {
  const [, count, unit] = agoPattern.exec(text.trim()) ?? [];
  if (count !== undefined && unit !== undefined) {
    return nowMs - Number(count) * (unitMs[unit.charAt(0).toLowerCase()] ?? 0);
  }
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?))?$/.exec(text) ??
    [];
  // JavaScript would take a date without a time as UTC, so midnight is added.
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time ?? '00:00'}`);
  if (!Number.isNaN(ms)) return ms;
  throw new VaultError(
    'invalid_input',
    `"${oneLine(text, quotedCharsMax)}" is not a time for "since"; write 30m, 2h, 3d or 1w, or 7 days, for so long ago, or a date or time like 2026-11-09T18:30.`,
  );
}

/** `since` as a filter of changes takes it; no filter when it is not given. */
export function sinceMs(since: string | undefined, nowMs: number): { sinceMs?: number } {
  return since === undefined ? {} : { sinceMs: parseSince(since, nowMs) };
}

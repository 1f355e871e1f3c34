/** Times within one answer: each to the minute, and the offset from UTC that all of them have. */
interface LocalTimes {
  /** Such as `+01:00`. */
  readonly zone: string;
  /** A time such as `2026-11-09T18:30`. */
  readonly of: (timeMs: number) => string;
}

/** What JavaScript can show as a date, on either side of 1970. */
const timeMsMax = 8.64e15 - 24 * 60 * 60_000;

/**
 * Shows times as clocks here show them now. The offset is that of `nowMs` for all of them, also for
 * times before the clocks were changed, so that one `zone` is true for the whole answer.
 */
export function localTimes(nowMs: number): LocalTimes {
  const minutes = -new Date(nowMs).getTimezoneOffset();
  const size = Math.abs(minutes);
  const two = (number: number): string => String(number).padStart(2, '0');
  return {
    zone: `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`,
    of: (timeMs) => {
      const shown = Math.max(-timeMsMax, Math.min(timeMs, timeMsMax)) + minutes * 60_000;
      return new Date(shown).toISOString().replace(/:\d\d\.\d+Z$/, '');
    },
  };
}

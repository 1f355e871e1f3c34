/** How long ago something was, in words: "3 minutes ago", "yesterday". */
export function timeAgo(timeMs: number, nowMs: number): string {
  const seconds = Math.round((timeMs - nowMs) / 1_000);
  const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ];
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return words.format(Math.trunc(seconds / length), unit);
  }
  return 'just now';
}

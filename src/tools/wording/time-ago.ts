const units: readonly (readonly [unit: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago something was, or how soon it will be, in words: "3 minutes ago", "yesterday". */
export function timeAgo(timeMs: number, nowMs: number): string {
  const seconds = Math.round((timeMs - nowMs) / 1_000);
  const found = units.find(([, length]) => Math.abs(seconds) >= length);
  if (found === undefined) return 'just now';
  const [unit, length] = found;
  const number = Math.trunc(Math.abs(seconds) / length);
  if (unit === 'day' && number === 1) return seconds < 0 ? 'yesterday' : 'tomorrow';
  const words = `${number} ${unit}${number === 1 ? '' : 's'}`;
  return seconds < 0 ? `${words} ago` : `in ${words}`;
}

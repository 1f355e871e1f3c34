/** How much a log says; each level includes those before it. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * The log of the program. A line is an event and a few values: names of tools, codes, counts,
 * times. It never contains text of notes, tokens or arguments; callers log only their names and
 * sizes.
 */
export interface Logger {
  log(
    level: Exclude<LogLevel, 'silent'>,
    event: string,
    values?: Readonly<Record<string, string | number | boolean | undefined>>,
  ): void;
}

/**
 * What a log may say about a bug: the kind of error and its place in our code. Never the message,
 * which may contain names and text of notes.
 */
export function faultOrigin(error: unknown): { readonly kind: string; readonly at: string } {
  if (!(error instanceof Error)) return { kind: typeof error, at: 'unknown' };
  const { name, message, stack = '' } = error;
  // The stack begins with the message, which may itself look like a frame.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const place = /^\s+at .*?([^/\\():\s]+:\d+:\d+)\)?$/m.exec(frames);
  return { kind: /^\w{1,40}$/.test(name) ? name : 'Error', at: place?.[1] ?? 'unknown' };
}

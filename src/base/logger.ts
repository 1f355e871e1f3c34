/** How much a log says; each includes those before it. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * The one log. A line is an event and a few values: names of tools, codes, counts, times. Never
 * note text, tokens or arguments; those are reduced to their names and sizes before they come here.
 */
export interface Logger {
  log(
    level: Exclude<LogLevel, 'silent'>,
    event: string,
    values?: Readonly<Record<string, string | number | boolean | undefined>>,
  ): void;
}

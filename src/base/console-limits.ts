const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The limits of the console, as a part of `limits`. */
export const consoleLimits = {
  /** How long a one-time key opens the console, and how many wait to be used. */
  consoleKeyMs: 10 * minuteMs,
  consoleKeysMax: 16,
  /** How long an open console stays signed in without being used, and how many there may be. */
  consoleSessionMs: 12 * hourMs,
  consoleSessionsMax: 50,
  /** How exactly the last use of an open console is kept. */
  consoleUsedMs: 1_000,
  /** The body of a request by the owner, and of one by somebody who is not signed in. */
  consoleBodyBytesMax: 256 * 1024,
  consoleStrangerBodyBytesMax: 4 * 1024,
  /** Event streams that are open at the same time. */
  consoleStreamsMax: 16,
  /** How often the state of each vault is looked at while a page listens. */
  consoleLookMs: 1_000,
  /** How long after a call pages are told that clients call: what it has read is logged by then. */
  consoleCalledMs: 1_500,
  /** The files of the page in memory. */
  consoleFilesMax: 200,
  consoleFilesBytesMax: 16 * 1024 * 1024,
  /** A picture of the vault that is sent as it is; a larger one is made smaller. */
  consolePictureBytesMax: 2 * 1024 * 1024,
  /** The file of such a larger picture. */
  consolePictureFileBytesMax: 32 * 1024 * 1024,
  /** The side of the smaller picture, in pixels. */
  consolePicturePixels: 1_024,
  /** The owner's reason for a denial, which goes to a model. */
  consoleReasonCharsMax: 200,
  /** Entries of the read log in one answer. */
  consoleReadsMax: 1_000,
  /** Tokens and grants whose last call is remembered. */
  lastCallsMax: 2_000,
  /** How exactly that is kept on disk. */
  lastCallsMs: minuteMs,
  /** When a server first counts notes for the day, and how often it looks whether the day has changed. */
  dayTotalsFirstMs: minuteMs,
  dayTotalsEveryMs: hourMs,
  /** Rows of a list of problems in one answer. */
  problemRowsMax: 200,
  /** Differences that a check of the whole vault answers with. */
  checkLinesMax: 50,
  /** How long a check of the whole vault may take when the owner asks for one. */
  consoleCheckMs: hourMs,
  /** After how long without an open page `vaultdoor console` ends. */
  consoleIdleMs: 10 * minuteMs,
} as const;

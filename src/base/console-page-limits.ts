/** Bounds of the console's page in the browser. What the server bounds is in `limits`. */
export const consolePageLimits = {
  /** Changes that are asked for at once, and how many the feed holds before it asks for a filter. */
  feedPage: 100,
  feedRowsMax: 500,
  /** Rows of the log of reads that are asked for at once. */
  readsMax: 1_000,
  /** Longer lines are compared as wholes, not word by word, and cut when they are shown. */
  wordDiffCharsMax: 2_000,
  shownLineCharsMax: 5_000,
  /** Unchanged lines around a change. */
  contextLines: 2,
  /** A file with more lines in its diff is folded; with still more it is offered as a download. */
  foldedLines: 200,
  shownLinesMax: 5_000,
  /** Changes without a connection are shown as one session up to this gap. */
  sessionGapMs: 10 * 60_000,
  /** The name of a client is cut here. */
  clientCharsMax: 60,
  /** How long the bar offers a redo. */
  toastMs: 10_000,
  /** The first and the longest wait before the page connects again. */
  retryFirstMs: 1_000,
  retryMaxMs: 30_000,
  /** The stream of events counts as broken after this long without a sign of life. */
  silenceMs: 40_000,
  /** An event of the stream may be this long. */
  eventCharsMax: 64 * 1024,
  /** How long the second key of "g a" may take. */
  keySequenceMs: 1_500,
  /** When Connect names the usual reasons, and how many calls it shows. */
  firstCallMs: 60_000,
  shownCalls: 8,
  /** How long a view inside a client waits for the answer to a call. */
  viewCallMs: 120_000,
  /** How much of a note a view draws, and how many notes its picture of links has. */
  viewNoteCharsMax: 100_000,
  viewGraphNodesMax: 60,
  /** The owner's reason for a refusal. */
  reasonCharsMax: 200,
} as const;

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
  /** How many words may differ in a line that is compared so, and how many characters of a file are. */
  wordDiffEditsMax: 200,
  wordDiffAllCharsMax: 200_000,
  /** Unchanged lines around a change. */
  contextLines: 2,
  /** A file with more lines in its diff is folded; with still more it is offered as a download. */
  foldedLines: 200,
  /** After so many files of a change, diffs with more than a few lines are folded. */
  unfoldedFiles: 50,
  foldedLinesLater: 5,
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
  /** How long after the last key a search begins, and how many notes it shows at once. */
  searchWaitMs: 120,
  queryCharsMax: 1_000,
  searchPage: 20,
  searchMore: 50,
  /** Files of a folder among which a shown file is looked for, to say how large it is. */
  folderFilesMax: 1_000,
  /** What is offered to begin with, where nothing is searched for. */
  recentNotes: 20,
  offeredFolders: 30,
  offeredTags: 40,
  /** Versions of a note and lines with links to it that are listed at first. */
  shownVersions: 8,
  versionsMax: 200,
  shownBacklinks: 20,
  backlinksMax: 200,
  shownReads: 8,
  /** When who read a note is asked for a second time: the server writes its log once a second. */
  readsAgainMs: 1_500,
  /** A file that changed this long after a version was made may still be that version. */
  sameTimeMs: 3_000,
  /** Notes of a local graph, and how many of them have their name beside them. */
  localGraphNotes: 60,
  localGraphNames: 8,
  /**
   * Graph: notes around one, how far, rows of its list; up to how many nodes all have their names, and
   * folders and tags to choose from.
   */
  graphAroundMax: 500,
  graphDepthMax: 5,
  graphListPage: 100,
  labelledGraph: 100,
  graphChoices: 200,
  /** Its layout: how many steps, of a graph with more than `layoutLarge` nodes too, and how often it is shown. */
  layoutSteps: 300,
  layoutStepsOfLarge: 120,
  layoutLarge: 1_000,
  layoutNewsMs: 120,
  /** The parts of a shown note are asked for anew at most this often. */
  followMs: 800,
  /** Rows of each list on Health in short, and on a page of the list alone. */
  healthRows: 5,
  healthPage: 50,
  /** How soon Health asks again after a change; changes until then are one. */
  healthRefreshMs: 3_000,
  /** Days that the plots show. */
  plottedDays: 90,
  plottedTotalDays: 366,
  /** Clients with a colour of their own in a plot, and bars for sizes. */
  plottedClients: 5,
  plottedSizes: 8,
  /** How long a view inside a client waits for the answer to a call. */
  viewCallMs: 120_000,
  /** How much of a note a view draws. */
  viewNoteCharsMax: 100_000,
  /** Up to how many proposals each shows its diff at once, of how many files, and how long. */
  openedProposals: 10,
  openedFiles: 3,
  openedDiffChars: 4_000,
  /** The owner's reason for a refusal. */
  reasonCharsMax: 200,
} as const;

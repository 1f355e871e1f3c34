/** The limits of bases and queries over notes. A base is hostile input: anyone may have written it. */
export const basesLimits = {
  /** The text of one expression. */
  baseExpressionCharsMax: 20_000,
  /** How deep brackets and operators of one expression may nest. */
  baseNestingMax: 100,
  /** How deep the `and`, `or` and `not` of a filter may nest. */
  baseFilterDepthMax: 50,
  /** How deep the YAML of a base may nest: deep enough to say where a filter nests too deep. */
  baseYamlNestingMax: 250,
  /** How deep an evaluation may go, through formulas that use formulas. */
  baseDepthMax: 1_000,
  /** How many steps one row may take for its filters, for its sort keys, or for its cells. */
  baseStepsMax: 200_000,
  /** How long a list and a text may become. */
  baseListMax: 100_000,
  baseTextCharsMax: 1_000_000,
  /** How many conditions of a filter the index is asked for; with more, every file is evaluated. */
  baseConditionsMax: 100,
  /** How many files a query asks the index for at a time. */
  baseBatchFiles: 8_000,
  /** How many different dates a query keeps, so that one that many notes have is read once. */
  baseDatesMax: 10_000,
  /** How many different errors of one base are reported. */
  baseErrorsMax: 50,
  /** How many threads evaluate bases in parallel, and how long one is kept when no call needs it. */
  viewWorkersMax: 2,
  viewWorkerIdleMs: 30_000,
  /** How often one query of Dataview may group its rows: groups of groups are nested. */
  dataviewGroupsMax: 5,
  /** How long the values may be that a query of Dataview keeps of all rows, in characters. */
  dataviewKeptCharsMax: 20_000_000,
  /** How many columns a table of Dataview may have, and how many keys a SORT: rows keep them all. */
  dataviewColumnsMax: 100,
  /** How often facts that turn out to be needed are loaded for the same rows. */
  baseRoundsMax: 1_000,
  /** How many bases of one note (code blocks and embedded bases) are looked at for a view. */
  noteBasesMax: 40,
};

/**
 * The limits of a base that a page shows. They are no part of `limits`, which the page loads at its
 * start.
 */
export const shownBaseLimits = {
  /** The text of a code block, rows, columns and views. */
  textCharsMax: 100_000,
  rowsMax: 500,
  columnsMax: 50,
  viewsMax: 100,
  /** How many values and characters all cells may have together. */
  valuesMax: 20_000,
  charsMax: 500_000,
  /** How much of one value is sent: characters of a text, items of a list, and levels. */
  cellCharsMax: 2_000,
  cellItemsMax: 50,
  cellDepthMax: 4,
} as const;

/** The limits of changes and of the history, as a part of `limits`. */
export const changeLimits = {
  /** How long history is kept. */
  historyAgeMaxMs: 90 * 24 * 60 * 60_000,
  /** How many bytes history may have; older changes are dropped first. */
  historyBytesMax: 1024 * 1024 * 1024,
  /** Changes younger than this are kept whatever their size. */
  historyKeepMs: 7 * 24 * 60 * 60_000,
  /**
   * A pause of more than this between two changes, or between the newest change and now, may be a
   * wrong clock. So the latest few such pauses (`historyPausesMax`) do not make changes older.
   */
  historyPauseMs: 7 * 24 * 60 * 60_000,
  historyPausesMax: 8,
  /** Contents larger than this are not kept in history. */
  historyContentBytesMax: 64 * 1024 * 1024,
  /** A change with more content than this is recorded in a thread of its own. */
  nearContentBytesMax: 64 * 1024,
  /** How many changes that wait at the same time are committed together, and their content. */
  groupChangesMax: 16,
  groupContentBytesMax: 256 * 1024,
  /** No more changes are planned for a group that has been planned for so long. */
  groupPlanMs: 20,
  /**
   * A file with more bytes than this is appended to in place by the raw file tools: the cost of an
   * append is then that of the added bytes. A smaller file is replaced as a whole.
   */
  appendWholeBytesMax: 1024 * 1024,
  /** How many such appends history joins to one change. */
  foldedAppendsMax: 50,
  /** Saves of one file by one remote client within this time become one change. */
  historyFoldMs: 5 * 60_000,
} as const;

/**
 * The limits of functions that the console's page uses as well, as a part of `limits`: the page would
 * otherwise load all of them.
 */
export const pageLimits = {
  /** A vault path, in UTF-8 bytes (PATH_MAX on Linux). */
  pathBytesMax: 4096,
  /** One name in a path, in UTF-8 bytes (NAME_MAX on nearly every file system). */
  segmentBytesMax: 255,
  /** Attributes of an HTML tag; with more it is text, as quotes can hide each tag in others. */
  htmlAttributesMax: 200,
  /** How many edited lines a diff looks for; with more it shows the whole text as replaced. */
  diffEditsMax: 2_000,
} as const;

/** The limits of searches by meaning, and of what is asked of an embedding model. */
export const embedLimits = {
  /** How a note is cut for an embedding model: characters of a passage, passages of a note. */
  embedPassageCharsMax: 800,
  embedPassagesMax: 200,
  /** How many passages one request has, how long it may take, and the bytes of its answer. */
  embedBatchMax: 32,
  embedBatchMs: 120_000,
  embedAnswerBytesMax: 32 * 1024 * 1024,
  /** The numbers of a vector. */
  embedLengthMax: 8_192,
  /** How long a search waits for the vector of its query, and does without after a failure. */
  embedQueryMs: 3_000,
  embedDownMs: 10_000,
  /** The pause after a failure, doubled by each one that follows, and the longest. */
  embedRetryMs: 1_000,
  embedRetryMsMax: 5 * 60_000,
  /** How often is looked whether the process that embeds the notes of a vault has ended. */
  embedLeaseMs: 5_000,
  /** How long a thread with a model is kept when idle. */
  embedIdleMs: 5 * 60_000,
  /** The key of an embedding endpoint. */
  embedKeyCharsMax: 4_096,
  /** How many of the nearest notes a search joins with those that have its words. */
  meaningNotesMax: 50,
  /** The bytes of vectors that are held in memory for a vault; with more it is searched by words. */
  meaningBytesMax: 1024 * 1024 * 1024,
};

/** The limits of pictures that are made smaller. */
export const pictureLimits = {
  /** A picture of which a thumbnail is made, in bytes. */
  thumbnailSourceBytesMax: 64 * 1024 * 1024,
  /** The memory that the library for pictures may have, and the pixels that it scales at once. */
  thumbnailMemoryBytesMax: 150 * 1024 * 1024,
  thumbnailScaledPixelsMax: 6_000_000,
  /**
   * The pixels of a picture. One that is decoded row by row or block by block, and made smaller
   * meanwhile, may have many: a JPEG, or a PNG that is not interlaced.
   */
  thumbnailPixelsMax: 120_000_000,
  thumbnailWholePixelsMax: 9_000_000,
  thumbnailSourceWidthMax: 65_535,
  /**
   * How many parts of a file are looked at for its size, and in a JPEG or WebP for how it lies. A photo
   * has a few hundred; millions, which a hostile file can have, would hold up everything else.
   */
  thumbnailPartsMax: 20_000,
  /** The longer side of a thumbnail, in pixels. */
  thumbnailSideMax: 4_096,
  /** How long making a thumbnail may take, and how long its thread is kept when idle. */
  thumbnailMs: 30_000,
  thumbnailIdleMs: 30_000,
  /** How many thumbnails may wait to be made. */
  thumbnailsWaitingMax: 256,
  /** The thumbnails that are kept on disk. With more, the oldest go until nine tenths are left. */
  thumbnailCacheBytesMax: 200 * 1024 * 1024,
} as const;

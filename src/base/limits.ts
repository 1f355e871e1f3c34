import { consoleLimits } from './console-limits.ts';
import { doorLimits } from './door-limits.ts';
import {
  basesLimits,
  changeLimits,
  embedLimits,
  pageLimits,
  pictureLimits,
} from './engine-limits.ts';
import { oauthLimits } from './oauth-limits.ts';
import { doctorLimits, setupLimits } from './setup-limits.ts';

/** Every limit of the program. The unit is the last word of each name. */
export const limits = {
  ...basesLimits,
  ...changeLimits,
  ...consoleLimits,
  ...doctorLimits,
  ...doorLimits,
  ...embedLimits,
  ...oauthLimits,
  ...pageLimits,
  ...pictureLimits,
  ...setupLimits,
  /** How long a call works on the main thread, from note to note, before others get their turn. */
  turnMs: 10,
  /** A longer text is scanned and edited in a thread, so that other calls do not wait for it. */
  heavyTextChars: 128 * 1024,
  /** How many threads do that in parallel, and how long one is kept when no call needs it. */
  noteWorkersMax: 2,
  noteWorkerIdleMs: 30_000,
  /** A note larger than this is known by name only: it is neither parsed nor searched. */
  noteBytesMax: 16 * 1024 * 1024,
  /** How many notes one batch from the scanner to the index may hold. */
  batchNotesMax: 1_024,
  /** How many bytes of text one batch may hold. */
  batchBytesMax: 4 * 1024 * 1024,
  /** A file read this soon after its mtime is read again: a write may have kept the mtime. */
  racyMs: 20,
  /**
   * How long a call may take that has to wait until all notes of a new vault are read, such as a list
   * of tags, where the deadline is the usual one; and how much of it is for the waiting. If that is not
   * enough, the call fails and says how far the index is.
   */
  newVaultMs: 60_000,
  indexWaitMs: 58_000,
  /** How long reading a new vault may pause for callers, beyond as long as it has worked. */
  buildPauseMs: 3_000,
  /** The size of an index that is in memory, because its file cannot be written. */
  memoryIndexBytesMax: 256 * 1024 * 1024,
  /** How long a change waits for the index to see what others changed, before it is planned again. */
  courtesyWaitMs: 1_000,
  /** The watcher collects events this long before it reports them. */
  watchQuietMs: 30,
  /** Events never wait longer than this, however busy the vault is. */
  watchDelayMaxMs: 500,
  /** With more changed paths, walking the whole vault and comparing it with the index costs less. */
  watchBurstPaths: 10_000,
  /** A report with more folders than this that came or went becomes a reconcile as well. */
  watchFoldersMax: 100,
  /** A reconcile runs at least this often while the program runs. */
  reconcileEveryMs: 5 * 60_000,
  /** How often a file system without events is walked. */
  pollEveryMs: 5_000,
  /** How long to wait for a drive when looking whether the vault is there. */
  vaultAnswerMs: 5_000,
  /** How often a server looks whether the folder of its vault is there, to log when it is not. */
  presenceEveryMs: 2_000,
  /** Results of one listing call. */
  resultsMax: 10_000,
  /** Folders that one listing of folders reads. */
  foldersMax: 100_000,
  /** Results of one search. */
  searchResultsMax: 200,
  /** How many characters of a note are searched for lines that show why it was found. */
  snippetCharsMax: 256 * 1024,
  /** A search query, in characters. */
  queryCharsMax: 1_000,
  /** How deep the groups and operators of a query may nest. */
  queryDepthMax: 40,
  /** How long a search may read the texts of notes, where the index alone cannot decide. */
  textMatchMs: 4_000,
  /** How many candidates such a search asks the index for at a time. */
  textMatchPage: 5_000,
  /** How many such searches run in parallel, each in a thread of its own; others wait. */
  textMatchesMax: 2,
  /** How often such a thread reports the results that it has so far. */
  textMatchTurnMs: 20,
  /** How long such a thread is kept when no search needs it. */
  textMatchIdleMs: 30_000,
  /** How long the thread that scans files is kept when there is nothing to scan. */
  scanIdleMs: 60_000,
  /** A vault without a call for this long closes its index until the next one. */
  vaultSleepMs: 10 * 60_000,
  /** The changed paths that a sleeping vault remembers; when there are more, it wakes. */
  asleepPathsMax: 1_000,
  /** The name of a new file, in UTF-8 bytes: every platform can store this much. */
  newNameBytesMax: 240,
  /** All new contents of one change together. */
  changeBytesMax: 512 * 1024 * 1024,
  /** Files that one change touches. */
  changeFilesMax: 200_000,
  /** Operations in one batch. */
  batchOperationsMax: 10_000,
  /** The input text of a batch. */
  batchInputBytesMax: 64 * 1024 * 1024,
  /** How often a change is planned again because files changed; then it fails (`conflict`). */
  replansMax: 3,
  /** How long a change waits for another process to finish its change. */
  commitWaitMs: 30_000,
  /** How much longer a call may take after its deadline to find out whether its change was made. */
  commitGraceMs: 5_000,
  /** A call aborted because the server ends is answered within `commitGraceMs` and a second. */
  lastAnswersMs: 6_000,
  /** How long a call waits for the owner's answer; the question then stays for a day. */
  ownerWaitMs: 20_000,
  ownerLookEveryMs: 300,
  questionAgeMaxMs: 24 * 60 * 60_000,
  /** How many questions may wait for an answer in one vault. */
  questionsMax: 100,
  /** The same for one asker, so that others can still ask. */
  questionsOfOneMax: 20,
  /** The characters of the reason that the owner gives for a refusal. */
  ownerReasonCharsMax: 1_000,
  /** The window of the brake, and how long the owner's permission for a session holds. */
  brakeMs: 10 * 60_000,
  /** Files deleted or overwritten whole in that window before the owner is asked (`--brake`). */
  brakeFiles: 25,
  /**
   * The rows that the brake adds up; with more, it counts as reached. And the files of one change
   * whose versions it keeps; of the others it keeps the number.
   */
  brakeRowsMax: 10_000,
  brakeVersionsMax: 100,
  /** The changes that `approvals deny --undo` takes back; with more, it says so. */
  brakeUndoMax: 10_000,
  /** The paths that a question names; it also says how many there are. */
  questionPathsMax: 20,
  /** The diff that a question has, and the bytes of a file, before and after, that is in it. */
  questionDiffCharsMax: 64 * 1024,
  questionDiffBytesMax: 512 * 1024,
  /** The part of a call's time that is left when it stops waiting for the owner. */
  ownerAnswerMs: 5_000,
  /** With more new tags than this the user is not asked: the list would be too long to read. */
  askedTagsMax: 20,
  /** How many questions or proposals that are too old are deleted at a time. */
  forgottenRowsMax: 100,
  /** Proposals: how long they are kept, how many may be open, and their bytes. */
  proposalAgeMaxMs: 7 * 24 * 60 * 60_000,
  proposalsMax: 500,
  proposalBytesMax: 4 * 1024 * 1024,
  proposalsBytesMax: 20 * 1024 * 1024,
  /** The same for one asker, so that others can still propose. */
  proposalsOfOneMax: 100,
  proposalsOfOneBytesMax: 5 * 1024 * 1024,
  /** The log of what was read (`--log-reads`): how long it is kept, and all its files together. */
  readLogAgeMaxMs: 30 * 24 * 60 * 60_000,
  readLogBytesMax: 50 * 1024 * 1024,
  /** A file of it, after which the next one begins, and what may wait to be written. */
  readLogFileBytesMax: 1024 * 1024,
  readLogWaitingBytesMax: 4 * 1024 * 1024,
  readLogWriteEveryMs: 1_000,
  /** The paths that one entry of it names. */
  readLogPathsMax: 1_000,
  /** The name of a client in it, and in a notice to the owner, in characters. */
  clientNameCharsMax: 60,
  /** How often the owner is told that something waits, and how long telling may take. */
  noticeEveryMs: 60_000,
  noticeMs: 10_000,
  /** How many names of clients are remembered for one notice. */
  noticeClientsMax: 100,
  /** How long a server that ends waits for its last notice. */
  lastNoticeMs: 3_000,
  /** The characters that the diff of a change shows; then it says how many files it left out. */
  diffCharsMax: 16 * 1024 * 1024,
  /** Conflict copies: the versions that are compared, and how many lines of them all. */
  conflictVersionsMax: 50,
  conflictLinesMax: 2_000_000,
  /** Places that an answer about one shows, and the characters of each side. */
  conflictChoicesMax: 500,
  conflictChoiceCharsMax: 2_000,
  /** On Windows, how long to try again when another program holds a file open. */
  heldFileMs: 2_000,
  /** No call runs longer, whatever its caller allows: timers cannot hold more than 24 days. */
  callDeadlineMaxMs: 2_000_000_000,
  /** How long a call may take, unless the user has set something else. */
  callDeadlineMs: 30_000,
  /** The characters of one answer of a note toolset. */
  answerCharsMax: 40_000,
  /** The changes in which the targets of broken links are looked for. */
  pastChangesMax: 1_000,
  /** Broken links in one answer: more would not fit, and likely targets are looked for for each. */
  brokenLinksMax: 500,
  /** Duplicates: the compared characters of a note, and the kept sketches of 400 bytes each. */
  duplicateCharsMax: 100_000,
  duplicateSketchesMax: 100_000,
  /** Files that one answer of a note toolset lists; it also says how many there are. */
  answerFilesMax: 20,
  /** How many notes one call of `read_note` reads, and how many characters of them it answers. */
  readNotesMax: 20,
  readNotesCharsMax: 24_000,
  /** One message of an MCP client on stdin. */
  messageBytesMax: 16 * 1024 * 1024,
  /** How deep the JSON of a message may nest, and how many values it may have. */
  jsonDepthMax: 200,
  jsonValuesMax: 100_000,
  /** A longer message is parsed in a thread, which is kept this long when idle. */
  jsonInPlaceBytesMax: 1024 * 1024,
  jsonThreadIdleMs: 30_000,
  /** How long a call waits for a client that was asked in which folders it works (roots). */
  rootsWaitMs: 2_000,
  /** How many of these folders are looked at. */
  rootsMax: 100,
  /** Requests of a connection under way; with more, it is not read until some are answered. */
  requestsAtOnceMax: 1_024,
  /** Calls that a vault may have under way for all, including calls that were given up. */
  callsAtOnceMax: 2_048,
  /** Whole notes that are read in parallel for one connection: each may be large. */
  resourceReadsMax: 4,
  /** When to try again after a call was refused because too much is asked for at once (`busy`). */
  busyRetryMs: 1_000,
  /** How long a server that is told to stop waits for the running calls. */
  shutdownMs: 10_000,
  /** How long it then waits until the reader of its log has read the end. */
  lastLogMs: 1_000,
  /** How much of the log is kept for a reader that does not read; the rest is lost. */
  logBytesMax: 1024 * 1024,
  /** For how many tokens the words that stand for changes are known to those who see all. */
  wordReadersMax: 100,
  /** Auto-context: how many notes it lists. */
  contextNotesMax: 30,
  /** Auto-context: how long a line may be, in characters. */
  contextLineCharsMax: 200,
  /** Auto-context: how much of a line the name of a note may take, in characters. */
  contextNameCharsMax: 160,
  /** Auto-context: how many of the most used tags it names. */
  contextTagsMax: 12,
  /** Auto-context: how long the first call waits for the index because of it. */
  contextWaitMs: 1_000,
  /** Auto-context: with more notes to be read before it than this, no call waits for it. */
  contextFilesMax: 1_000,
  /** Auto-context: after which idle time a connection is given it again. */
  contextEveryMs: 15 * 60_000,
  /** Allowed tags that a refusal names. */
  allowedTagsMax: 200,
  /** Notes in the list of resources. */
  resourcesMax: 200,
  /** Subscriptions of one connection. */
  subscriptionsMax: 1_000,
  /** Completions of one argument; the protocol allows no more. */
  completionsMax: 100,
  /** For how many connections it is remembered which notes they have read, and how many of each. */
  connectionsMax: 1_000,
  connectionNotesMax: 1_000,
  /** Texts of notes as connections have read them, kept for all together to show later changes. */
  servedBytesMax: 32 * 1024 * 1024,
  /** How long a command of Obsidian's command palette may take. */
  appDeadlineMs: 30_000,
  /** How much a command of the Obsidian CLI may print. */
  appOutputBytesMax: 4 * 1024 * 1024,
  /** All arguments of such a command together: Windows takes 32,767 characters. */
  appArgumentBytesMax: 30_000,
  /** How many such commands run in parallel for one vault. */
  appCommandsMax: 4,
  /** When the program that opens addresses runs longer than this, it has become the app itself. */
  openerMs: 3_000,
  /** How much of what another program says on stderr is kept. */
  programErrorBytesMax: 64 * 1024,
  /** How long a program that was told to end may take before it is killed. */
  programKillMs: 1_000,
  /** How long to wait for the output of an ended program whose children keep it open. */
  programDrainMs: 500,
  /** Files larger than this are read one after the other, so that others are served in between. */
  largeReadBytes: 64 * 1024,
  /** What `note_read` answers at most, and what is published of a decision. */
  wholeNoteBytesMax: 1024 * 1024,
  /** Lines that one line search answers, and the length of a line in characters. */
  foundLinesMax: 500,
  foundLineCharsMax: 500,
  /** How long a line search may run: a regular expression can take any time. */
  lineSearchMs: 20_000,
  /** How many line searches run in parallel for one vault; others wait. */
  lineSearchesMax: 4,
  /** The size of a compiled regular expression: nested repetitions can grow without bound. */
  expressionBytesMax: 10 * 1024 * 1024,
  /** ripgrep first searches unsorted, on all cores; if it prints more, it searches in order. */
  unsortedLinesBytesMax: 256 * 1024,
  /** How much of a line is read to show where it matches. */
  foundLineBytesMax: 64 * 1024,
  /** How many notes and folders completion in a shell lists, and how long it may look for them. */
  completionEntriesMax: 100_000,
  completionMs: 500,
  /**
   * How many entries of a folder that is no vault are looked at for vaults inside it, and for how long.
   * It is done at each start, and a drive may be slow.
   */
  vaultsInsideEntriesMax: 4_000,
  vaultsInsideMs: 100,
  /** Notes in one answer about the graph, and how many links away it looks. */
  graphNodesMax: 500,
  graphDepthMax: 5,
  /** Links that such an answer looks at, in all and of one note (which may be a hub). */
  graphLinksMax: 10_000,
  graphNoteLinksMax: 1_000,
  /** Notes of the whole graph that one answer has: those with the most links. */
  graphNotesMax: 5_000,
  /** Lines and folders of that answer: a vault may have millions, and a page draws each of them. */
  graphLinesMax: 50_000,
  graphFoldersMax: 1_000,
  /** Changes, or sessions, on one page of the owner's list. */
  feedChangesMax: 500,
  /** A change without a connection begins a new session after this long without one. */
  sessionGapMs: 10 * 60_000,
  /** The newest changes that are put into sessions, or counted, at once. */
  summariesMax: 20_000,
  /** The changes of one page of sessions that are read to count their files. */
  sessionChangesMax: 2_000,
  /** The days back to which changes are counted. */
  countedDaysMax: 366,
  /** The days of which the size of the vault is kept. */
  totalDaysMax: 3_660,
  /** The texts of a change in one answer, in characters, and its files. */
  changeTextsCharsMax: 1024 * 1024,
  changeTextsFilesMax: 1_000,
  /** How long a synchronisation may take, and how many characters of its error output are shown. */
  syncMs: 30 * 60_000,
  syncErrorCharsMax: 2_000,
  /** How long a commit, a push and a pull request may take together. */
  publishMs: 2 * 60_000,
  /** Entries of one walk by default, and at most. */
  walkEntries: 50_000,
  walkEntriesMax: 1_000_000,
  /** Paths in one call that asks about several. */
  batchStatMax: 10_000,
  /** Notes that have something in common with another, in one answer. */
  relatedMax: 50,
  /** A PDF whose text is read: its bytes, its pages, and the characters of all pages together. */
  pdfBytesMax: 64 * 1024 * 1024,
  pdfPagesMax: 2_000,
  pdfTextCharsMax: 4 * 1024 * 1024,
  /** What one stream of a PDF may unpack to. */
  pdfStreamBytesMax: 128 * 1024 * 1024,
  /** As much text of PDFs is looked through for the lines that one search shows. */
  pdfShownCharsMax: 4 * 1024 * 1024,
  /** How long reading the text of a PDF may take, and how long its thread is kept when idle. */
  pdfMs: 30_000,
  pdfIdleMs: 10_000,
  /**
   * The pictures and sounds in one answer of a note toolset, in bytes: as base64 they have to fit into
   * the 1 MiB that clients take.
   */
  shownMediaBytesMax: 700_000,
  /** The pictures of a note in one answer, and the longer side of each, in pixels. */
  shownPicturesMax: 10,
  shownPictureSideMax: 1_568,
  /** How long making these pictures may take; those that are not ready are left out. */
  shownPicturesMs: 10_000,
  /** An attachment that a client is sent whole, as a resource. */
  resourceBlobBytesMax: 8 * 1024 * 1024,
  /** An attachment that a client adds. */
  attachmentBytesMax: 32 * 1024 * 1024,
  /** How much history keeps of a folder that is removed with everything in it. */
  removedFolderBytesMax: 128 * 1024 * 1024,
  /** The name of a property, in characters: YAML allows no key of more than 1,024. */
  propertyNameCharsMax: 1_000,
  /** Notes whose properties one call sets, and how many properties of each. */
  propertyNotesMax: 500,
  propertiesPerCallMax: 50,
  /** Properties that change in one call, times the characters of their block: about 1 s of work. */
  propertyWorkMax: 2_000_000,
  /** How deep YAML, lists and quotes may nest; anything deeper is taken as text. */
  nestingMax: 100,
  /** YAML larger than this, in characters, is only read where its shape is simple. */
  yamlCharsMax: 256 * 1024,
  /** How many values the aliases of one YAML block may stand for. */
  yamlAliasedMax: 10_000,
  /** The size of a `.vaultdoorignore`, and how many globs it may have. */
  ignoreFileBytesMax: 64 * 1024,
  ignoreGlobsMax: 1_000,
  /** How old what was read of a `.vaultdoorignore` may be before its file is looked at again. */
  ignoreCheckMs: 250,
  /** For how many versions in history it is remembered whether they have a mark. */
  markedVersionsMax: 50_000,
  /** For how many sets of marks it is remembered which notes and versions have them. */
  markSetsMax: 16,
  /** How many files an error lists of those that a name could mean. */
  candidatesMax: 20,
} as const;

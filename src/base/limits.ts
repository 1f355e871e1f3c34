/** Every limit of the program, in one place. Units stand last in the names. */
export const limits = {
  /** A vault path, in UTF-8 bytes (PATH_MAX on Linux). */
  pathBytesMax: 4096,
  /** One name in a path, in UTF-8 bytes (NAME_MAX on nearly every file system). */
  segmentBytesMax: 255,
  /** A note larger than this is known by name only: it is neither parsed nor searched. */
  noteBytesMax: 16 * 1024 * 1024,
  /** How many notes one batch from the scanner to the index may hold. */
  batchNotesMax: 1_024,
  /** How many bytes of text one batch may hold. */
  batchBytesMax: 4 * 1024 * 1024,
  /** An entry indexed this soon after its own mtime is read again at the next look. */
  racyMs: 20,
  /** What needs the whole vault waits this long for the index, then says how far it is. */
  indexWaitMs: 4_000,
  /** What only adds to an answer waits this long for it, and then does without. */
  courtesyWaitMs: 1_000,
  /** The watcher collects events this long before it reports them. */
  watchQuietMs: 30,
  /** Events never wait longer than this, however busy the vault is. */
  watchDelayMaxMs: 500,
  /** More changed paths than this in one report become a reconcile: a walk costs less than so many looks. */
  watchBurstPaths: 10_000,
  /** And so do more folders that came or went. */
  watchFoldersMax: 100,
  /** A reconcile runs at least this often while the program runs. */
  reconcileEveryMs: 5 * 60_000,
  /** How often a file system without events is walked. */
  pollEveryMs: 5_000,
  /** How long the drive of a vault may take to say that the vault is there. */
  vaultAnswerMs: 5_000,
  /** Results of one listing call. */
  resultsMax: 10_000,
  /** Folders that one listing of them looks into. */
  foldersMax: 100_000,
  /** Results of one search. */
  searchResultsMax: 200,
  /** How much of a note is looked through for lines that show why it was found, in characters. */
  snippetCharsMax: 256 * 1024,
  /** A search query, in characters. */
  queryCharsMax: 1_000,
  /** How deep its groups and operators may nest. */
  queryDepthMax: 40,
  /** How long notes are looked through for what only their text can tell; */
  textMatchMs: 4_000,
  /** how many candidates the index is asked for at once; */
  textMatchPage: 5_000,
  /** how many queries are looked for at once, each in a thread of its own; others wait; */
  textMatchesMax: 2,
  /** how often such a thread says how far it is; */
  textMatchTurnMs: 20,
  /** and how long it is kept when nobody needs it. */
  textMatchIdleMs: 30_000,
  /** A new name, in UTF-8 bytes: what every platform and sync program can hold. */
  newNameBytesMax: 240,
  /** All new contents of one change together. */
  changeBytesMax: 512 * 1024 * 1024,
  /** Files that one change touches. */
  changeFilesMax: 200_000,
  /** Operations in one batch. */
  batchOperationsMax: 10_000,
  /** The text of a batch. */
  batchInputBytesMax: 64 * 1024 * 1024,
  /** How often a change is planned anew when files change under it; then it is a `conflict`. */
  replansMax: 3,
  /** A change waits this long for another process to finish its own. */
  commitWaitMs: 30_000,
  /** A call whose time is over may take this long to say whether its change was made. */
  commitGraceMs: 5_000,
  /** A call that was aborted at the end of a server is answered within this: that, and a moment. */
  lastAnswersMs: 6_000,
  /** History is kept this long, */
  historyAgeMaxMs: 90 * 24 * 60 * 60_000,
  /** and up to this many bytes, */
  historyBytesMax: 1024 * 1024 * 1024,
  /** but never less than this. */
  historyKeepMs: 7 * 24 * 60 * 60_000,
  /** Contents larger than this are not kept in history. */
  historyContentBytesMax: 64 * 1024 * 1024,
  /** Saves of one file by one remote client within this time become one change. */
  historyFoldMs: 5 * 60_000,
  /** A diff looks for this many moved or repeated lines; with more it shows the whole as replaced. */
  diffEditsMax: 2_000,
  /** What one diff of a change shows, in characters; then it says how many files it left out. */
  diffCharsMax: 16 * 1024 * 1024,
  /** On Windows a file that another program holds open is tried again this long. */
  heldFileMs: 2_000,
  /** No call runs longer than this, whatever its caller allows: 24 days is what timers hold. */
  callDeadlineMaxMs: 2_000_000_000,
  /** A call of a door has this long, unless its user says otherwise. */
  callDeadlineMs: 30_000,
  /** What one answer of a note toolset holds, in characters. */
  answerCharsMax: 40_000,
  /** Files that one answer of a note toolset lists; the total is beside them. */
  answerFilesMax: 20,
  /** One message of an MCP client on stdin. */
  messageBytesMax: 16 * 1024 * 1024,
  /** Requests that a connection has under way; then it is not read from until some are answered. */
  requestsAtOnceMax: 1_024,
  /** Calls that a vault has under way for all connections, those included that were given up. */
  callsAtOnceMax: 2_048,
  /** Whole notes that a connection is being read at once: each may be as large as a note may be. */
  resourceReadsMax: 4,
  /** How long a server that was told to leave finishes what runs. */
  shutdownMs: 10_000,
  /** How long it then waits for the last of its log to be read. */
  lastLogMs: 1_000,
  /** How much of a log is kept for someone who does not read it; what comes then is lost. */
  logBytesMax: 1024 * 1024,
  /** Auto-context: how many notes it lists, */
  contextNotesMax: 30,
  /** how long each line is, in characters, */
  contextLineCharsMax: 200,
  /** how many of the most used tags it names, */
  contextTagsMax: 40,
  /** how long a first call waits for the index because of it, */
  contextWaitMs: 1_000,
  /** and after which idle time a connection is given it again. */
  contextEveryMs: 15 * 60_000,
  /** Allowed tags that a refusal names. */
  allowedTagsMax: 200,
  /** Notes in the list of resources. */
  resourcesMax: 200,
  /** Subscriptions of one connection. */
  subscriptionsMax: 1_000,
  /** Completions of one argument: what the protocol allows. */
  completionsMax: 100,
  /** Connections whose reading is remembered, and notes of each. */
  connectionsMax: 1_000,
  connectionNotesMax: 1_000,
  /** The texts that are remembered for all connections together, to show what changed. */
  servedBytesMax: 32 * 1024 * 1024,
  /** A command of the Obsidian CLI has this long, unless its own row says otherwise; */
  appDeadlineMs: 30_000,
  /** what it prints, */
  appOutputBytesMax: 4 * 1024 * 1024,
  /** what it is given, all arguments together: Windows takes 32,767 characters, */
  appArgumentBytesMax: 30_000,
  /** and how many of them run at once for one vault. */
  appCommandsMax: 4,
  /** An opener of addresses that runs longer than this has become the app itself. */
  openerMs: 3_000,
  /** What another program says on stderr, as far as it is kept. */
  programErrorBytesMax: 64 * 1024,
  /** A program that was told to end is killed after this. */
  programKillMs: 1_000,
  /** How long the output of an ended program is waited for when its children hold it open. */
  programDrainMs: 500,
  /** A note that is read whole in one answer; larger ones are `too_large`. */
  wholeNoteBytesMax: 1024 * 1024,
  /** Lines that one line search answers, and how long each is, in characters. */
  foundLinesMax: 500,
  foundLineCharsMax: 500,
  /** How long a line search runs: an expression may be as bad as its author likes. */
  lineSearchMs: 20_000,
  /** How many run at once for one vault; others wait for their turn. */
  lineSearchesMax: 4,
  /** What an expression may become when it is compiled: repeats of repeats grow without end. */
  expressionBytesMax: 10 * 1024 * 1024,
  /** What ripgrep may print on all cores in no order; when it is more, it searches in order. */
  unsortedLinesBytesMax: 256 * 1024,
  /** How much of a line is looked at to show where it matches. */
  foundLineBytesMax: 64 * 1024,
  /** Notes that one answer about the graph has, and how far it looks. */
  graphNodesMax: 500,
  graphDepthMax: 5,
  /** Links that it looks at on the way, and of one note: a hub must not take them all. */
  graphLinksMax: 10_000,
  graphNoteLinksMax: 1_000,
  /** How long one synchronisation may take, and what is told of its failure, in characters. */
  syncMs: 30 * 60_000,
  syncErrorCharsMax: 2_000,
  /** How long a commit, a push and a pull request may take together. */
  publishMs: 2 * 60_000,
  /** The head of an HTTP request. */
  httpHeaderBytesMax: 16 * 1024,
  /** The body of an HTTP request to the MCP door. */
  httpBodyBytesMax: 16 * 1024 * 1024,
  /** All bodies that are being received at once, together. */
  httpBodiesBytesMax: 128 * 1024 * 1024,
  /** HTTP requests under way, streams that only listen aside. */
  httpRequestsMax: 512,
  /** Connections that are open at once. */
  httpConnectionsMax: 2_048,
  /** How long a client may take to send the head of its request, and the whole of it; */
  httpHeadMs: 10_000,
  httpRequestMs: 30_000,
  /** how often that is looked at; */
  httpLookMs: 1_000,
  /** how long its connection stays open for the next one: longer than a proxy keeps it (Caddy: 2 min); */
  httpIdleMs: 125_000,
  /** and how long what a refused client still sends is thrown away, so that it reads the answer. */
  httpLingerMs: 10_000,
  /** The same while the server is closing. */
  httpClosingMs: 1_000,
  /** Requests that a client may send ahead, before the one under way is answered. */
  httpAheadMax: 8,
  /** What waits for a client that does not read; then it is cut off. */
  httpUnreadBytesMax: 16 * 1024 * 1024,
  /** A client that reads nothing at all for this long while something waits for it is cut off. */
  httpUnreadMs: 60_000,
  /** A stream that has nothing to say says so this often, so that nobody in between closes it. */
  httpKeepAliveMs: 15_000,
  /** Sessions of the MCP door that are open at once, */
  sessionsMax: 1_000,
  /** what a client can do, in characters of JSON: each remembers it, */
  capabilitiesCharsMax: 16 * 1024,
  /** the idle time after which one is closed (a client that comes back revives it), */
  sessionIdleMs: 30 * 60_000,
  /** how long after its beginning it can be revived, */
  sessionAgeMaxMs: 30 * 24 * 60 * 60_000,
  /** how many are remembered that their clients have ended, */
  deletedSessionsMax: 10_000,
  /** what is kept of it for a client whose connection broke: events, and their bytes, */
  sessionEventsMax: 256,
  sessionEventBytesMax: 1024 * 1024,
  /** how long a client has to come back for them, */
  sessionEventMs: 5 * 60_000,
  /** and the bytes of all sessions together. */
  allEventBytesMax: 64 * 1024 * 1024,
  /** Wrong tokens from one address within a minute; what comes then gets no answer but "wait". */
  wrongTokensMax: 10,
  /** Addresses that are counted one by one for it; the others share a count. */
  wrongTokenAddressesMax: 10_000,
  /** How often the machine is asked for its own addresses and names, at most. */
  ownNamesMs: 5_000,
  /** Tokens of one vault, and the name of one, in characters. */
  tokensMax: 1_000,
  tokenNameCharsMax: 100,
  /** How soon a revoked token's open streams are closed. */
  tokenLookMs: 1_000,
  /** Programs that share one server through its socket, */
  attachedMax: 256,
  /** what one says before it is let in, and how long that and the answer may take, */
  helloBytesMax: 256 * 1024,
  helloMs: 5_000,
  /** and how long one that has all its answers may take to hang up. */
  hangUpMs: 1_000,
  /** The body of a call in Bridge v1, as its specification says. */
  bridgeBodyBytesMax: 1024 * 1024,
  /** Clients of our Bridge server that listen for other tools; more of them have to ask. */
  bridgeStreamsMax: 64,
  /** What a Bridge v1 server may answer to one call, and its list of tools. */
  bridgeAnswerBytesMax: 32 * 1024 * 1024,
  /** A call through the stdio bridge: longer than a server's own, shorter than clients wait (60 s). */
  bridgeDeadlineMs: 45_000,
  /** How long the list of tools may take, */
  bridgeListMs: 10_000,
  /** how often it is asked for, */
  bridgePollMs: 5_000,
  /** how often while the server is away, */
  bridgeAwayPollMs: 1_000,
  /** how long a client that asks for tools waits while none are known, */
  bridgeFirstListMs: 2_000,
  /** and after how long a stream of news that says nothing at all is taken for dead. */
  bridgeQuietMs: 60_000,
  /** Connections of the stdio bridge to its server; further calls wait. */
  bridgeConnectionsMax: 256,
  /** How long one of them stays open unused: less than servers keep it, or a call would be lost. */
  bridgeIdleMs: 1_000,
  /** One message of the remote protocol, either way, as its specification says. */
  remoteMessageBytesMax: 16 * 1024 * 1024,
  /** The head of a message: its specification has none, and a client needs some 30 bytes. */
  remoteHeadBytesMax: 8 * 1024,
  /** The id of a request, which its answer repeats, in characters of JSON. */
  remoteIdCharsMax: 64 * 1024,
  /** How long a connection may take to say its token, */
  remoteAuthMs: 10_000,
  /** how many may be open that have not, */
  remoteStrangersMax: 512,
  /** and how many in all. */
  remoteConnectionsMax: 4_096,
  /** Messages of one connection that wait or run, in bytes; then it is not read from. */
  remotePendingBytesMax: 32 * 1024 * 1024,
  /** Calls with large answers that one connection has under way; others wait for their turn. */
  remoteBulkCallsMax: 4,
  /** Calls with small answers: more at once are not faster, since each has its signal and timer. */
  remoteSmallCallsMax: 32,
  /** What waits to be sent to one connection; until it is less, no more is read from it. */
  remoteUnsentBytesMax: 1024 * 1024,
  /** Notices of changes that wait for a client which takes none of them */
  remoteUnreadNoticesMax: 20_000,
  /** for so long: then it is cut off. */
  remoteUnreadNoticesMs: 5_000,
  /** One that reads may be further behind, but not by more than this when something else happens. */
  remoteLateNoticesMax: 500_000,
  /** Watches of one connection. */
  remoteWatchesMax: 1_000,
  /** A call of the remote protocol, whose clients wait for ever. */
  remoteCallMs: 10 * 60_000,
  /** How long a change is known by the name that its client gave it. */
  remoteCorrelationMs: 5_000,
  /** How long ssh may take to connect where nobody is there whom it could ask. */
  remoteSshMs: 30_000,
  /** A file that is read whole: in base64 it has to fit into one message. */
  remoteReadBytesMax: 12_500_000,
  /** Entries of one walk, unless it asks for fewer or more, and at most. */
  walkEntries: 50_000,
  walkEntriesMax: 1_000_000,
  /** Paths that are asked about at once. */
  batchStatMax: 10_000,
  /** An image of which a thumbnail is made, in bytes and in pixels; */
  thumbnailSourceBytesMax: 64 * 1024 * 1024,
  thumbnailPixelsMax: 50_000_000,
  /** the longer side of the thumbnail at most; */
  thumbnailSideMax: 4_096,
  /** how long it may take, and how long the thread is kept that makes them; */
  thumbnailMs: 30_000,
  thumbnailIdleMs: 30_000,
  /** how many wait for it; */
  thumbnailsWaitingMax: 256,
  /** and what is kept of them. When it is more, the oldest go until nine tenths are left. */
  thumbnailCacheBytesMax: 200 * 1024 * 1024,
  /** What history keeps of a folder that is removed with all that is in it. */
  removedFolderBytesMax: 128 * 1024 * 1024,
  /** A property's name, in characters: YAML has no key of more than 1,024 before its value. */
  propertyNameCharsMax: 1_000,
  /** Properties that change at once, times the characters of their block: about a second. */
  propertyWorkMax: 2_000_000,
  /** How deep YAML, lists and quotes may nest before the rest is taken as text. */
  nestingMax: 100,
  /** YAML larger than this, in characters, is only read where its shape is simple. */
  yamlCharsMax: 256 * 1024,
  /** How many values the aliases of one YAML block may stand for. */
  yamlAliasedMax: 10_000,
} as const;

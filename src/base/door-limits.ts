/** The limits of HTTP, sessions and doors, as a part of `limits`. */
export const doorLimits = {
  /** The head of an HTTP request. */
  httpHeaderBytesMax: 16 * 1024,
  /** The body of an HTTP request to the MCP door. */
  httpBodyBytesMax: 16 * 1024 * 1024,
  /** All bodies together that are being received. */
  httpBodiesBytesMax: 128 * 1024 * 1024,
  /** HTTP requests under way, not counting streams that only listen. */
  httpRequestsMax: 512,
  /** Open HTTP connections. */
  httpConnectionsMax: 2_048,
  /** How long a client may take to send the head of its request, and the whole request. */
  httpHeadMs: 10_000,
  httpRequestMs: 30_000,
  /** How often those two limits are checked, and whether clients read their answers. */
  httpLookMs: 1_000,
  /** How long an idle connection stays open: longer than a proxy keeps it (Caddy: 2 min). */
  httpIdleMs: 125_000,
  /** How long to discard what a refused client still sends, so that it reads the answer. */
  httpLingerMs: 10_000,
  /** How long to discard it while the server is closing. */
  httpClosingMs: 1_000,
  /** Requests that a client may send before the current one is answered. */
  httpAheadMax: 8,
  /** How many bytes may wait for a client that does not read, before it is disconnected. */
  httpUnreadBytesMax: 16 * 1024 * 1024,
  /** The same for all clients together; those for whom the most waits are disconnected first. */
  httpUnreadAllBytesMax: 128 * 1024 * 1024,
  /** How long a client may read nothing while bytes wait for it, before it is disconnected. */
  httpUnreadMs: 60_000,
  /** How often an idle stream sends a comment, so that no proxy closes it. */
  httpKeepAliveMs: 15_000,
  /** Open sessions of the MCP door, and those whose subscriptions are kept on disk. */
  sessionsMax: 1_000,
  /**
   * Open sessions of one token; and of one address, where clients come directly and without a
   * token. For clients of 2026-07-28, which have no sessions: their open streams.
   */
  sessionsPerTokenMax: 200,
  sessionsPerAddressMax: 200,
  /** The capabilities of a client, in characters of JSON: each session remembers them. */
  capabilitiesCharsMax: 16 * 1024,
  /** How long after its last call a client counts as connected that has no stream open. */
  sessionHereMs: 2 * 60_000,
  /** After which idle time a session is closed; a client that comes back revives it. */
  sessionIdleMs: 30 * 60_000,
  /** How long after its beginning a session can be revived. */
  sessionAgeMaxMs: 30 * 24 * 60 * 60_000,
  /** How many sessions are remembered that their clients have ended. */
  deletedSessionsMax: 10_000,
  /** Events that a session keeps for a client whose connection broke, and their bytes. */
  sessionEventsMax: 256,
  sessionEventBytesMax: 1024 * 1024,
  /** How long a client has to come back for these events. */
  sessionEventMs: 5 * 60_000,
  /** The bytes of the kept events of all sessions together. */
  allEventBytesMax: 64 * 1024 * 1024,
  /** Wrong tokens from one address within a minute; further requests are only told to wait. */
  wrongTokensMax: 10,
  /** Addresses whose wrong tokens are counted one by one; all others share one count. */
  wrongTokenAddressesMax: 10_000,
  /** The machine is asked for its own addresses and names at most this often. */
  ownNamesMs: 5_000,
  /** Tokens of one vault, and the characters of a token's name. */
  tokensMax: 1_000,
  tokenNameCharsMax: 100,
  /** A file with one token or key. */
  secretFileBytesMax: 64 * 1024,
  /** How soon the open streams of a revoked token are closed: twice a second, so that all end within one. */
  tokenLookMs: 500,
  /** Programs that share one server through its socket. */
  attachedMax: 256,
  /** Vaults whose sockets are tried to find out whether a server runs. */
  serversLookedFor: 100,
  /** The greeting of such a program, and how long greeting and answer may take. */
  helloBytesMax: 256 * 1024,
  helloMs: 5_000,
  /** How long a command waits for a running server to say that it does it; then it works alone. */
  commandHelloMs: 50,
  /** What such a command may send at once: the text of a note, with every character escaped. */
  commandBytesMax: 128 * 1024 * 1024,
  /** How long such a program may take to hang up after its last answer. */
  hangUpMs: 1_000,
  /** The body of a call in Bridge v1, as its specification says. */
  bridgeBodyBytesMax: 1024 * 1024,
  /** Clients of our Bridge server that listen for changes of its tools; others have to poll. */
  bridgeStreamsMax: 64,
  /** The answer of a Bridge v1 server to one call, and its list of tools. */
  bridgeAnswerBytesMax: 32 * 1024 * 1024,
  /** How long a call of the stdio bridge may take: less than clients wait (60 s). */
  bridgeDeadlineMs: 45_000,
  /** How long a Bridge server may take to list its tools. */
  bridgeListMs: 10_000,
  /** How often the list of tools is asked for. */
  bridgePollMs: 5_000,
  /** How often the list of tools is asked for while the server cannot be reached. */
  bridgeAwayPollMs: 1_000,
  /** How long a client that asks for tools waits as long as none are known. */
  bridgeFirstListMs: 2_000,
  /** After how long an event stream that is entirely silent is taken for dead. */
  bridgeQuietMs: 60_000,
  /** Connections of the stdio bridge to its server; further calls wait. */
  bridgeConnectionsMax: 256,
  /** How long an unused one stays open: less than servers keep it, or a call would be lost. */
  bridgeIdleMs: 1_000,
  /** One message of the remote protocol, either way, as its specification says. */
  remoteMessageBytesMax: 16 * 1024 * 1024,
  /** The head of a message: the specification sets no limit, and a client needs about 30 bytes. */
  remoteHeadBytesMax: 8 * 1024,
  /** The id of a request, which the answer repeats, in characters of JSON. */
  remoteIdCharsMax: 64 * 1024,
  /** How long a connection may take to send its token. */
  remoteAuthMs: 10_000,
  /** How many connections may be open that have not sent a token. */
  remoteStrangersMax: 512,
  /** Open connections of the remote door in all. */
  remoteConnectionsMax: 4_096,
  /** Messages of one connection that wait or run, in bytes; with more, it is not read. */
  remotePendingBytesMax: 32 * 1024 * 1024,
  /** Calls with large answers that one connection may have under way; others wait. */
  remoteBulkCallsMax: 4,
  /** Calls with small answers: more in parallel are not faster. */
  remoteSmallCallsMax: 32,
  /** How many bytes may wait to be sent to one connection; with more, it is not read. */
  remoteUnsentBytesMax: 1024 * 1024,
  /** The same for all connections; those for which the most waits are closed first. */
  remoteUnsentAllBytesMax: 256 * 1024 * 1024,
  /** Notices that may wait for a client which takes none; see `remoteUnreadNoticesMs`. */
  remoteUnreadNoticesMax: 20_000,
  /** A client with that many notices which takes none for this long is disconnected. */
  remoteUnreadNoticesMs: 5_000,
  /** Notices that may wait for a client which does read, however slowly. */
  remoteLateNoticesMax: 500_000,
  /** Watches of one connection. */
  remoteWatchesMax: 1_000,
  /**
   * How many files of a watched vault are remembered by a hash of their content, how large each may
   * be, and all of them together. Clients are not told when only the time of such a file changes.
   */
  watchedContentsMax: 20_000,
  watchedContentBytesMax: 256 * 1024,
  watchedContentsBytesMax: 64 * 1024 * 1024,
  /** How long a call of the remote protocol may take: its clients wait for ever. */
  remoteCallMs: 10 * 60_000,
  /** How long a change is remembered under the name that its client gave it. */
  remoteCorrelationMs: 5_000,
  /** How long ssh may take to connect when there is no terminal at which it could ask. */
  remoteSshMs: 30_000,
  /** A file that is read whole: encoded as base64 it has to fit into one message. */
  remoteReadBytesMax: 12_500_000,
} as const;

/** The limits of several machines that share one PostgreSQL. */
export const clusterLimits = {
  /** How many connections to PostgreSQL a node has, beside one for its lease: more make it slower. */
  postgresConnectionsMax: 7,
  /** How long a connection may take to be made, and a statement to be answered. */
  postgresConnectMs: 5_000,
  postgresQueryMs: 30_000,
  /** How long `migrate` waits for a lock that another node holds. */
  migrateLockMs: 2_000,
  /** How long a node counts as alive after it has last said so. */
  leaseMs: 10_000,
  /** How long before the end of its lease a node stops beginning changes. */
  leaseMarginMs: 2_000,
  /** How long a claim waits for a session that holds the vault, before it ends that session. */
  claimLockMs: 1_000,
  /** How long a claim takes at most. */
  claimMaxMs: 10_000,
  /** How often a node says that it is alive. */
  renewMs: 2_000,
  /** How long a renewal is waited for, as a part of the lease. */
  renewWaitPart: 0.3,
  /** How often a new owner waits again because the files are not as the journal says. */
  settlesMax: 3,
  /** How far back a new owner compares the journal with the files. */
  settleBackMs: 60_000,
  /** A vault without calls for this long is closed; its node stays the owner. */
  clusterSleepMs: 5 * 60_000,
  /** How many vaults a node keeps open, unless `--awake-max` says otherwise. */
  awakeMax: 100,
  /** How long a repeated call is known again, and how large an answer may be to be kept for it. */
  callKeptMs: 10 * 60_000,
  callAnswerBytesMax: 64 * 1024,
  /** How long a node believes who owns a vault before it asks PostgreSQL again. */
  ownerKnownMs: 2_000,
  /** How long before a call for a vault that is changing its owner is tried again. */
  ownerPauseMs: 100,
  /** How often a call that waits for an owner says so. */
  movingNoticeMs: 5_000,
  /** How old a signed request between nodes may be, and how many of them are remembered. */
  signatureAgeMs: 60_000,
  noncesMax: 200_000,
  secretBytesMin: 32,
  /** The largest call that one node passes on to another. */
  forwardBytesMax: 64 * 1024 * 1024,
  /** How often a forwarded call shows that it is still running. */
  forwardAliveMs: 2_000,
  /** After this long without a sign of the other node a forwarded call is given up. */
  forwardSilentMs: 7_000,
  /** What one token may do at a node: calls at once, calls and bytes in a minute. A vault: four times that. */
  callsPerTokenMax: 32,
  callsPerMinuteMax: 600,
  callBytesPerMinuteMax: 64 * 1024 * 1024,
  vaultTimes: 4,
  /** What a refused client is told to wait where nothing better is known. */
  retryAfterMs: 1_000,
  /** For how long a node believes what it knows of tokens and sign-ins before it asks again. */
  bookFreshMs: 500,
  /** How long a call waits for the answer, if the node knows something from before. */
  bookWaitMs: 400,
  /** Unknown tokens that come within this time share one more question about what is new. */
  bookMissMs: 20,
  /** How long a node goes on with what it knows while PostgreSQL does not answer. */
  graceMs: 60_000,
  /** How often a change of a book is decided again because another node was faster. */
  bookTriesMax: 50,
  /** For how many changes of a book its removed entries are kept. */
  bookRemovedKept: 5_000,
  tokensMax: 10_000,
  /** How often a node that has lost a vault asks what became of a change that it had begun. */
  settledPollMs: 200,
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The limits of signing in, as a part of `limits`. */
export const oauthLimits = {
  /** The body of a request to `/token`, `/register`, `/revoke` and the owner's pages. */
  signInBodyBytesMax: 16 * 1024,
  /** All parameters of one request to `/authorize`, in characters, and its `state`. */
  authorizeCharsMax: 8 * 1024,
  stateCharsMax: 2_000,
  /** How long a request to sign in waits for the owner, and how many may wait. */
  authorizeMs: 10 * minuteMs,
  authorizeWaitingMax: 100,
  /** The lines of one kind that the log gets about signing in within this time. */
  stepLinesMax: 200,
  stepLinesMs: minuteMs,
  /** How long a code can be exchanged, and how long a used one is remembered. */
  codeMs: minuteMs,
  usedCodeMs: 10 * minuteMs,
  codesMax: 1_000,
  /** A code that is shown again this soon, with the same verifier, is a repeated request. */
  codeRetryMs: 10_000,
  /** How long an access token holds; `VAULTDOOR_OAUTH_ACCESS_HOURS` sets it between 1 and 168. */
  accessHours: 24,
  accessHoursMax: 168,
  /** How long a spent refresh token still answers, for clients that refresh several times at once. */
  refreshGraceMs: 2 * minuteMs,
  /** A grant ends when it was not refreshed for this long. */
  grantIdleMs: 60 * dayMs,
  /** Grants, and the pairs of tokens of one grant that hold at the same time. */
  grantsMax: 200,
  livePairsMax: 20,
  /** Pairs of a grant that are remembered after they have ended, to tell a stolen one. */
  endedPairsMax: 200,
  /** How long an ended grant or token is told from an unknown one. */
  endedTokenMs: 7 * dayMs,
  /** How exactly the last use of a grant is kept. */
  grantUsedMs: hourMs,
  /** An id, a name and the redirect addresses of a client. */
  clientIdCharsMax: 2_000,
  registeredIdCharsMax: 1_500,
  clientNameCharsMax: 60,
  registeredRedirectsMax: 10,
  documentRedirectsMax: 20,
  redirectCharsMax: 300,
  enteredClientsMax: 100,
  /** Registrations of all clients together within this time. */
  registrationsMax: 60,
  registrationsMs: minuteMs,
  /** The document of a client: its bytes and those of the answer's head; the time to fetch it. */
  clientDocumentBytesMax: 5 * 1024,
  clientDocumentHeadBytesMax: 8 * 1024,
  clientDocumentMs: 5_000,
  /** How long one of several addresses of its host is tried before the next. */
  connectTryMs: 1_000,
  /** How many documents are kept, and fetched at once; how long a document is kept. */
  clientDocumentsMax: 100,
  clientFetchesMax: 4,
  clientDocumentAgeMinMs: 5 * minuteMs,
  clientDocumentAgeMs: hourMs,
  clientDocumentAgeMaxMs: dayMs,
  clientDocumentStaleMs: 7 * dayMs,
  clientDocumentFailedMs: 30_000,
  /** The owner's passphrase, in characters and bytes. */
  passphraseCharsMin: 12,
  passphraseBytesMax: 1_024,
  /** Passphrases that wait to be checked, one after the other. */
  passphrasesWaitingMax: 8,
  /** The code that sets up an owner in a browser. */
  setUpCodeMs: 30 * minuteMs,
  setUpTriesMax: 10,
  /** Wrong passphrases of a browser that has signed in before, and of all others together. */
  wrongFromKnownMax: 10,
  wrongFromKnownMs: hourMs,
  wrongFromOthersMax: 10,
  wrongFromOthersMs: 10 * minuteMs,
  /** How long a browser is known, and how many browsers are counted one by one. */
  deviceMs: 400 * dayMs,
  devicesMax: 1_000,
  /** The owner's session in a browser: unused, in all, and how long it counts as just signed in. */
  ownerIdleMs: 30 * minuteMs,
  ownerSessionMs: 12 * hourMs,
  ownerFreshMs: 10 * minuteMs,
  ownerSessionsMax: 50,
  /** By how much the clocks of two nodes may differ. */
  clocksDifferMs: minuteMs,
  /** How exactly the last use of such a session is kept. */
  ownerUsedMs: minuteMs,
  /** Folders that the consent page offers to tick, and to complete what is typed. */
  consentFoldersMax: 12,
  topFoldersMax: 200,
  /** Passkeys, their names, and how long a challenge waits. */
  passkeysMax: 20,
  passkeyNameCharsMax: 60,
  passkeyChallengeMs: 5 * minuteMs,
  passkeyChallengesMax: 100,
} as const;

import { count, numberText } from '../../tools/wording/counted.ts';

/** The browser's kind of English, for dates. */
function browserLocale(): string {
  const spoken = typeof document === 'undefined' ? [] : navigator.languages;
  return spoken.find((language) => /^en\b/i.test(language)) ?? 'en-GB';
}

/** Every text of the console, in English. Another language is another object of this shape. */
export const strings = {
  locale: browserLocale(),
  product: 'Vaultdoor',
  title: (page: string) => `${page} · Vaultdoor`,
  skip: 'Skip to the content',
  navigation: 'Console',
  youLetters: 'Me',
  number: (value: number) => numberText(value),
  back: 'Back',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  tryNow: 'Try now',
  tryAgain: 'Try again',
  copyDetails: 'Copy the details',
  loading: 'Loading',
  more: 'More',
  findNote: 'Find a note',
  screens: {
    activity: 'Activity',
    approvals: 'Approvals',
    notes: 'Notes',
    graph: 'Graph',
    health: 'Health',
    access: 'Access',
    connect: 'Connect',
  },
  waiting: (things: number) => `${numberText(things)} ${things === 1 ? 'waits' : 'wait'} for you`,
  ownerPage: 'Owner’s page',
  vaultPicker: 'Vault',

  // The connection to the server.
  live: 'Live',
  liveWith: (clients: number) => `Live · ${count(clients, 'app')} connected`,
  connecting: 'Connecting',
  allIndexed: 'All notes are indexed',
  indexing: (stage: string, done: number, total: number) =>
    stage === 'walking' || total === 0
      ? `Looking at files: ${numberText(done)}`
      : `Reading notes: ${numberText(done)} of ${numberText(total)}`,
  away: 'Not connected',
  awaySince: (time: string, seconds: number) =>
    `Not connected; the server may have ended. What you see is from ${time}. Trying again ${seconds === 0 ? 'now' : `in ${count(seconds, 'second')}`}.`,
  vaultAway: 'The vault’s folder is not there',
  vaultAwayMore:
    'Nothing is taken for deleted. When the folder is back, this page goes on by itself.',
  readOnly:
    'This server only reads: it was started without the right to change notes, so nothing can be undone here.',
  demo: 'A copy of the example vault, deleted when you end npm start. Its Claude Desktop, Cursor and claude.ai are played: they are not your apps.',
  plainHttp: 'This page comes over plain HTTP: others in the network can read along.',
  onThisMachine: 'on this machine',

  // Entering.
  entering: 'Opening the console',
  signedOut: 'The console is not open in this window',
  linkFailed: 'This link does not work any more',
  ofDemo: 'If it was started with npm start, press Enter in that terminal instead.',
  onTheMachine: 'On the machine of the vault, this opens the console with a new link:',
  consoleCommand: 'vaultdoor console',
  withoutLink: '(Without npm link: npx vaultdoor console, in the folder of the program.)',
  elsewhere:
    'From elsewhere, open it as the owner. A browser that is signed in already is not asked for the passphrase again.',
  signInHere:
    'Open it as the owner of this server. If you are signed in already in this browser, you are not asked for the passphrase again.',
  signIn: 'Sign in',
  signOut: 'Sign out',

  // Times.
  nearDays: { today: 'today', yesterday: 'yesterday' },
  dayHeading: (near: 'today' | 'yesterday' | undefined, day: string) =>
    near === undefined ? day : `${near === 'today' ? 'Today' : 'Yesterday'}, ${day}`,
  span: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),

  inFiles: (files: number) => `${count(files, 'file')} in all`,
  changes: (changes: number) => count(changes, 'change'),

  askedNow: (questions: number) =>
    `${count(questions, 'question')} ${questions === 1 ? 'waits' : 'wait'} for your answer.`,
  proposedNow: (proposals: number) =>
    `${count(proposals, 'proposal')} ${proposals === 1 ? 'waits' : 'wait'} for you.`,
  withToken: (token: string) => `token “${token}”`,
  signedInAs: (app: string) => `signed in as “${app}”`,
  version: (version: string) => `version ${version}`,

  // Failures.
  failed: 'That did not work',
  noAnswer: 'The server does not answer.',
  noPasskeyUsed: 'No passkey was used, so nothing was done. You can try again.',
  noPasskeysHere: 'This browser uses no passkeys at this address, so nothing was done.',
  notFound: 'There is no such page',
  notFoundMore: 'The address may be old, or mistyped.',

  // Keys.
  keys: 'Keyboard',
  keysOff: 'Single keys are switched off',
  keysOn: 'Single keys do this; in fields they type',
  switchKeysOff: 'Switch single keys off',
  switchKeysOn: 'Switch single keys on',
  keyWords: {
    next: 'Next change or note',
    previous: 'Previous change or note',
    open: 'Open',
    back: 'Back, close',
    undo: 'Undo the selected change',
    undoSession: 'Undo its session, with a preview',
    redo: 'Redo it',
    words: 'Words or lines',
    help: 'These keys',
    go: 'Go to a screen',
  },
  andThen: 'then',
} as const;

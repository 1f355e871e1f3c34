import type { Door } from '../../base/caller.ts';
import { count, numberText } from './counted.ts';

/** A part of a sentence: plain words, or a name that stands out. */
export type Piece = string | { readonly name: string };

const name = (text: string): Piece => ({ name: text });
const within = (section: string | undefined): Piece[] =>
  section === undefined ? [] : [`, in ${section}`];

/** The first words of sentences about changes, as one asks for such a change. */
const asked: Readonly<Record<string, string>> = {
  Created: 'Create',
  Deleted: 'Delete',
  Renamed: 'Rename',
  Moved: 'Move',
  Changed: 'Change',
  Added: 'Add',
  Edited: 'Edit',
  Rewrote: 'Rewrite',
  Removed: 'Remove',
  Took: 'Take',
  Merged: 'Merge',
  Restored: 'Restore',
};

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
  you: 'You',
  youLetters: 'Me',
  doors: {
    cli: 'You',
    console: 'You',
    'mcp-stdio': 'A client',
    'mcp-http': 'A client',
    bridge: 'A script',
    remote: 'A remote client',
  } satisfies Record<Door, string>,
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
  waiting: (questions: number) => `${count(questions, 'question')}`,
  vaultPicker: 'Vault',

  // The connection to the server.
  live: 'Live',
  liveWith: (clients: number) => `Live · ${count(clients, 'client')} connected`,
  connecting: 'Connecting',
  allIndexed: 'All notes are indexed',
  indexing: (stage: string, done: number, total: number) =>
    stage === 'walking' || total === 0
      ? `Looking at files: ${numberText(done)}`
      : `Reading notes: ${numberText(done)} of ${numberText(total)}`,
  away: 'Not connected',
  awaySince: (time: string, seconds: number) =>
    `Not connected. What you see is from ${time}. Trying again in ${count(seconds, 'second')}.`,
  awayNow: (time: string) => `Not connected. What you see is from ${time}. Trying again now.`,
  vaultAway: 'The vault’s folder is not there',
  vaultAwayMore:
    'Nothing is taken for deleted. When the folder is back, this page goes on by itself.',
  readOnly:
    'This server only reads: it was started without the right to change notes, so nothing can be undone here.',
  plainHttp: 'This page comes over plain HTTP: others in the network can read along.',
  onThisMachine: 'on this machine',

  // Entering.
  entering: 'Opening the console',
  signedOut: 'Sign in to the console',
  linkFailed: 'This link does not work any more',
  onTheMachine: 'On the machine itself, this command opens the console, and prints a link:',
  elsewhere: 'From elsewhere, sign in with your passkey or passphrase first.',
  signIn: 'Sign in',
  signOut: 'Sign out',

  // Times.
  nearDays: { today: 'today', yesterday: 'yesterday' },
  dayHeading: (near: 'today' | 'yesterday' | undefined, day: string) =>
    near === undefined ? day : `${near === 'today' ? 'Today' : 'Yesterday'}, ${day}`,
  span: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  justNow: 'just now',

  // Changes in sentences.
  sentences: {
    created: (file: string, folder: string): Piece[] =>
      folder === '' ? ['Created ', name(file)] : ['Created ', name(file), ` in ${folder}`],
    deleted: (file: string): Piece[] => ['Deleted ', name(file)],
    renamed: (from: string, to: string): Piece[] => ['Renamed ', name(from), ' to ', name(to)],
    moved: (file: string, folder: string, to: string | undefined): Piece[] => [
      'Moved ',
      name(file),
      ` to ${folder === '' ? 'the top of the vault' : folder}`,
      ...(to === undefined ? [] : [' as ', name(to)]),
    ],
    andMore: (others: number): Piece => ` and ${numberText(others)} more`,
    changed: (file: string): Piece[] => ['Changed ', name(file)],
    changedMany: (file: string, others: number): Piece[] => [
      'Changed ',
      name(file),
      ` and ${count(others, 'other file')}`,
    ],
    changedNothing: (): Piece[] => ['Changed no file'],
    addedTo: (file: string, section: string | undefined): Piece[] => [
      'Added to ',
      name(file),
      ...within(section),
    ],
    edited: (file: string, section: string | undefined): Piece[] => [
      'Edited ',
      name(file),
      ...within(section),
    ],
    rewrote: (file: string): Piece[] => ['Rewrote ', name(file)],
    setProperty: (file: string, key: string | undefined): Piece[] =>
      key === undefined
        ? ['Set properties of ', name(file)]
        : ['Set ', name(key), ' of ', name(file)],
    removedProperty: (file: string, key: string | undefined): Piece[] =>
      key === undefined
        ? ['Removed a property of ', name(file)]
        : ['Removed ', name(key), ' of ', name(file)],
    setTask: (file: string): Piece[] => ['Set a task in ', name(file)],
    linked: (file: string): Piece[] => ['Added a link to ', name(file)],
    tagged: (file: string): Piece[] => ['Added a tag to ', name(file)],
    untagged: (file: string): Piece[] => ['Took a tag off ', name(file)],
    renamedTag: (files: number): Piece[] => [`Renamed a tag in ${count(files, 'note')}`],
    renamedHeading: (file: string): Piece[] => ['Renamed a heading in ', name(file)],
    renamedBlock: (file: string): Piece[] => ['Renamed a block in ', name(file)],
    mergedConflict: (file: string): Piece[] => ['Merged the conflict copy of ', name(file)],
    restored: (file: string): Piece[] => ['Restored an earlier version of ', name(file)],
    bookmarked: (): Piece[] => ['Added a bookmark'],
    tookBack: (changes: number): Piece[] => [`Took back ${count(changes, 'change')}`],
  },
  /** A sentence about a change as one about a change that is only planned. */
  planned: (sentence: readonly Piece[]): Piece[] => {
    const [first, ...rest] = sentence;
    if (typeof first !== 'string') return [...sentence];
    return [first.replace(/^\w+/, (word) => asked[word] ?? word), ...rest];
  },
  linksFollowed: (files: number) =>
    files === 1 ? 'links followed in 1 note' : `links followed in ${count(files, 'note')}`,
  alsoChanged: (files: number) => `${count(files, 'other file')} changed`,
  inFiles: (files: number) => `${count(files, 'file')} in all`,
  files: (files: number) => count(files, 'file'),
  changes: (changes: number) => count(changes, 'change'),

  askedNow: (questions: number) =>
    `${count(questions, 'question')} ${questions === 1 ? 'waits' : 'wait'} for your answer.`,
  proposedNow: (proposals: number) =>
    `${count(proposals, 'proposal')} ${proposals === 1 ? 'waits' : 'wait'} for you.`,
  /** A client whose own name would be taken for another's. */
  selfNamed: (name: string) => `A client called “${name}”`,
  withToken: (token: string) => `token “${token}”`,

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

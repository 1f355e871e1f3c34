import type { Door } from '../../base/caller.ts';

/** A part of a sentence: plain words, or a name that stands out. */
export type Piece = string | { readonly name: string };

const rules = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** A number with its noun: "1 change", "5,000 changes". */
function count(number: number, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${rules.select(number) === 'one' ? one : many}`;
}

const name = (text: string): Piece => ({ name: text });
const within = (section: string | undefined): Piece[] =>
  section === undefined ? [] : [`, in ${section}`];

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
  number: (value: number) => numbers.format(value),
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
  screens: {
    activity: 'Activity',
    approvals: 'Approvals',
    notes: 'Notes',
    graph: 'Graph',
    health: 'Health',
    access: 'Access',
    connect: 'Connect',
  },
  waiting: (questions: number) => `${numbers.format(questions)} waiting`,
  vaultPicker: 'Vault',

  // The connection to the server.
  live: 'Live',
  liveWith: (clients: number) => `Live · ${count(clients, 'client')} connected`,
  connecting: 'Connecting',
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
    andMore: (others: number): Piece => ` and ${numbers.format(others)} more`,
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
  linksFollowed: (files: number) =>
    files === 1 ? 'links followed in 1 note' : `links followed in ${count(files, 'note')}`,
  alsoChanged: (files: number) => `${count(files, 'other file')} changed`,
  files: (files: number) => count(files, 'file'),
  changes: (changes: number) => count(changes, 'change'),

  // Activity.
  activityMore: 'What your agents changed, and the way back.',
  feed: 'Changes',
  detail: 'The selected change',
  dayTotals: (changes: number, files: number) =>
    `${count(changes, 'change')}, ${count(files, 'file')}`,
  sessionCount: (shown: number, all: number) =>
    shown < all ? `${numbers.format(shown)} of ${count(all, 'change')}` : count(all, 'change'),
  undoSession: 'Undo session',
  ofClient: (client: string, time: string) => ` of ${client}, ${time}`,
  undoThese: (changes: number) =>
    changes === 1 ? 'Undo this' : `Undo these ${numbers.format(changes)}`,
  undoLast: 'Undo last',
  undo: 'Undo',
  redo: 'Redo',
  undoFile: (file: string) => `Undo only ${file}`,
  redoFile: (file: string) => `Redo ${file}`,
  undoneBy: (who: string, time: string) => `undone by ${who}, ${time}`,
  undoneByYou: (time: string) => `undone by you, ${time}`,
  undone: 'undone',
  fileUndone: 'this file is undone',
  partly: 'in part',
  accepted: (proposal: string) => `accepted ${proposal}`,
  newChanges: (changes: number, client: string | undefined) =>
    `${count(changes, 'new change')}${client === undefined ? '' : ` by ${client}`}`,
  readNotes: (notes: number) => `read ${count(notes, 'note')}`,
  older: 'Show older changes',
  olderEnd: 'History has nothing older.',
  tooMany: (rows: number) =>
    `These are the newest ${numbers.format(rows)}. Choose a client, a folder or a time to see older ones.`,
  filters: 'Filters',
  allClients: 'All clients',
  client: 'Client',
  anyFolder: 'Any folder',
  folder: 'Folder',
  anyTime: 'Any time',
  time: 'Time',
  since: { '1d': 'Last day', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  deletesAndMoves: 'Deletes and moves',
  hideUndone: 'Hide undone',
  clearFilters: 'Clear filters',
  noChanges: 'Nothing has changed yet',
  noChangesMore:
    'When a client creates, edits, moves or deletes a note, it appears here, with the way back.',
  connectClient: 'Connect a client',
  noMatches: 'No change fits these filters',
  noMatchesMore: 'History has other changes.',
  chooseChange: 'Choose a change',
  chooseChangeMore: 'Its words, before and after, appear here.',
  changeNumber: (id: number) => `Change ${id}`,
  copyLink: 'Copy a link to this change',
  show: 'Show',
  words: 'Words',
  lines: 'Lines',
  removedLine: 'removed: ',
  addedLine: 'added: ',
  lineCut: (chars: number) => ` … ${count(chars, 'character')} more`,
  lost: 'History has not kept the content of this file.',
  binary: 'This is no text; its bytes are not shown.',
  onlyMoved: 'Only its place has changed.',
  aFolder: 'A folder.',
  textTooLong: 'The texts of this change are long; this one was left out.',
  loadText: 'Show this file',
  sameText: 'The text is the same.',
  showLines: (lines: number) => `Show ${count(lines, 'line')}`,
  tooLong: (lines: number) => `${count(lines, 'line')} are too many to show here.`,
  saveBefore: 'Save the text before',
  saveAfter: 'Save the text after',
  moreFiles: (files: number) => `${count(files, 'more file')} of this change are not listed.`,
  leftByEditor: (file: string) => `${file} stayed as it was: another program had changed it.`,
  undoExplained:
    'Undo is a change of its own and can be redone. Later edits elsewhere in these notes stay.',
  isUndo: (ids: string) => `This took back ${ids}.`,

  // Undo, and what came of it.
  isBack: (file: string): Piece[] => [name(file), ' is as it was. '],
  changesUndone: (ids: readonly number[]) =>
    ids.length === 1 ? `Change ${ids[0]} is undone.` : `${count(ids.length, 'change')} are undone.`,
  redone: 'It is done again.',
  keepsEdits: (files: number) =>
    ` ${count(files, 'file')} ${files === 1 ? 'keeps' : 'keep'} later edits.`,
  undoPart: 'Not everything could go back',
  undoPartMore: (files: number) =>
    `${count(files, 'file')} stayed as ${files === 1 ? 'it is' : 'they are'}. The rest went back.`,
  redoAll: 'Redo what went back',
  keepIt: 'Keep it so',
  undoFailed: 'Nothing was changed',
  previewOf: (client: string) => `Undo this session of ${client}?`,
  previewYours: 'Undo these changes of yours?',
  previewIds: (changes: number) =>
    `Undo ${changes === 1 ? 'this change' : `these ${numbers.format(changes)} changes`}?`,
  previewMore: 'This is a preview: nothing has changed yet.',
  goBack: 'files go back',
  keepLater: 'keep later edits',
  cannot: 'cannot go back',
  becomes: {
    created: 'comes back',
    changed: 'text as before',
    moved: 'place and name back',
    deleted: 'goes away, stays in history',
    merged: 'text as before, keeps later edits',
  },
  previewNothing:
    'Nothing of this can be undone: it is undone already, or history has not kept it.',
  showDiff: 'Show the diff',
  hideDiff: 'Hide the diff',
  undoCount: (changes: number) => `Undo ${count(changes, 'change')}`,
  previewAfter:
    'The undo is a change of its own and can be redone. Changes that come meanwhile stay.',

  // Failures.
  failed: 'That did not work',
  noAnswer: 'The server does not answer.',
  notFound: 'There is no such page',
  notFoundMore: 'The address may be old, or mistyped.',

  // Keys.
  keys: 'Keyboard',
  keysOff: 'Single keys are switched off',
  keysOn: 'Single keys do this; in fields they type',
  switchKeysOff: 'Switch single keys off',
  switchKeysOn: 'Switch single keys on',
  keyWords: {
    next: 'Next change',
    previous: 'Previous change',
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

import { count, numberText } from './counted.ts';
import type { Piece } from './strings.ts';

/** The texts of the screen Activity. */
export const activityStrings = {
  activityMore: 'What your agents changed, and the way back.',
  feed: 'Changes',
  detail: 'The selected change',
  dayTotals: (changes: number, files: number) =>
    `${count(changes, 'change')}, ${count(files, 'file')}`,
  dayPart: (changes: number) => `the newest ${count(changes, 'change')}`,
  sessionCount: (shown: number, all: number) =>
    shown < all ? `${numberText(shown)} of ${count(all, 'change')}` : count(all, 'change'),
  undoSession: 'Undo session',
  ofClient: (client: string, time: string) => ` of ${client}, ${time}`,
  undoThese: (changes: number) =>
    changes === 1 ? 'Undo this' : `Undo these ${numberText(changes)}`,
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
    `These are the newest ${numberText(rows)}. Choose a client, a folder or a time to see older ones.`,
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
  save: {
    before: 'Save the text before',
    after: 'Save the text after',
    diff: 'Save the diff',
  },
  moreFiles: (files: number) => `${count(files, 'more file')} of this change are not listed.`,
  leftByEditor: (file: string) => `${file} stayed as it was: another program had changed it.`,
  undoExplained:
    'Undo is a change of its own and can be redone. Later edits elsewhere in these notes stay.',
  isUndo: (ids: string) => `This took back ${ids}.`,

  // Undo, and what came of it.
  isBack: (file: string): Piece[] => [{ name: file }, ' is as it was. '],
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
    `Undo ${changes === 1 ? 'this change' : `these ${numberText(changes)} changes`}?`,
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
} as const;

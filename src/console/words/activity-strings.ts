import type { Piece } from '../../tools/wording/change-sentences.ts';
import { count, numberText } from '../../tools/wording/counted.ts';

/** How many files of a change, and how many it has. */
interface FilesOf {
  readonly files: number;
  readonly of: number;
}

const someFiles = (files: number, of: number) => `${numberText(files)} of ${count(of, 'file')}`;

/** Up to three names with "is" or "are", and otherwise how many there are. */
function named(names: readonly string[]): string {
  const [only = '', ...others] = names;
  if (others.length === 0) return `${only} is`;
  if (others.length > 2) return `${count(names.length, 'app')} are`;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are`;
}

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
  undoSession: 'Undo session …',
  ofClient: (client: string, time: string) => ` of ${client}, ${time}`,
  undoThese: (changes: number) =>
    changes === 1 ? 'Undo this …' : `Undo these ${numberText(changes)} …`,
  undoLastOf: (sentence: string) => `Undo last: ${sentence}`,
  undo: 'Undo',
  redo: 'Redo',
  redoMany: (changes: number) => `Redo all ${count(changes, 'change')}`,
  redoThese: (changes: number, of = changes) =>
    `Redo ${changes < of ? `${numberText(changes)} of ` : ''}${count(of, 'change')} …`,
  redoCount: (changes: number) => `Redo ${count(changes, 'change')}`,
  undoFile: (file: string) => `Undo only ${file}`,
  redoFile: (file: string) => `Redo ${file}`,
  undoneBy: (who: string, time: string) => `undone by ${who}, ${time}`,
  undoneByYou: (time: string) => `undone by you, ${time}`,
  undone: 'undone',
  fileUndone: 'this file is undone',
  partly: 'in part',
  undoneInPart: 'undone in part',
  linksGoTogether: 'Its links were updated with the move, so only the whole change can be undone.',
  acceptedByYou: (time: string) => `accepted by you, ${time}`,
  newChanges: (changes: number, client: string | undefined) =>
    `${count(changes, 'new change')}${client === undefined ? '' : ` by ${client}`}`,
  onlyRead: 'changed nothing',
  proposes: (proposals: number) =>
    `${count(proposals, 'proposal')} ${proposals === 1 ? 'waits' : 'wait'} for you`,
  readsNotKept:
    'What apps only read is not kept. To see it here, start the server with --log-reads. For an app that starts Vaultdoor by itself, run the command that Connect has for it with “-- --log-reads” at its end.',
  lookAtApprovals: 'Open Approvals',
  readFiles: (read: number, found: number) =>
    [
      ...(read === 0 ? [] : [`read ${count(read, 'file')}`]),
      ...(found === 0 ? [] : [`saw lines of ${count(found, read === 0 ? 'file' : 'other file')}`]),
    ].join(', '),
  onlyFound: 'only lines of it, in a search or a list',
  onlyDescribed: 'name and description, with its first answer',
  readsMore: 'What it searched for is not logged.',
  older: 'Show older changes',
  olderEnd: 'History has nothing older.',
  tooMany: (rows: number) =>
    `These are the newest ${numberText(rows)}. Choose an app, a folder or a time to see older ones.`,
  filters: 'Filters',
  allClients: 'All apps',
  client: 'App',
  anyFolder: 'Any folder',
  folder: 'Folder',
  anyTime: 'Any time',
  time: 'Time',
  since: { '1d': 'Last day', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  deletesAndMoves: 'Deleted, moved, renamed',
  hideUndone: 'Hide undone',
  clearFilters: 'Clear filters',
  noChanges: 'Nothing has changed yet',
  noChangesMore:
    'When an app creates, edits, moves or deletes a note, it appears here, with the way back.',
  connectClient: 'Connect an app',
  connectedNow: (clients: readonly string[]) =>
    `${named(clients)} connected and ${clients.length === 1 ? 'has' : 'have'} changed nothing yet`,
  letIn: (apps: readonly string[]) =>
    `${named(apps)} allowed in and ${apps.length === 1 ? 'has' : 'have'} changed nothing yet`,
  noMatches: 'No change fits these filters',
  noMatchesMore: 'History has other changes.',
  changeNumber: (id: number) => `Change ${id} in the history`,
  tool: 'The tool that the app used',
  copyLink: 'Copy a link to this change',
  show: 'Show',
  words: 'Words',
  lines: 'Lines',
  removedLine: 'removed: ',
  addedLine: 'added: ',
  lineCut: (chars: number) => ` … ${count(chars, 'character')} more`,
  lost: 'History has not kept the content of this file.',
  binary: 'This is no text; its bytes are not shown.',
  onlyEnd: (from: number) =>
    `Only the end of this large file has changed, after its first ${count(from, 'byte')}.`,
  onlyMoved: 'Only its place has changed.',
  inTrash: (path: string) => `It is in ${path}; Undo puts it back.`,
  linksLost: (links: number) =>
    `${count(links, 'link')} to it ${links === 1 ? 'leads' : 'lead'} nowhere now.`,
  linksWillBeLost: (links: number) => `${count(links, 'link')} to it would lead nowhere.`,
  aFolder: 'A folder.',
  textTooLong: 'The texts of this change are long; this one was left out.',
  loadText: 'Show this file',
  sameText: 'The text is the same.',
  onlyEnds: (lines: number) => `In ${count(lines, 'line')} only the line end has changed.`,
  showLines: (lines: number) => `Show ${count(lines, 'line')}`,
  tooLong: (lines: number) => `${count(lines, 'line')} are too many to show here.`,
  save: {
    before: 'Save the text before',
    after: 'Save the text after',
    diff: 'Save the diff',
  },
  moreFiles: (files: number) => `${count(files, 'more file')} of this change are not listed.`,
  leftByEditor: (file: string) => `${file} stayed as it was: another program had changed it.`,
  undoExplained: 'An undo can be redone. Later edits elsewhere in these notes stay.',
  redoExplained: (changes: number) =>
    `${changes > 1 ? `Undone together with ${count(changes - 1, 'other')}: Redo makes all of them again. To have only this one, redo all, then undo the others. Later` : 'This change is undone. Redo makes it again; later'} edits elsewhere in these notes stay.`,

  // Undo, and what came of it.
  isBack: (file: string): Piece[] => [{ name: file }, ' is as it was. '],
  changesUndone: (ids: readonly number[]) =>
    ids.length === 1 ? `Change ${ids[0]} is undone.` : `${count(ids.length, 'change')} are undone.`,
  changesRedone: (ids: readonly number[]) =>
    ids.length === 1
      ? `Change ${ids[0]} is done again.`
      : `${count(ids.length, 'change')} are done again.`,
  filesUndone: (id: number, { files, of }: FilesOf) =>
    `${someFiles(files, of)} of change ${id} ${files === 1 ? 'is' : 'are'} undone.`,
  filesRedone: (id: number, { files, of }: FilesOf) =>
    `${someFiles(files, of)} of change ${id} ${files === 1 ? 'is' : 'are'} done again.`,
  keepsEdits: (files: number) =>
    ` ${count(files, 'file')} ${files === 1 ? 'keeps' : 'keep'} later edits.`,
  wereLeft: ([first = '', ...others]: readonly string[]) =>
    others.length === 0
      ? ` 1 file was left as it is: ${first}.`
      : ` ${count(others.length + 1, 'file')} were left as they are: ${first} …`,
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
  previewRedo: (changes: number | undefined) =>
    changes === 1
      ? 'Redo this change?'
      : `Redo these ${changes === undefined ? '' : `${numberText(changes)} `}changes?`,
  previewMore: 'This is a preview: nothing has changed yet.',
  previewMoreRedo: (changes: number) =>
    `${changes > 1 ? 'They were undone together. ' : ''}This is a preview: nothing has changed yet.`,
  goBack: 'files go back',
  keepLater: 'keep later edits',
  cannot: 'cannot go back',
  changeAgain: 'files change again',
  cannotAgain: 'cannot change again',
  becomes: {
    created: 'comes back',
    changed: 'text as before',
    moved: 'place and name back',
    deleted: 'goes away, stays in history',
    merged: 'text as before, keeps later edits',
  },
  becomesAgain: {
    created: 'comes back',
    changed: 'text as after the change',
    moved: 'moves again',
    deleted: 'goes away again, stays in history',
    merged: 'text as after the change, keeps later edits',
  },
  previewNothing:
    'Nothing of this can be undone: it is undone already, or history has not kept it.',
  showDiff: 'Show the diff',
  hideDiff: 'Hide the diff',
  undoCount: (changes: number) => `Undo ${count(changes, 'change')}`,
  previewAfter: 'This can be redone. Changes that come meanwhile stay.',
  previewAfterRedo: 'This can be undone again. Changes that come meanwhile stay.',
} as const;

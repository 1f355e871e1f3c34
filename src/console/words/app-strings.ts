import { count, numberText } from '../../tools/wording/counted.ts';

/** The texts of the views inside of clients. */
export const appStrings = {
  changes: 'Changes',
  found: 'Found notes',
  around: 'Notes around this one',
  undone: 'Taken back',
  waiting: 'Waiting for the answer',
  cancelled: 'The call was cancelled',
  failed: 'That did not work',
  shownOf: (shown: number, total: number) =>
    shown < total ? `${numberText(shown)} of ${numberText(total)}` : numberText(total),
  noChanges: 'No change fits.',
  nothingFound: 'Nothing was found.',
  more: 'Show more',
  takeBack: 'Take it back',
  bringBack: 'Bring it back',
  isUndone: 'taken back',
  working: 'Working …',
  takenBack: (changes: number) =>
    changes === 1 ? 'The change is taken back.' : `${count(changes, 'change')} are taken back.`,
  broughtBack: 'It is done again.',
  nothingChanged: 'Nothing was changed.',
  keepsEdits: (files: number) =>
    `${count(files, 'file')} ${files === 1 ? 'keeps' : 'keep'} later edits.`,
  left: 'Could not go back:',
  noCalls: 'This app does not let views read or change anything.',
  linesMatch: (lines: string) => `${lines} lines match`,
  linksAway: (links: number) => `${count(links, 'link')} away`,
  theNote: 'the note itself',
  truncated: 'There are more than are shown.',
  cutNote: 'The note is longer than what is shown.',
  emptyNote: 'The note is empty.',
} as const;

import type { Piece } from '../../tools/wording/change-sentences.ts';
import { count, numberText } from '../../tools/wording/counted.ts';

/** A number of bytes as people write it: "768 B", "1.5 kB", "12 MB". */
function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  const shown = value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${numberText(shown)} ${units[unit]}`;
}

/** What is in a list, when something is. */
const listTitles = {
  conflicts: 'Conflict copies',
  problems: 'Notes with a problem',
  refused: 'Files that could not be read',
  absent: 'Files that are not downloaded',
  unresolved: 'Broken links',
  orphans: 'Orphans',
} as const;

/** The texts of the screen Health. */
export const healthStrings = {
  healthMore: 'The vault as the index knows it.',

  // The index.
  index: 'Index',
  ready: 'Ready',
  looking: 'Looking at files',
  readingNotes: 'Reading notes',
  fillingText: 'Reading texts',
  percent: (part: number) => `${Math.floor(100 * part)} %`,
  indexDone: (done: number, total: number) =>
    total === 0
      ? `${count(done, 'file')} so far`
      : `${numberText(done)} of ${count(total, 'note')} so far`,
  filesOf: (notes: number, others: number) =>
    others === 0 ? count(notes, 'note') : `${count(notes, 'note')}, ${count(others, 'other file')}`,
  afterIndex: 'Counted when the notes are read',
  afterNames: 'Counted when all files are seen.',
  stillReading: 'Notes are still being read; what is found appears here.',
  indexProgress: 'How far the index is',

  // The lists.
  needsLook: 'Needs a look',
  titles: listTitles,
  problemsTile: 'Problems',
  problemsTileMore: 'properties, conflicts, downloads',
  noneBroken: 'every link leads to a file',
  noOrphans: 'every note is linked',
  more: {
    conflicts: 'A sync program made them when two devices changed a note. Compare and merge them.',
    problems: 'Such as properties that are not valid YAML.',
    refused: 'The system refuses them, or their names cannot be used.',
    absent: 'They are listed, but their content is in the cloud. Their texts are not searched.',
    unresolved: 'Links to notes that do not exist.',
    orphans:
      'Notes to which no other note links. To leave out those that are meant to be so, add their folders to “Excluded files” in Obsidian’s settings (Files and links).',
  },
  none: {
    conflicts: 'no conflict copies',
    problems: 'every property can be read',
    refused: 'every file can be read',
    absent: 'nothing is left to download',
    unresolved: 'no broken links',
    orphans: 'no orphans',
  },
  allWell: (sentences: readonly string[]) => {
    const text = sentences.join(', ');
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
  },
  emptyList: 'This list is empty',
  showAll: (total: number) => `Show all ${numberText(total)}`,
  allOf: (list: keyof typeof listTitles) => `: ${listTitles[list]}`,
  rows: (from: number, to: number, total: number) =>
    `${numberText(from)}–${numberText(to)} of ${numberText(total)}`,
  pages: 'Pages of this list',
  earlier: 'Previous',
  later: 'Next',
  backToHealth: 'All of Health',
  linkedIn: 'linked in ',
  andMore: (others: number) => ` and ${numberText(others)} more`,
  andOthers: ' and others',
  links: (links: number) => count(links, 'link'),
  copyOf: 'copy of ',

  goodToKnow: 'Good to know on this machine',
  keepsAll:
    'A changed file keeps everything here: its times, its rights and what other programs noted.',

  // Merging.
  compareMerge: 'Compare and merge',
  mergeTitle: (file: string) => `Merge the copy of ${file}`,
  mergeMore:
    'The copy goes into the trash, and links to it lead to the original. This can be undone.',
  mergeWholeMore: 'What is not kept goes into the trash. This can be undone.',
  sameText: 'Both have the same text. Merging only puts the copy into the trash.',
  noOverlap: 'Nothing overlaps: there is nothing to choose.',
  common: (time: string) => `Both come from the version of ${time}.`,
  fromCopy: (places: number) =>
    `${count(places, 'place')} ${places === 1 ? 'comes' : 'come'} from the copy: only the copy changed ${places === 1 ? 'it' : 'them'}.`,
  showFromCopy: 'Show what comes from the copy',
  hideFromCopy: 'Hide it',
  difference: (number: number, total: number, line: number) =>
    `Difference ${numberText(number)} of ${numberText(total)}, line ${numberText(line)}`,
  wholeFile: 'These files cannot be merged line by line',
  otherDifferences: (places: number) => `The other ${count(places, 'difference')}`,
  sides: { original: 'Original', copy: 'Copy', both: 'Both' },
  sidesWhole: {
    original: 'Keep the original',
    copy: 'Take the copy',
    both: 'Keep both; the copy gets a name of its own',
  },
  bothMore: 'the lines of the original, then those of the copy',
  nothingHere: 'nothing here',
  chosen: (chosen: number, total: number) =>
    `${numberText(chosen)} of ${count(total, 'difference')} chosen`,
  merge: 'Merge',
  merged: (file: string): Piece[] => ['The copy of ', { name: file }, ' is merged.'],
  undo: 'Undo',
  redo: 'Redo',
  mergeUndone: (file: string): Piece[] => [{ name: file }, ' and its copy are as they were.'],
  mergeUndoneNot: (file: string, reason: string): Piece[] => [
    { name: file },
    ` stays as it is: ${reason}`,
  ],

  // The full check.
  fullCheck: 'Full check',
  checkBegins: 'Looking at the whole vault.',
  checking: (done: number, total: number | undefined) =>
    total === undefined
      ? `Looking at files: ${numberText(done)}`
      : done >= total
        ? 'Comparing both indexes.'
        : `Reading notes again: ${numberText(done)} of ${numberText(total)}`,
  checkMore: 'It builds the index a second time and compares. Leaving this page ends it.',
  checkFine: (files: number) =>
    `All is well: the index equals one built from scratch, with ${count(files, 'file')}.`,
  checkDiffers: (differences: number) =>
    `The index differs in ${count(differences, 'line')} from one built from scratch. This is a fault of Vaultdoor: please report it.`,
  checkLines: (shown: number) => `The first ${count(shown, 'line')}`,
  checkRecovered: (changes: number) =>
    `${count(changes, 'interrupted change')} of ${changes === 1 ? 'a program that had' : 'programs that had'} died ${changes === 1 ? 'was' : 'were'} finished or taken back.`,
  checkCancelled: 'The check was cancelled.',

  // Plots.
  numbers: 'Numbers',
  day: 'Day',
  notes: 'Notes',
  size: 'Size',
  changesByDay: 'Changes per day',
  lastDays: (days: number) => `last ${numberText(days)} days, by app`,
  changesFrom: (changes: number, from: string, to: string) =>
    `${count(changes, 'change')} from ${from} to ${to}`,
  changesCut: (changes: number) =>
    `History has more: only the newest ${count(changes, 'change')} are counted.`,
  noChanges: (from: string) => `No change since ${from}.`,
  otherClients: 'others',
  sizesOfNotes: 'Sizes of notes',
  sizesMore: (notes: number, bytes: number) => `${count(notes, 'note')}, ${bytesText(bytes)}`,
  sizesSummary: (notes: number, label: string) => `${count(notes, 'note')}, most of them ${label}`,
  noNotes: 'There are no notes yet.',
  sizeBetween: (from: number, to: number | undefined) => {
    if (to === undefined) return `${bytesText(from)} and more`;
    if (from === 0) return `under ${bytesText(to)}`;
    const [number, unit] = bytesText(from).split(' ');
    const end = bytesText(to);
    return end.endsWith(` ${unit}`) ? `${number}–${end}` : `${bytesText(from)}–${end}`;
  },
  notesOverTime: 'Notes over time',
  countedFrom: (day: string) => `counted once a day since ${day}`,
  countedToday: 'counted once a day from today on',
  totalsSummary: (notes: number, day: string, first: number, firstDay: string) =>
    `${count(notes, 'note')} on ${day}, ${numberText(first)} on ${firstDay}`,
  bytes: bytesText,
} as const;

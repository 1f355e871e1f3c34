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
  Replaced: 'Replace',
  Removed: 'Remove',
  Checked: 'Check',
  Reopened: 'Reopen',
  Took: 'Take',
  Merged: 'Merge',
  Restored: 'Restore',
};

/** A sentence about a change as one about a change that is only planned. */
export function plannedSentence(sentence: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = sentence;
  if (typeof first !== 'string') return sentence;
  return [first.replace(/^\w+/, (word) => asked[word] ?? word), ...rest];
}

/** How many properties of a change are named. */
const keysNamed = 3;

/** In how many files links followed a rename. */
interface Followed {
  readonly notes: number;
  readonly canvases: number;
  readonly bases: number;
}

/** The sentences about changes, for the console and for the command line. */
export const changeSentences = {
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
  replaced: (file: string): Piece[] => ['Replaced the text of ', name(file)],
  setProperties: (file: string, keys: readonly string[]): Piece[] => {
    const more = Math.max(0, keys.length - keysNamed);
    const named = keys.slice(0, keysNamed).flatMap((key, at, all) => {
      const isLast = at === all.length - 1 && more === 0;
      return at === 0 ? [name(key)] : [isLast ? ' and ' : ', ', name(key)];
    });
    if (keys.length === 0) return ['Set properties of ', name(file)];
    const rest = more === 0 ? '' : ` and ${numberText(more)} more`;
    return ['Set ', ...named, `${rest} of `, name(file)];
  },
  removedProperty: (file: string, key: string | undefined): Piece[] =>
    key === undefined
      ? ['Removed a property of ', name(file)]
      : ['Removed ', name(key), ' of ', name(file)],
  setTask: (file: string, status: string | undefined): Piece[] => [
    'Set a task in ',
    name(file),
    ...(status === undefined ? [] : [` to ${status}`]),
  ],
  checkedOff: (file: string): Piece[] => ['Checked off a task in ', name(file)],
  reopened: (file: string): Piece[] => ['Reopened a task in ', name(file)],
  linked: (file: string): Piece[] => ['Added a link to ', name(file)],
  tagged: (file: string): Piece[] => ['Added a tag to ', name(file)],
  untagged: (file: string): Piece[] => ['Took a tag off ', name(file)],
  renamedTag: (files: number): Piece[] => [`Renamed a tag in ${count(files, 'note')}`],
  renamedProperty: (files: number): Piece[] => [`Renamed a property in ${count(files, 'note')}`],
  renamedHeading: (file: string): Piece[] => ['Renamed a heading in ', name(file)],
  renamedBlock: (file: string): Piece[] => ['Renamed a block in ', name(file)],
  mergedConflict: (file: string): Piece[] => ['Merged the conflict copy of ', name(file)],
  restored: (file: string): Piece[] => ['Restored an earlier version of ', name(file)],
  bookmarked: (): Piece[] => ['Added a bookmark'],
  tookBack: (changes: number): Piece[] => [`Took back ${count(changes, 'change')}`],
  madeAgain: (): Piece[] => ['Made again what an undo had taken back'],
  tookBackIn: (file: string): Piece[] => ['Took back a change of ', name(file)],
  linksFollowed: ({ notes, canvases, bases }: Followed): string => {
    const parts = [
      ...(notes === 0 ? [] : [count(notes, 'note')]),
      ...(canvases === 0 ? [] : [count(canvases, 'canvas', 'canvases')]),
      ...(bases === 0 ? [] : [count(bases, 'base')]),
    ];
    const last = parts.length > 1 ? ` and ${parts.pop()}` : '';
    return `links updated in ${parts.join(', ')}${last}`;
  },
  alsoChanged: (files: number): string => `${count(files, 'other file')} changed`,
};

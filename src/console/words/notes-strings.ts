import type { Piece } from '../../tools/wording/change-sentences.ts';
import { count, numberText } from '../../tools/wording/counted.ts';

/** What the search has to say beside the notes that it found. */
interface SearchNews {
  readonly corrected?: readonly { readonly word: string; readonly to: readonly string[] }[];
  readonly partial?: true;
  readonly whole?: number;
  readonly incomplete?: 'indexing' | 'time' | 'documents';
}

const named = (words: readonly string[]): Piece[] =>
  words.flatMap((word, at): Piece[] => [
    ...(at === 0 ? [] : [at === words.length - 1 ? ' and ' : ', ']),
    { name: word },
  ]);

/** The texts of the screen Notes. */
export const notesStrings = {
  search: 'Search notes',
  searchHint: 'Words, "a phrase", tag:…',
  operators: 'Add to the search',
  results: 'Results',
  notes: (notes: number) => count(notes, 'note'),
  /** What a search says beside its results, in one line. */
  searchNews: ({ corrected = [], partial, whole, incomplete }: SearchNews): Piece[] => [
    ...corrected.flatMap(({ word, to }): Piece[] => [
      'Nothing has ',
      { name: word },
      '; found ',
      ...named(to),
      '. ',
    ]),
    ...(partial ? ['No note has all of this; these have a part of it. '] : []),
    ...(whole === undefined
      ? []
      : [
          `${whole === 1 ? 'One note has' : `${numberText(whole)} notes have`} all of the words; the others have some. `,
        ]),
    ...(incomplete === 'indexing'
      ? ['Not all notes are read yet: soon there may be more. ']
      : incomplete === 'time'
        ? [
            'There was no time to look into all notes. Add words, a tag: or a path: to ask for less. ',
          ]
        : []),
  ],
  nothingFound: 'Nothing has this',
  nothingFoundMore: 'Try other words, fewer of them, or the beginning of one.',
  page: (page: number) => `p. ${page}`,
  byName: 'found by its name',
  byPath: 'found by its path',
  moreLines: (lines: number, orMore: boolean) =>
    `${count(lines, 'line')}${orMore ? ' or more' : ''} in all`,
  showMore: (shown: number, total: number) =>
    `Show more: ${numberText(shown)} of ${numberText(total)}`,
  recent: 'Recently changed',
  folders: 'Folders',
  tags: 'Tags',
  andMore: (others: number) => `and ${numberText(others)} more`,
  emptyVault: 'There are no notes yet',
  emptyVaultMore: 'As soon as there is one, it can be found and read here.',
  chooseNote: 'Choose a note',
  chooseNoteMore: 'It is shown here, with its history and what links to it.',
  backToList: 'Notes',
  topFolder: 'Top of the vault',
  inFolder: (folder: string) => `Notes in ${folder}`,
  note: 'The note',
  about: 'About this note',

  // Its history.
  history: 'History of this note',
  changes: (changes: number) => count(changes, 'version'),
  noHistory: 'Nothing has changed it through Vaultdoor yet.',
  elsewhere: 'Written by another program',
  undid: (
    changes: number,
    client: { readonly name: string; readonly isOwner: boolean } | undefined,
  ): Piece[] => [
    `Undid ${count(changes, 'change')}`,
    ...(client === undefined
      ? []
      : client.isOwner
        ? [' of yours']
        : [' of ', { name: client.name }]),
  ],
  redid: ['Redid what was undone'] as Piece[],
  seen: (time: string) => `found ${time}`,
  changedSince: (time: string) => `Another program has changed it since, ${time}.`,
  isNow: 'as it is now',
  formerName: (path: string) => `then ${path}`,
  showVersion: 'Read',
  compare: 'Compare',
  restore: 'Restore',
  ofVersion: (time: string) => ` the version of ${time}`,
  showChange: 'Show the change in Activity',
  olderVersions: (versions: number) => `Show ${count(versions, 'older version')}`,
  cannotRestore: 'This server only reads, so nothing can be restored here.',
  versionOf: (time: string) => `This is how it was, ${time}`,
  comparedWith: (time: string) => `What has changed since the version of ${time}`,
  backToNow: 'As it is now',
  noVersion: (version: number) => `History has no version ${version} of this file.`,
  restored: (name: string): Piece[] => [{ name }, ' is as it was then.'],
  restoreNothing: (name: string): Piece[] => [{ name }, ' is the same already.'],
  undoneRestore: (name: string): Piece[] => [{ name }, ' is as it was before.'],
  undo: 'Undo',

  // What is around it.
  outline: 'Outline',
  noHeadings: 'It has no headings.',
  localGraph: 'Local graph',
  neighbours: (notes: number, more: boolean) =>
    more ? `the first ${numberText(notes)} neighbours` : count(notes, 'neighbour'),
  noNeighbours: 'No link leads here or away.',
  showGraph: 'Show more of the graph',
  graphList: 'The same as a list',
  linksHere: 'links here',
  linkedFrom: 'linked from here',
  bothWays: 'linked both ways',
  backlinks: 'Backlinks',
  noBacklinks: 'Nothing links here.',
  allBacklinks: (notes: number) => `Show all ${count(notes, 'note')}`,
  moreBacklinks: (shown: number, total: number) =>
    `These are the first ${numberText(shown)} of ${numberText(total)} links.`,
  reads: 'Who read it',
  noReads: 'No app has read it, as far as the list of reads goes back.',
  readsOff: 'What apps read is not kept here: the option --log-reads keeps it (see Activity).',

  // Files that are no notes, and files that are gone.
  aFile: (type: string) => (type === '' ? 'A file' : `A file of the type .${type}`),
  fileTypes: {
    png: 'A picture (PNG)',
    jpg: 'A picture (JPEG)',
    jpeg: 'A picture (JPEG)',
    gif: 'A picture (GIF)',
    webp: 'A picture (WebP)',
    avif: 'A picture (AVIF)',
    svg: 'A picture (SVG)',
    pdf: 'A PDF document',
    mp3: 'A sound',
    wav: 'A sound',
    ogg: 'A sound',
    m4a: 'A sound',
    flac: 'A sound',
    mp4: 'A video',
    mov: 'A video',
    webm: 'A video',
    mkv: 'A video',
    zip: 'An archive',
    docx: 'A Word document',
    xlsx: 'An Excel workbook',
    csv: 'A table as text',
    txt: 'A text file',
    json: 'A JSON file',
  } as Readonly<Record<string, string>>,
  fileFacts: (type: string, size: string, time: string) => `${type}, ${size}, changed ${time}.`,
  fileNotShown: 'The console shows notes and pictures. Obsidian opens the rest.',
  notDownloaded: 'It is not downloaded to this machine.',
  deleted: (name: string) => `${name} was deleted`,
  deletedBy: (who: string, time: string) => `By ${who}, ${time}.`,
  deletedMore: 'History has kept it: open one of its versions, or bring it back as it was last.',
  bringBack: 'Bring it back',
  movedTo: (name: string) => `It is now ${name}`,
  movedMore: 'This address is its former name.',
  noSuchNote: 'There is no such note',
} as const;

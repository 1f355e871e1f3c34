import { count, numberText } from '../../tools/wording/counted.ts';

/** How many files a graph has, and how many of them are canvases and bases, where that is known. */
interface GraphFiles {
  readonly all: number;
  readonly others?: number;
}

/** The numbers as Health has them: a canvas or a base is no note. */
const filesText = ({ all, others }: GraphFiles): string => {
  if (others === undefined) return `${numberText(all)} notes, canvases and bases`;
  const notes = count(all - others, 'note');
  return others === 0
    ? notes
    : `${notes}, ${count(others, 'canvas or base', 'canvases and bases')}`;
};

/** The texts of the screen Graph. */
export const graphStrings = {
  filters: 'What is drawn',
  folder: 'Folder',
  allFolders: 'All folders',
  tag: 'Tag',
  anyTag: 'Any tag',
  depth: 'How far',
  away: (links: number) => `${count(links, 'link')} away`,
  draws: 'Draw',
  drawnNotes: 'Draw notes',
  drawnFolders: 'Draw folders',
  asList: 'As a list',
  wholeVault: 'Whole vault',
  drawAgain: 'Notes have changed: draw again',
  /** How much of a graph is drawn. */
  all: (files: GraphFiles, pairs: number, isCut: boolean) =>
    `${filesText(files)}, ${count(pairs, 'linked pair')}. ${isCut ? 'All files' : 'All of them'} are drawn.`,
  someLinks: (drawn: number, pairs: number) =>
    `Of the lines between them ${numberText(drawn)} of ${numberText(pairs)} are.`,
  largest: (folders: number) => `The ${numberText(folders)} largest are drawn.`,
  best: (drawn: number, files: GraphFiles) =>
    `${numberText(drawn)} of ${filesText(files)} are drawn: those with the most links.`,
  folders: (folders: number, files: GraphFiles) =>
    `${filesText(files)} in ${count(folders, 'folder')}. Open a folder to see its notes.`,
  around: (name: string, notes: number) => `${count(notes, 'note')} around ${name}.`,
  aroundCut: (name: string, notes: number) =>
    `The nearest ${count(notes, 'note')} around ${name}; there are more.`,
  picture: 'Graph of links. “As a list” shows the same as text.',
  noPicture: 'This browser cannot draw the graph, because it has no WebGL. Here it is as a list.',
  empty: 'There is nothing to draw',
  emptyMore: 'No note fits. Choose another folder or tag.',
  root: 'not in a folder',
  moreGroups: (groups: number) => `and ${numberText(groups)} more`,
  links: (links: number) => `linked with ${count(links, 'note')}`,
  folderSize: (notes: number, links: number) => `${count(notes, 'note')}, ${count(links, 'link')}`,
  openNote: 'Open note',
  openFolder: 'Show its notes',
  onlyAround: 'Only around it',
  close: 'Close',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomAll: 'Show all',
  list: 'The graph as a list',
  listNote: 'Note',
  listFolder: 'Folder',
  listNotes: 'Notes',
  listLinks: 'Links',
  showMore: (shown: number, all: number) => `Show more: ${numberText(shown)} of ${numberText(all)}`,
};

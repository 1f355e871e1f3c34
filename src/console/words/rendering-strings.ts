import { count, numberText } from '../../tools/wording/counted.ts';

/** The texts of a note that is shown. */
export const renderingStrings = {
  missingLink: 'The vault has no such file',
  refusedLink: (scheme: string) =>
    `The console does not open addresses that begin with “${scheme}”`,
  remotePicture: (alt: string) =>
    alt === '' ? 'Picture on the web' : `Picture on the web: ${alt}`,
  notPicture: (path: string) => `The picture ${path} could not be shown.`,
  morePictures: (pictures: number) =>
    `Only the first ${count(pictures, 'picture')} are shown here.`,
  openInObsidian: 'Open in Obsidian',
  embedOf: (name: string) => `Embedded: ${name}`,
  embedsItself: 'This note contains itself; it is not shown again.',
  embedTooDeep: 'It is embedded too deeply to be shown here.',
  moreEmbeds: (embeds: number) =>
    `Only the first ${count(embeds, 'embedded note')} are shown here.`,
  noSubpath: (subpath: string) => `There is no ${subpath} in it.`,
  embedCut: (shown: number, all: number) =>
    `The first ${numberText(shown)} of ${count(all, 'character')}.`,
  charsCut: (shown: number, all: number) =>
    `These are the first ${numberText(shown)} of ${count(all, 'character')}. Obsidian shows the rest.`,
  elementsCut: 'This note has too many parts to show all of them here. Obsidian shows the rest.',
  footnotes: 'Footnotes',
  callout: (type: string) => type.charAt(0).toUpperCase() + type.slice(1),
  tasks: {
    ' ': 'to do',
    x: 'done',
    X: 'done',
    '/': 'half done',
    '-': 'cancelled',
    '>': 'forwarded',
    '<': 'scheduled',
    '?': 'question',
    '!': 'important',
    '*': 'star',
  } as Readonly<Record<string, string>>,
  task: (mark: string) => `task marked ${mark}`,
  special: {
    base: 'A base',
    mermaid: 'A diagram',
    query: 'A search',
    dataview: 'A query',
  } as Readonly<Record<string, string>>,
  specialBlock: (what: string) => `${what}, as its text`,
  brokenProperties: 'The properties of this note could not be read',
  properties: 'Properties',
  yes: 'yes',
  no: 'no',
  empty: 'empty',
  moreItems: (items: number) => `and ${numberText(items)} more`,
  canvas: (boxes: number, edges: number) =>
    `A canvas: ${count(boxes, 'box', 'boxes')}, ${count(edges, 'line')}.`,
  canvasCut: (shown: number, all: number) =>
    `${numberText(shown)} of ${count(all, 'box', 'boxes')} are drawn.`,
  canvasBroken: 'This canvas could not be read, so that here is its text.',
  pictureIn: (folder: string) => (folder === '' ? 'picture' : `picture, in ${folder}`),
  onTheWeb: 'a page on the web, not loaded',
  attachment: 'This file is no note and no picture that the console shows.',
} as const;

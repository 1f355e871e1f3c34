import { type ComponentChild, type FunctionComponent, h } from 'preact';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { element } from '../note/allowed-elements.ts';
import { isPicture, type LinkTarget, webTarget } from '../note/link-target.ts';
import { searchAddress } from '../note/note-address.ts';
import { renderLink } from '../note/render-link.ts';
import { renderText } from '../note/render-text.ts';
import type { EmbedProps } from '../note/render-tokens.ts';
import { baseStrings as words } from '../words/base-strings.ts';
import { renderingStrings } from '../words/rendering-strings.ts';
import { dateWords, durationText, numberWords } from './cell-words.ts';
import { namedIcon } from './named-icon.ts';

type Row = ConsoleAnswer<'base'>['rows'][number];
export type CellValue = Row['cells'][number];
type CellMap = Readonly<Record<string, CellValue>>;

/** What cells are drawn with: the vault of the address, and what draws pictures. */
export interface Drawing {
  readonly vault: string | undefined;
  readonly Picture: FunctionComponent<EmbedProps>;
}

/** The column of a cell by its id, and the file of its row; neither for groups and summaries. */
interface CellPlace {
  readonly id?: string;
  readonly path?: string;
}

/** Whether a cell shows nothing. */
export function isEmptyCell(value: CellValue): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0);
}

/** The columns whose cells lead to the file of their row, and those with tags. */
const namesOfFile: readonly string[] = ['file.name', 'file.basename', 'file.path'];
const tagColumns: readonly string[] = ['file.tags', 'note.tags', 'note.tag'];

/** A value of a base as elements: links lead to notes, and nothing becomes HTML. */
export function renderCell(
  value: CellValue,
  drawing: Drawing,
  place: CellPlace = {},
): ComponentChild {
  const { id = '', path } = place;
  if (value === null) return null;
  if (typeof value === 'boolean') return checkBox(value);
  if (typeof value === 'number') return numberWords(value);
  if (typeof value === 'string') {
    if (path !== undefined && namesOfFile.includes(id)) return fileLink(path, drawing, value);
    if (tagColumns.includes(id)) return tagLink(value, drawing);
    if (/^https?:\/\/\S+$/i.test(value)) return linkTo(webTarget(value), drawing, value);
    return renderText(value, []);
  }
  if (!isList(value)) return renderObject(value as CellMap, drawing);
  return value.map((item, at) => [
    at === 0 ? '' : tagColumns.includes(id) ? ' ' : ', ',
    // A list inside of a list is shown as its text.
    isList(item) ? jsonOf(item) : renderCell(item, drawing, place),
  ]);
}

function isList(value: CellValue): value is readonly CellValue[] {
  return Array.isArray(value);
}

function renderObject(value: CellMap, drawing: Drawing): ComponentChild {
  const { $link: link, $image: image, $duration: ms, $more: more, months, path } = value;
  if (typeof value['$date'] === 'string') {
    return element('span', { class: 'base-date' }, dateWords(value['$date']));
  }
  if (typeof ms === 'number') return durationText(ms, typeof months === 'number' ? months : 0);
  if (typeof link === 'string') return renderWritten(value, link, drawing);
  if (typeof value['$file'] === 'string') return fileLink(value['$file'], drawing);
  if (typeof image === 'string') {
    return renderPicture(image, typeof path === 'string' ? path : undefined, drawing);
  }
  if (typeof value['$icon'] === 'string') return namedIcon(value['$icon']);
  if (typeof value['$html'] === 'string') return code(value['$html']);
  if (typeof value['$regexp'] === 'string') return code(value['$regexp']);
  if (typeof value['$number'] === 'string') return value['$number'];
  if (typeof value['$error'] === 'string') return cellError(value['$error']);
  if (typeof more === 'number' && Object.keys(value).length === 1) {
    return element('span', { class: 'faint' }, words.moreItems(more));
  }
  return jsonOf(value);
}

function code(text: string): ComponentChild {
  return element('code', {}, renderText(text, []));
}

function jsonOf(value: CellValue): ComponentChild {
  return code(JSON.stringify(value));
}

/** A link as it is written: to a file of the vault, to nowhere, or out of it. */
function renderWritten(value: CellMap, link: string, drawing: Drawing): ComponentChild {
  const { display, path, external } = value;
  const name = typeof path === 'string' && !link.includes('#') ? noteName(path) : link;
  const shown = typeof display === 'string' && display !== '' ? display : name;
  if (external === true) return linkTo(webTarget(link), drawing, shown, link);
  if (typeof path !== 'string') return linkTo({ kind: 'missing' }, drawing, shown);
  const at = link.indexOf('#');
  const subpath = at === -1 ? '' : link.slice(at);
  return linkTo({ kind: 'file', path, subpath }, drawing, shown);
}

/** A picture of the vault as notes show it; one from the web is never fetched, only linked. */
export function renderPicture(
  written: string,
  path: string | undefined,
  drawing: Drawing,
): ComponentChild {
  if (path !== undefined) {
    if (!isPicture(path)) return fileLink(path, drawing);
    return h(drawing.Picture, { key: path, path, subpath: '', alias: '' });
  }
  const isAddress = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(written);
  const target: LinkTarget = isAddress ? webTarget(written) : { kind: 'missing' };
  const text = target.kind === 'web' ? renderingStrings.remotePicture('') : written.slice(0, 200);
  return linkTo(target, drawing, text, written);
}

/** A link to a file, such as that of a row. */
export function fileLink(path: string, drawing: Drawing, text = noteName(path)): ComponentChild {
  return linkTo({ kind: 'file', path, subpath: '' }, drawing, text);
}

function linkTo(
  target: LinkTarget,
  { vault }: Drawing,
  text: string,
  written = text,
): ComponentChild {
  return renderLink(target, { vault, children: renderText(text, []), text, written });
}

function tagLink(text: string, { vault }: Drawing): ComponentChild {
  const tag = text.startsWith('#') ? text : `#${text}`;
  const href = searchAddress({ vault, query: `tag:${tag}` });
  return element('a', { class: 'tag', href }, renderText(tag, []));
}

function checkBox(isChecked: boolean): ComponentChild {
  const label = isChecked ? words.yes : words.no;
  const box = element('span', { class: 'task-box', role: 'img', 'aria-label': label });
  return element('span', { class: isChecked ? 'base-check done' : 'base-check' }, box);
}

function cellError(code: string): ComponentChild {
  const said = Object.hasOwn(words.errors, code) ? words.errors[code] : undefined;
  return element('span', { class: 'base-error' }, said ?? words.otherError);
}

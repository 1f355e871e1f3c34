import type { ComponentChild } from 'preact';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { isPicture, type LinkTarget, webTarget } from '../note/link-target.ts';
import { searchAddress } from '../note/note-address.ts';
import { renderLink } from '../note/render-link.ts';
import { renderText } from '../note/render-text.ts';
import { VaultPicture } from '../note/vault-picture.tsx';
import { baseStrings as words } from '../words/base-strings.ts';
import { renderingStrings } from '../words/rendering-strings.ts';
import { dateWords, durationText, numberWords } from './cell-words.ts';
import { namedIcon } from './named-icon.tsx';

type Row = ConsoleAnswer<'base'>['rows'][number];
export type CellValue = Row['cells'][number];
type CellMap = Readonly<Record<string, CellValue>>;

/** Where a cell stands. */
interface CellPlace {
  readonly vault: string | undefined;
  /** The id of its column, and the file of its row; both absent for groups and summaries. */
  readonly id?: string;
  readonly path?: string;
}

/** Whether a cell shows nothing. */
export function isEmptyCell(value: CellValue | undefined): boolean {
  return (
    value === undefined || value === null || value === '' || (isList(value) && value.length === 0)
  );
}

/** The columns whose cells lead to the file of their row. */
const namesOfFile: readonly string[] = ['file.name', 'file.basename', 'file.path'];
const tagColumns: readonly string[] = ['file.tags', 'note.tags', 'note.tag'];

/** A value of a base as elements: links lead to notes, and nothing becomes HTML. */
export function renderCell(value: CellValue, place: CellPlace): ComponentChild {
  const { vault, id = '', path } = place;
  if (value === null) return null;
  if (typeof value === 'boolean') return <CheckBox isChecked={value} />;
  if (typeof value === 'number') return numberWords(value);
  if (typeof value === 'string') {
    if (path !== undefined && namesOfFile.includes(id)) return fileLink(path, vault, value);
    if (tagColumns.includes(id)) return tagLink(value, vault);
    if (/^https?:\/\/\S+$/i.test(value)) return linkTo(webTarget(value), vault, value);
    return renderText(value, []);
  }
  return isList(value) ? renderItems(value, place) : renderObject(value as CellMap, place);
}

function isList(value: CellValue): value is readonly CellValue[] {
  return Array.isArray(value);
}

function renderItems(items: readonly CellValue[], place: CellPlace): ComponentChild {
  const isTags = tagColumns.includes(place.id ?? '');
  return items.map((item, at) => [
    at === 0 ? '' : isTags ? ' ' : ', ',
    // A list inside of a list is shown as its text.
    isList(item) ? <code>{JSON.stringify(item)}</code> : renderCell(item, place),
  ]);
}

function renderObject(value: CellMap, place: CellPlace): ComponentChild {
  const { vault } = place;
  const { $link: link, $image: image, $duration: ms, $icon: icon, $more: more, path } = value;
  if (typeof value['$date'] === 'string') {
    const iso = value['$date'];
    return <time dateTime={iso}>{dateWords(iso)}</time>;
  }
  if (typeof ms === 'number') {
    const { months } = value;
    return durationText(ms, typeof months === 'number' ? months : 0);
  }
  if (typeof link === 'string') return renderWritten(value, link, vault);
  if (typeof value['$file'] === 'string') return fileLink(value['$file'], vault);
  if (typeof image === 'string') {
    return renderPicture(image, typeof path === 'string' ? path : undefined, vault);
  }
  if (typeof icon === 'string') return namedIcon(icon);
  if (typeof value['$html'] === 'string') return <code>{renderText(value['$html'], [])}</code>;
  if (typeof value['$regexp'] === 'string') return <code>{value['$regexp']}</code>;
  if (typeof value['$number'] === 'string') return value['$number'];
  if (typeof value['$error'] === 'string') return <CellError code={value['$error']} />;
  if (typeof more === 'number' && Object.keys(value).length === 1) {
    return <span class="faint">{words.moreItems(more)}</span>;
  }
  return <code>{JSON.stringify(value)}</code>;
}

/** A link as it is written: to a file of the vault, to nowhere, or out of it. */
function renderWritten(value: CellMap, link: string, vault: string | undefined): ComponentChild {
  const { display, path, external } = value;
  const name = typeof path === 'string' && !link.includes('#') ? noteName(path) : link;
  const shown = typeof display === 'string' && display !== '' ? display : name;
  if (external === true) return linkTo(webTarget(link), vault, shown, link);
  if (typeof path !== 'string') return linkTo({ kind: 'missing' }, vault, shown);
  const at = link.indexOf('#');
  return linkTo({ kind: 'file', path, subpath: at === -1 ? '' : link.slice(at) }, vault, shown);
}

/** A picture of the vault as notes show it; one from the web is never fetched, only linked. */
export function renderPicture(
  written: string,
  path: string | undefined,
  vault: string | undefined,
): ComponentChild {
  if (path !== undefined && isPicture(path)) {
    return <VaultPicture key={path} path={path} subpath="" alias="" />;
  }
  if (path !== undefined) return fileLink(path, vault);
  const target = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(written) ? webTarget(written) : undefined;
  if (target?.kind === 'web')
    return linkTo(target, vault, renderingStrings.remotePicture(''), written);
  return linkTo(target ?? { kind: 'missing' }, vault, written.slice(0, 200));
}

/** A link to the file of a row. */
export function fileLink(path: string, vault: string | undefined, text = noteName(path)) {
  return linkTo({ kind: 'file', path, subpath: '' }, vault, text);
}

function linkTo(
  target: LinkTarget,
  vault: string | undefined,
  text: string,
  written = text,
): ComponentChild {
  return renderLink(target, { vault, children: renderText(text, []), text, written });
}

function tagLink(text: string, vault: string | undefined): ComponentChild {
  const tag = text.startsWith('#') ? text : `#${text}`;
  return (
    <a class="tag" href={searchAddress({ vault, query: `tag:${tag}` })}>
      {renderText(tag, [])}
    </a>
  );
}

function CheckBox({ isChecked }: { readonly isChecked: boolean }) {
  return (
    <span class={isChecked ? 'base-check done' : 'base-check'}>
      <span class="task-box" role="img" aria-label={isChecked ? words.yes : words.no} />
    </span>
  );
}

function CellError({ code }: { readonly code: string }) {
  const said = Object.hasOwn(words.errors, code) ? words.errors[code] : undefined;
  return <span class="base-error">{said ?? words.otherError}</span>;
}

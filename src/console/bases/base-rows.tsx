import type { ComponentChild } from 'preact';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { baseStrings as words } from '../words/base-strings.ts';
import { strings } from '../words/strings.ts';
import {
  type CellValue,
  type Drawing,
  fileLink,
  isEmptyCell,
  renderCell,
  renderPicture,
} from './base-cell.ts';
import { numberWords } from './cell-words.ts';

export type ShownBase = ConsoleAnswer<'base'>;
type Row = ShownBase['rows'][number];
type Summary = ShownBase['summaries'][number];

interface Props {
  readonly shown: ShownBase;
  readonly drawing: Drawing;
}

/** Rows that stand together: those of a group, or all of them. */
interface Part {
  readonly key?: CellValue;
  readonly total: number;
  readonly rows: readonly Row[];
  readonly summaries: readonly Summary[];
}

function partsOf({ rows, groups, total }: ShownBase): readonly Part[] {
  if (groups === undefined) return [{ rows, total, summaries: [] }];
  let from = 0;
  return groups.map((group) => {
    const part = { ...group, rows: rows.slice(from, from + group.rows) };
    from += group.rows;
    return part;
  });
}

/** The rows of a view as a table. */
export function BaseTable({ shown, drawing }: Props) {
  const { columns, summaries } = shown;
  const width = Math.max(1, columns.length);
  const footIds = summaries.map(({ id }) => id);
  const isInColumns = columns.some(({ id }) => footIds.includes(id));
  return (
    // The table is wider than the page where it has many columns, and is scrolled by itself.
    <div class="wide" {...scrolling}>
      <table aria-label={words.tableOf(shown.view)}>
        <thead>
          <tr>
            {columns.map(({ id, title, width: px }, at) => (
              <th
                key={`${at} ${id}`}
                scope="col"
                dir="auto"
                {...(px === undefined ? {} : { style: { minWidth: `${px}px`, width: `${px}px` } })}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {partsOf(shown).map((part, at) => (
          <tbody key={at}>
            {part.key === undefined ? undefined : (
              <tr class="base-group">
                <th colSpan={width} scope="rowgroup">
                  <GroupName part={part} drawing={drawing} />
                </th>
              </tr>
            )}
            {part.rows.map(({ path, cells }) => (
              <tr key={path}>
                {columns.map(({ id }, column) => {
                  const value = cells[column] ?? null;
                  return (
                    <td key={column} class={typeof value === 'number' ? 'right' : ''} dir="auto">
                      {renderCell(value, drawing, { id, path })}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        ))}
        {isInColumns ? (
          <tfoot>
            <tr>
              {columns.map(({ id }, at) => (
                <td key={at}>
                  {summaries.filter((summary) => summary.id === id).map(summaryLine(drawing))}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : undefined}
      </table>
    </div>
  );
}

/** For an element that scrolls: the keyboard reaches it, too. */
export const scrolling = { tabIndex: 0 } as const;

/** The summaries that no column of a table shows: under cards and lists all of them. */
export function BaseSummaries({ shown, drawing }: Props) {
  const isTable = shown.type !== 'cards' && shown.type !== 'list';
  const ids = isTable ? shown.columns.map(({ id }) => id) : [];
  const rest = shown.summaries.filter(({ id }) => !ids.includes(id));
  if (rest.length === 0) return null;
  return (
    <ul class="base-sums">
      {rest.map((summary) => (
        <li key={summary.id}>
          <bdi>{summary.title}</bdi>: {summaryLine(drawing)(summary)}
        </li>
      ))}
    </ul>
  );
}

/** The value of a summary; an average has few digits. */
function summaryValue(value: CellValue, drawing: Drawing): ComponentChild {
  if (typeof value === 'number') return numberWords(value, { maximumFractionDigits: 2 });
  return renderCell(value, drawing);
}

function hasValue({ value }: Summary): boolean {
  return !isEmptyCell(value);
}

function summaryLine(drawing: Drawing) {
  return ({ id, name, value }: Summary) => (
    <span key={id} class="base-sum">
      <span class="faint">{name}</span> {summaryValue(value, drawing)}
    </span>
  );
}

/** The key of a group, how many rows it has, and what summarizes them. */
function GroupName({ part, drawing }: { readonly part: Part; readonly drawing: Drawing }) {
  const { key = null, total, summaries } = part;
  return (
    <>
      <bdi>{isEmptyCell(key) ? words.noGroup : renderCell(key, drawing)}</bdi>{' '}
      <span class="faint">{strings.number(total)}</span>
      {summaries.filter(hasValue).map((summary) => (
        <span key={summary.id} class="base-sum">
          <span class="faint">
            {summary.title}, {summary.name}
          </span>{' '}
          {summaryValue(summary.value, drawing)}
        </span>
      ))}
    </>
  );
}

function GroupLine(props: { readonly part: Part; readonly drawing: Drawing }) {
  if (props.part.key === undefined) return null;
  return (
    <p class="base-group">
      <GroupName {...props} />
    </p>
  );
}

/** The rows of a view as cards, each with its picture. */
export function BaseCards({ shown, drawing }: Props) {
  const { columns, look } = shown;
  const style = {
    ...(look.width === undefined ? {} : { '--card-width': `${look.width}px` }),
    ...(look.ratio === undefined ? {} : { '--card-ratio': String(1 / look.ratio) }),
  };
  return (
    <div class={look.fit === 'contain' ? 'base-cards fits' : 'base-cards'} style={style}>
      {partsOf(shown).map((part, at) => (
        <div key={at}>
          <GroupLine part={part} drawing={drawing} />
          <ul>
            {part.rows.map((row) => (
              <li key={row.path} class="base-card">
                {row.image === undefined ? undefined : (
                  <CardPicture image={row.image} drawing={drawing} />
                )}
                <p class="base-title">{titleOf(row, columns, drawing)}</p>
                <dl>
                  {columns.slice(1).map(({ id, title }, column) => {
                    const value = row.cells[column + 1] ?? null;
                    if (isEmptyCell(value)) return null;
                    return (
                      <div key={column}>
                        <dt dir="auto">{title}</dt>
                        <dd dir="auto">{renderCell(value, drawing, { id, path: row.path })}</dd>
                      </div>
                    );
                  })}
                </dl>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** The picture of a card: a colour, or a picture of the drawing. */
function CardPicture({ image, drawing }: { readonly image: CellValue; readonly drawing: Drawing }) {
  if (typeof image === 'string') {
    const color = /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(image) ? image : undefined;
    return color === undefined ? null : (
      <div class="base-picture" style={{ backgroundColor: color }} />
    );
  }
  if (image === null || typeof image !== 'object') return null;
  const { $image, $link, path } = image as Readonly<Record<string, CellValue>>;
  const written = $image ?? $link;
  if (typeof written !== 'string') return null;
  return (
    <div class="base-picture">
      {renderPicture(written, typeof path === 'string' ? path : undefined, drawing)}
    </div>
  );
}

/** The rows of a view as a list: the first column, and the others after it or below it. */
export function BaseList({ shown, drawing }: Props) {
  const { look } = shown;
  const List = look.markers === 'number' ? 'ol' : 'ul';
  return (
    <div class={look.markers === 'none' ? 'base-list plain-list' : 'base-list'}>
      {partsOf(shown).map((part, at) => (
        <div key={at}>
          <GroupLine part={part} drawing={drawing} />
          <List>
            {part.rows.map((row) => (
              <li key={row.path} dir="auto">
                {titleOf(row, shown.columns, drawing)}
                <ListRest row={row} shown={shown} drawing={drawing} />
              </li>
            ))}
          </List>
        </div>
      ))}
    </div>
  );
}

function ListRest({ row, shown, drawing }: Props & { readonly row: Row }) {
  const { look, columns } = shown;
  const values = columns.slice(1).flatMap(({ id }, column): ComponentChild[] => {
    const value = row.cells[column + 1] ?? null;
    return isEmptyCell(value) ? [] : [renderCell(value, drawing, { id, path: row.path })];
  });
  if (values.length === 0) return null;
  if (look.indents === true) {
    return (
      <ul>
        {values.map((value, at) => (
          <li key={at}>{value}</li>
        ))}
      </ul>
    );
  }
  const separator = look.separator ?? ', ';
  const between = separator.trim() === ',' ? ', ' : ` ${separator.trim()} `;
  return (
    <span class="soft">
      {values.map((value, at) => (
        <span key={at}>
          {between}
          {value}
        </span>
      ))}
    </span>
  );
}

/** The first column of a row, which leads to its file unless it is a link itself. */
function titleOf(
  { path, cells }: Row,
  columns: ShownBase['columns'],
  drawing: Drawing,
): ComponentChild {
  const [value = null] = cells;
  if (isEmptyCell(value)) return fileLink(path, drawing);
  if (typeof value === 'string') return fileLink(path, drawing, value);
  const title = renderCell(value, drawing, { id: columns[0]?.id ?? '', path });
  const isLink =
    value !== null && typeof value === 'object' && ('$link' in value || '$file' in value);
  return isLink ? title : [title, ' ', fileLink(path, drawing)];
}

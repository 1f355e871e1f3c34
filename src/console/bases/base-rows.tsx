import type { ComponentChild } from 'preact';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { baseStrings as words } from '../words/base-strings.ts';
import { strings } from '../words/strings.ts';
import { type CellValue, fileLink, isEmptyCell, renderCell, renderPicture } from './base-cell.tsx';
import { numberWords } from './cell-words.ts';

export type ShownBase = ConsoleAnswer<'base'>;
type Row = ShownBase['rows'][number];
type Summary = ShownBase['summaries'][number];

interface Props {
  readonly shown: ShownBase;
  readonly vault: string | undefined;
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
export function BaseTable({ shown, vault }: Props) {
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
            {columns.map(({ id, title }, at) => (
              <th key={`${at} ${id}`} scope="col" dir="auto">
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
                  <GroupName part={part} vault={vault} />
                </th>
              </tr>
            )}
            {part.rows.map(({ path, cells }) => (
              <tr key={path}>
                {columns.map(({ id }, column) => {
                  const value = cells[column] ?? null;
                  return (
                    <td key={column} class={typeof value === 'number' ? 'right' : ''} dir="auto">
                      {renderCell(value, { vault, id, path })}
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
                  {summaries.filter((summary) => summary.id === id).map(summaryLine(vault))}
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
export function BaseSummaries({ shown, vault }: Props) {
  const isTable = shown.type !== 'cards' && shown.type !== 'list';
  const ids = isTable ? shown.columns.map(({ id }) => id) : [];
  const rest = shown.summaries.filter(({ id }) => !ids.includes(id));
  if (rest.length === 0) return null;
  return (
    <ul class="base-sums">
      {rest.map((summary) => (
        <li key={summary.id}>
          <bdi>{summary.title}</bdi>: {summaryLine(vault)(summary)}
        </li>
      ))}
    </ul>
  );
}

/** The value of a summary; an average has few digits. */
function summaryValue(value: CellValue, vault: string | undefined): ComponentChild {
  if (typeof value === 'number') return numberWords(value, { maximumFractionDigits: 2 });
  return renderCell(value, { vault });
}

function hasValue({ value }: Summary): boolean {
  return !isEmptyCell(value);
}

function summaryLine(vault: string | undefined) {
  return ({ id, name, value }: Summary) => (
    <span key={id} class="base-sum">
      <span class="faint">{name}</span> {summaryValue(value, vault)}
    </span>
  );
}

/** The key of a group, how many rows it has, and what summarizes them. */
function GroupName({ part, vault }: { readonly part: Part; readonly vault: string | undefined }) {
  const { key = null, total, summaries } = part;
  return (
    <>
      <bdi>{isEmptyCell(key) ? words.noGroup : renderCell(key, { vault })}</bdi>{' '}
      <span class="faint">{strings.number(total)}</span>
      {summaries.filter(hasValue).map((summary) => (
        <span key={summary.id} class="base-sum">
          <span class="faint">
            {summary.title}, {summary.name}
          </span>{' '}
          {summaryValue(summary.value, vault)}
        </span>
      ))}
    </>
  );
}

function GroupLine(props: { readonly part: Part; readonly vault: string | undefined }) {
  if (props.part.key === undefined) return null;
  return (
    <p class="base-group">
      <GroupName {...props} />
    </p>
  );
}

/** The rows of a view as cards, each with its picture. */
export function BaseCards({ shown, vault }: Props) {
  const { columns, look } = shown;
  const style = {
    ...(look.width === undefined ? {} : { '--card-width': `${look.width}px` }),
    ...(look.ratio === undefined ? {} : { '--card-ratio': String(1 / look.ratio) }),
  };
  return (
    <div class={look.fit === 'contain' ? 'base-cards fits' : 'base-cards'} style={style}>
      {partsOf(shown).map((part, at) => (
        <div key={at}>
          <GroupLine part={part} vault={vault} />
          <ul>
            {part.rows.map((row) => (
              <li key={row.path} class="base-card">
                {row.image === undefined ? undefined : (
                  <CardPicture image={row.image} vault={vault} />
                )}
                <p class="base-title">{titleOf(row, columns, vault)}</p>
                <dl>
                  {columns.slice(1).map(({ id, title }, column) => {
                    const value = row.cells[column + 1] ?? null;
                    if (isEmptyCell(value)) return null;
                    return (
                      <div key={column}>
                        <dt dir="auto">{title}</dt>
                        <dd dir="auto">{renderCell(value, { vault, id, path: row.path })}</dd>
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

/** The picture of a card: a colour, or a picture of the vault. */
function CardPicture({
  image,
  vault,
}: {
  readonly image: CellValue;
  readonly vault: string | undefined;
}) {
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
      {renderPicture(written, typeof path === 'string' ? path : undefined, vault)}
    </div>
  );
}

/** The rows of a view as a list: the first column, and the others after it or below it. */
export function BaseList({ shown, vault }: Props) {
  const { look } = shown;
  const List = look.markers === 'number' ? 'ol' : 'ul';
  return (
    <div class={look.markers === 'none' ? 'base-list plain-list' : 'base-list'}>
      {partsOf(shown).map((part, at) => (
        <div key={at}>
          <GroupLine part={part} vault={vault} />
          <List>
            {part.rows.map((row) => (
              <li key={row.path} dir="auto">
                {titleOf(row, shown.columns, vault)}
                <ListRest row={row} shown={shown} vault={vault} />
              </li>
            ))}
          </List>
        </div>
      ))}
    </div>
  );
}

function ListRest({ row, shown, vault }: Props & { readonly row: Row }) {
  const { look, columns } = shown;
  const values = columns.slice(1).flatMap(({ id }, column): ComponentChild[] => {
    const value = row.cells[column + 1] ?? null;
    return isEmptyCell(value) ? [] : [renderCell(value, { vault, id, path: row.path })];
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
  vault: string | undefined,
): ComponentChild {
  const [value = null] = cells;
  if (isEmptyCell(value)) return fileLink(path, vault);
  if (typeof value === 'string') return fileLink(path, vault, value);
  const title = renderCell(value, { vault, id: columns[0]?.id ?? '', path });
  const isLink = value !== null && typeof value === 'object';
  return isLink ? title : [title, ' ', fileLink(path, vault)];
}

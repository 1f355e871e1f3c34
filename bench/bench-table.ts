import { type Aim, type BenchRow, benchRows, type VaultFigures } from './bench-rows.ts';
import type { Figure } from './measure-program.ts';
import { lateMs } from './server-client.ts';

const none = '–';

/** The table of one vault, as Markdown that is also readable as plain text. */
export function benchTable(figures: VaultFigures): string {
  const peers = Object.keys(figures.peers);
  const head = ['', 'vaultdoor', ...peers, 'the limit', 'times faster than the fastest peer'];
  head.push('times the limit', 'aim', 'met');
  return markdownTable([head, ...benchRows.map((row) => cellsOf(row, figures))]);
}

function cellsOf(row: BenchRow, figures: VaultFigures): readonly string[] {
  const { measure, unit } = row;
  const mine = figures.ours[measure];
  const theirs = Object.values(figures.peers).map(({ figures: all, instead }) => {
    const figure = (all as Readonly<Record<string, Figure | undefined>>)[measure];
    return { figure, mark: instead.includes(measure) && typeof figure === 'number' ? ' †' : '' };
  });
  const limit = figures.limits[measure];
  const limitCell = limit === undefined ? none : `${shown(limit, unit)} ${row.limit ?? ''}`.trim();
  const ratios = ratiosOf(
    mine,
    theirs.map(({ figure }) => figure),
    limit,
  );
  return [
    row.what,
    shown(mine, unit),
    ...theirs.map(({ figure, mark }) => shown(figure, unit) + mark),
    limitCell,
    unit === 'ms' ? times(ratios.peers) : none,
    times(ratios.limit),
    aimText(row.aim),
    isMet(row.aim, { ...ratios, mine, notes: figures.notes }),
  ];
}

interface Ratios {
  /** How many times longer the fastest peer takes, among the peers whose answer is right. */
  readonly peers: number | undefined;
  readonly limit: number | undefined;
}

function ratiosOf(
  mine: Figure | undefined,
  theirs: readonly (Figure | undefined)[],
  limit: number | undefined,
): Ratios {
  if (typeof mine !== 'number') return { peers: undefined, limit: undefined };
  // A peer that was too late took at least as long as the client waited.
  const right = theirs
    .map((figure) => (figure === 'late' ? lateMs : figure))
    .filter((figure) => typeof figure === 'number');
  return {
    peers: right.length === 0 ? undefined : Math.min(...right) / mine,
    limit: limit === undefined ? undefined : mine / limit,
  };
}

function isMet(
  aim: Aim | undefined,
  seen: Ratios & { readonly mine: Figure | undefined; readonly notes: number },
): string {
  if (aim === undefined) return '';
  const { peers, limit, mine, notes } = seen;
  if (notes < (aim.from ?? 0)) return '';
  const yes = (holds: boolean): string => (holds ? 'yes' : '**no**');
  if ('peers' in aim) return peers === undefined ? '' : yes(peers >= aim.peers);
  if ('limit' in aim) return limit === undefined ? '' : yes(limit <= aim.limit);
  return typeof mine === 'number' ? yes(mine < aim.max) : '';
}

function aimText(aim: Aim | undefined): string {
  if (aim === undefined) return '';
  const from = aim.from === undefined ? '' : ` at ${aim.from.toLocaleString('en')} notes`;
  if ('peers' in aim) return `≥ ${aim.peers}× the peer${from}`;
  return ('limit' in aim ? `≤ ${aim.limit}× the limit` : `< ${aim.max} MB`) + from;
}

function shown(figure: Figure | undefined, unit: BenchRow['unit']): string {
  if (figure === undefined) return none;
  if (figure === 'wrong') return 'wrong';
  if (figure === 'late') return `> ${lateMs / 1000} s`;
  if (unit === 'kB') return `${(figure / 1000).toFixed(1)} kB`;
  if (unit === 'MB') return `${figure.toFixed(0)} MB`;
  if (figure >= 10_000) return `${(figure / 1000).toFixed(1)} s`;
  return `${digits(figure)} ms`;
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? none : `${digits(ratio)}×`;
}

/** The value with two significant digits, or without decimals from 10 on. */
function digits(value: number): string {
  if (value >= 10) return value.toFixed(0);
  return value.toFixed(value < 1 ? 2 : 1);
}

/** A Markdown table whose columns are aligned in plain text too. The first row is its header. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, n) =>
    Math.max(...rows.map((row) => [...(row[n] ?? '')].length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, n) => cell + ' '.repeat((widths[n] ?? 0) - [...cell].length)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

import type { Figures, Measure } from './measure-program.ts';

/** Measures that exist for Vaultdoor only. */
export type OwnMeasure =
  | 'readLogged'
  | 'lines'
  | 'coldFacts'
  | 'coldText'
  | 'second'
  | 'readAlone'
  | 'appendAlone'
  | 'searchAlone'
  | 'readServed'
  | 'appendServed'
  | 'searchServed'
  | 'loop'
  | 'peak';

/** The names of the limits: what no program can beat, measured in the same run. */
export type LimitName =
  | 'bare Node'
  | 'rg'
  | 'plain read'
  | 'stat walk'
  | 'without it'
  | 'plain safe write'
  | '101 plain safe writes';

/**
 * An aim. `peers`: at least so many times faster than the fastest peer. `limit`: at most so many
 * times the limit. `max`: an upper bound. With `from`, the aim is for vaults of at least so many
 * notes.
 */
export type Aim =
  | { readonly peers: number; readonly from?: number }
  | { readonly limit: number; readonly from?: number }
  | { readonly max: number; readonly from?: number };

/** A row of the table. */
export interface BenchRow {
  readonly what: string;
  readonly measure: Measure | OwnMeasure;
  readonly unit: 'ms' | 'MB' | 'kB';
  readonly limit?: LimitName;
  readonly aim?: Aim;
}

export const benchRows: readonly BenchRow[] = [
  {
    what: 'spawn to `initialize`',
    measure: 'spawn',
    unit: 'ms',
    limit: 'bare Node',
    aim: { limit: 1.6 },
  },
  {
    what: 'spawn to `tools/list`',
    measure: 'spawnList',
    unit: 'ms',
    limit: 'bare Node',
    aim: { limit: 2 },
  },
  { what: '`tools/list`, size', measure: 'listBytes', unit: 'kB' },
  { what: 'read a note', measure: 'read', unit: 'ms' },
  {
    what: 'read a note, with `--log-reads`',
    measure: 'readLogged',
    unit: 'ms',
    limit: 'without it',
    aim: { limit: 1.05 },
  },
  { what: 'text search, first', measure: 'searchFirst', unit: 'ms', limit: 'rg' },
  {
    what: 'text search, warm',
    measure: 'search',
    unit: 'ms',
    limit: 'rg',
    aim: { peers: 50, from: 10_000 },
  },
  { what: 'name search', measure: 'name', unit: 'ms' },
  { what: 'all tags', measure: 'tags', unit: 'ms' },
  { what: 'notes with a tag', measure: 'tagged', unit: 'ms' },
  { what: 'backlinks', measure: 'backlinks', unit: 'ms', aim: { peers: 100 } },
  {
    what: 'rename, 100 referring notes',
    measure: 'rename',
    unit: 'ms',
    limit: '101 plain safe writes',
    aim: { peers: 100 },
  },
  { what: 'append', measure: 'append', unit: 'ms', limit: 'plain safe write' },
  { what: 'line search', measure: 'lines', unit: 'ms', limit: 'rg', aim: { limit: 1.5 } },
  {
    what: 'cold start to names, links, tags',
    measure: 'coldFacts',
    unit: 'ms',
    limit: 'plain read',
    aim: { limit: 8 },
  },
  {
    what: 'cold start to full text',
    measure: 'coldText',
    unit: 'ms',
    limit: 'plain read',
    aim: { limit: 20 },
  },
  {
    what: 'second start, ready',
    measure: 'second',
    unit: 'ms',
    limit: 'stat walk',
    aim: { limit: 3, from: 100_000 },
  },
  ...(['Alone', 'Served'] as const).flatMap((way) =>
    (['read', 'append', 'search'] as const).map(
      (name): BenchRow => ({
        what: `command \`${name}\`, ${way === 'Alone' ? 'alone' : 'where a server runs'}`,
        measure: `${name}${way}`,
        unit: 'ms',
        limit: 'bare Node',
        aim: { limit: 2.5 },
      }),
    ),
  ),
  { what: 'event loop, longest hold while cold', measure: 'loop', unit: 'ms' },
  { what: 'memory, cold start, peak', measure: 'peak', unit: 'MB' },
  { what: 'memory, idle', measure: 'memoryIdle', unit: 'MB', limit: 'bare Node' },
  {
    what: 'memory, after all this',
    measure: 'memoryAfter',
    unit: 'MB',
    limit: 'bare Node',
    aim: { max: 250, from: 100_000 },
  },
];

/** Everything that was measured on one vault. */
export interface VaultFigures {
  readonly notes: number;
  readonly ours: Figures & Readonly<Partial<Record<OwnMeasure, number>>>;
  /**
   * The figures by name of the peer. `instead` lists the measures for which a substitute was asked.
   */
  readonly peers: Readonly<Record<string, { figures: Figures; instead: readonly string[] }>>;
  /** The limits, by the measure that they are compared with. */
  readonly limits: Readonly<Partial<Record<Measure | OwnMeasure, number>>>;
}

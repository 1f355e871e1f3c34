/** The tables of a vault's state that SQLite and PostgreSQL both have, with their columns. */
export const stateTables = {
  change: [
    ...['id', 'state', 'time', 'first_time', 'fold', 'deletes', 'undone_by', 'door', 'client'],
    ...['connection', 'token', 'proposal', 'tool', 'args', 'undoes', 'kept', 'steps'],
  ],
  touch: ['key', 'change', 'folder'],
  need: ['change', 'version'],
  content: ['version', 'base', 'depth', 'prefix', 'suffix', 'packed', 'bytes'],
  destroyed: [...['id', 'change', 'asker', 'time', 'files', 'before', 'after', 'live', 'excuse']],
  question: [
    ...['id', 'time', 'call', 'asker_key', 'asker', 'says', 'reason', 'answered', 'used'],
    'question',
  ],
  proposal: [
    ...['id', 'time', 'state', 'asker', 'connection', 'bytes', 'change', 'reason', 'decided'],
    ...['listed', 'call', 'plan'],
  ],
  day_total: ['day', 'notes', 'bytes'],
  word_reader: ['reader'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type StateTable = keyof typeof stateTables;

/** A row by its columns. */
export type StateRow = Readonly<Record<string, string | number | null | Uint8Array>>;

/** What a state has beside its rows. */
export interface StateHead {
  /** The highest numbers that were given. */
  readonly last: Readonly<Record<'change' | 'question' | 'proposal', number>>;
  /** See `WordKey`; absent when there is none yet. */
  readonly wordKey?: Uint8Array;
}

/** A state that can be copied. Nobody changes it meanwhile. */
export interface StateSource {
  head(): Promise<StateHead>;
  /** All rows of a table, some at a time. */
  rows(table: StateTable): AsyncIterable<readonly StateRow[]>;
}

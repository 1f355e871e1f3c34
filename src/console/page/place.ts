/** The screens of the console, in the order in which they are listed. */
export const screens = [
  'activity',
  'approvals',
  'notes',
  'graph',
  'health',
  'access',
  'connect',
] as const;
export type Screen = (typeof screens)[number];

/** Which changes Activity shows. */
export interface ActivityFilter {
  readonly client?: string;
  readonly path?: string;
  readonly since?: Since;
  /** Only changes that delete or move something. */
  readonly kind?: 'removing';
  readonly undone?: 'hide';
}

const sinceWords = ['1d', '7d', '30d'] as const;
export type Since = (typeof sinceWords)[number];

/** The lists on Health, in their order there. */
export const healthLists = [
  'conflicts',
  'problems',
  'refused',
  'absent',
  'unresolved',
  'orphans',
] as const;
export type HealthList = (typeof healthLists)[number];

/** What Health shows: everything in short, or one list from a row on; and a conflict copy in a dialog. */
interface HealthView {
  readonly list?: HealthList;
  readonly from?: number;
  readonly conflict?: string;
}

/** What a preview is about: an undo, or the redo of an undo. */
export type UndoTarget =
  | { readonly session: string }
  | { readonly ids: readonly number[] }
  | { readonly redo: number };

/** What an address of the console leads to. */
export type Place =
  | { readonly screen: 'enter' }
  | { readonly screen: 'unknown' }
  | (OfVault & {
      readonly screen: 'activity';
      readonly filter: ActivityFilter;
      readonly change?: number;
      readonly undo?: UndoTarget;
    })
  | (OfVault & { readonly screen: 'connect' | 'approvals'; readonly id?: string })
  | NotesPlace
  | GraphPlace
  | (OfVault & HealthView & { readonly screen: 'health' })
  | (OfVault & { readonly screen: 'access' });

/** A place on the screen Notes: a search, a note, both, or an earlier version of a note. */
export interface NotesPlace extends OfVault {
  readonly screen: 'notes';
  /** What is searched for. */
  readonly query?: string;
  readonly path?: string;
  /** The part of the note that the address leads to: a heading, or a block with its `^`. */
  readonly heading?: string;
  /** The version that is shown, or compared with the note as it is; counted from the newest, 1. */
  readonly version?: number;
  readonly compare?: number;
}

/** A place on the screen Graph: the vault or a part of it, or what is around a note. */
export interface GraphPlace extends OfVault {
  readonly screen: 'graph';
  readonly folder?: string;
  readonly tag?: string;
  /** Whether notes or folders are drawn; absent for what the vault's size suggests. */
  readonly draws?: 'notes' | 'folders';
  /** The note that the graph is drawn around, and how many links away it goes. */
  readonly around?: string;
  readonly depth?: number;
}

interface OfVault {
  /** Absent where there is only one vault. */
  readonly vault?: string;
}

/** Reads an address: its path, its query and its fragment. Whatever it does not know is `unknown`. */
export function readPlace(path: string, query: string, hash = ''): Place {
  const segments = path.split('/').slice(1);
  if (segments.shift() !== 'c') return { screen: 'unknown' };
  const words = segments.map(decoded);
  if (words.includes(undefined)) return { screen: 'unknown' };
  const parts = words as string[];
  let vault: { vault?: string } = {};
  if (parts[0] === 'v' && parts[1] !== undefined && parts[1] !== '') {
    vault = { vault: parts[1] };
    parts.splice(0, 2);
  }
  const [screen = '', id, ...rest] = parts.filter(
    (part, at) => part !== '' || at < parts.length - 1,
  );
  if (rest.length > 0 && screen !== 'notes') return { screen: 'unknown' };
  switch (screen) {
    case '':
      return { screen: 'activity', filter: {}, ...vault };
    case 'enter':
      return { screen: 'enter' };
    case 'activity':
      return activityPlace(id, new URLSearchParams(query), vault);
    case 'approvals':
    case 'connect':
      return { screen, ...vault, ...(id === undefined ? {} : { id }) };
    case 'notes': {
      const file = [id, ...rest].filter((name) => name !== undefined).join('/');
      return { screen, ...vault, ...readNotes(file, new URLSearchParams(query), hash) };
    }
    case 'graph':
      return { screen, ...vault, ...readGraph(new URLSearchParams(query)) };
    case 'health':
      return { screen, ...readHealth(new URLSearchParams(query)), ...vault };
    case 'access':
      return { screen, ...vault };
    default:
      return { screen: 'unknown' };
  }
}

function activityPlace(id: string | undefined, query: URLSearchParams, vault: OfVault): Place {
  const place = { screen: 'activity', filter: readFilter(query), ...vault } as const;
  if (id === undefined) return place;
  if (id === 'undo') {
    const change = Number(query.get('change'));
    return { ...place, ...(isId(change) ? { change } : {}), ...undoIn(query) };
  }
  return isId(Number(id)) ? { ...place, change: Number(id) } : { screen: 'unknown' };
}

/** What the preview of an undo or redo is about; nothing where the address does not say it. */
function undoIn(query: URLSearchParams): { readonly undo?: UndoTarget } {
  const session = query.get('session');
  if (session !== null && session !== '') return { undo: { session } };
  const redo = Number(query.get('redo'));
  if (isId(redo)) return { undo: { redo } };
  const ids = (query.get('ids') ?? '').split(',').map(Number).filter(isId);
  return ids.length > 0 ? { undo: { ids } } : {};
}

function readNotes(path: string, query: URLSearchParams, hash: string): Omit<NotesPlace, 'screen'> {
  const words = query.get('q') ?? '';
  const search = words === '' ? {} : { query: words };
  if (path === '') return search;
  const heading = decoded(hash.replace(/^#/, '')) ?? '';
  const numbers = (['version', 'compare'] as const).map((name) => [name, Number(query.get(name))]);
  const [one] = numbers.filter(([, number]) => isId(number as number));
  return {
    ...search,
    path,
    ...(heading === '' ? {} : { heading }),
    ...(one === undefined ? {} : Object.fromEntries([one])),
  };
}

function readGraph(query: URLSearchParams): Omit<GraphPlace, 'screen'> {
  const given = (name: 'folder' | 'tag' | 'around'): object => {
    const value = query.get(name) ?? '';
    return value === '' ? {} : { [name]: value };
  };
  const depth = Number(query.get('depth'));
  const draws = (['notes', 'folders'] as const).find((what) => what === query.get('draws'));
  return {
    ...given('folder'),
    ...given('tag'),
    ...(draws === undefined ? {} : { draws }),
    ...given('around'),
    ...(isId(depth) ? { depth } : {}),
  };
}

function isId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0;
}

function readFilter(query: URLSearchParams): ActivityFilter {
  const client = query.get('client') ?? '';
  const path = query.get('path') ?? '';
  const since = sinceWords.find((word) => word === query.get('since'));
  return {
    ...(client === '' ? {} : { client }),
    ...(path === '' ? {} : { path }),
    ...(since === undefined ? {} : { since }),
    ...(query.get('kind') === 'removing' ? { kind: 'removing' as const } : {}),
    ...(query.get('undone') === 'hide' ? { undone: 'hide' as const } : {}),
  };
}

function readHealth(query: URLSearchParams): HealthView {
  const list = healthLists.find((name) => name === query.get('list'));
  const from = Number(query.get('from'));
  const conflict = query.get('conflict') ?? '';
  return {
    ...(list === undefined ? {} : { list }),
    ...(list !== undefined && isId(from) ? { from } : {}),
    ...(conflict === '' ? {} : { conflict }),
  };
}

/** The address of a place. Reading it gives the same place again. */
export function addressOf(place: Place): string {
  if (place.screen === 'enter') return '/c/enter';
  if (place.screen === 'unknown') return '/c/';
  const start = place.vault === undefined ? '/c' : `/c/v/${encodeURIComponent(place.vault)}`;
  const query = new URLSearchParams();
  let end = '';
  let hash = '';
  if (place.screen === 'notes') {
    const { query: words = '', path, heading = '', version, compare } = place;
    if (path !== undefined) end = `/${path.split('/').map(encoded).join('/')}`;
    if (words !== '') query.set('q', words);
    if (version !== undefined) query.set('version', String(version));
    else if (compare !== undefined) query.set('compare', String(compare));
    if (heading !== '') hash = `#${encoded(heading)}`;
  } else if (place.screen === 'graph') {
    const { screen: _, vault: _vault, ...asked } = place;
    for (const [key, value] of Object.entries(asked)) query.set(key, String(value));
  } else if (place.screen === 'activity') {
    for (const [key, value] of Object.entries(place.filter)) query.set(key, value);
    if (place.undo !== undefined) {
      end = '/undo';
      if ('session' in place.undo) query.set('session', place.undo.session);
      else if ('redo' in place.undo) query.set('redo', String(place.undo.redo));
      else query.set('ids', place.undo.ids.join(','));
      if (place.change !== undefined) query.set('change', String(place.change));
    } else if (place.change !== undefined) end = `/${place.change}`;
  } else if (place.screen === 'health') {
    if (place.list !== undefined) query.set('list', place.list);
    if (place.from !== undefined && place.from > 0) query.set('from', String(place.from));
    if (place.conflict !== undefined) query.set('conflict', place.conflict);
  } else if ('id' in place && place.id !== undefined) end = `/${encodeURIComponent(place.id)}`;
  const words = query.toString();
  return `${start}/${place.screen}${end}${words === '' ? '' : `?${words}`}${hash}`;
}

/** A name as a part of an address. Half characters, which no address can have, are replaced. */
function encoded(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

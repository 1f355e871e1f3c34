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

/** What an undo preview is about. */
export type UndoTarget = { readonly session: string } | { readonly ids: readonly number[] };

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
  | (OfVault & HealthView & { readonly screen: 'health' })
  | (OfVault & { readonly screen: 'notes' | 'graph' | 'access' });

interface OfVault {
  /** Absent where there is only one vault. */
  readonly vault?: string;
}

/** Reads an address: its path and its query. Whatever it does not know is `unknown`. */
export function readPlace(path: string, query: string): Place {
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
    case 'health':
      return { screen, ...readHealth(new URLSearchParams(query)), ...vault };
    case 'notes':
    case 'graph':
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
    const session = query.get('session');
    if (session !== null && session !== '') return { ...place, undo: { session } };
    const ids = (query.get('ids') ?? '').split(',').map(Number).filter(isId);
    return ids.length > 0 ? { ...place, undo: { ids } } : place;
  }
  return isId(Number(id)) ? { ...place, change: Number(id) } : { screen: 'unknown' };
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
  if (place.screen === 'activity') {
    for (const [key, value] of Object.entries(place.filter)) query.set(key, value);
    if (place.undo !== undefined) {
      end = '/undo';
      if ('session' in place.undo) query.set('session', place.undo.session);
      else query.set('ids', place.undo.ids.join(','));
    } else if (place.change !== undefined) end = `/${place.change}`;
  } else if (place.screen === 'health') {
    if (place.list !== undefined) query.set('list', place.list);
    if (place.from !== undefined && place.from > 0) query.set('from', String(place.from));
    if (place.conflict !== undefined) query.set('conflict', place.conflict);
  } else if ('id' in place && place.id !== undefined) end = `/${encodeURIComponent(place.id)}`;
  const words = query.toString();
  return `${start}/${place.screen}${end}${words === '' ? '' : `?${words}`}`;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

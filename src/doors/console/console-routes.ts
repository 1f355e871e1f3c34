/** What answers a request to the console's API, beside the tools. */
export type OwnAnswer =
  | 'enter'
  | 'sign-out'
  | 'me'
  | 'events'
  | 'file'
  | 'questions'
  | 'answer-question'
  | 'proposals'
  | 'proposal'
  | 'accept-proposals'
  | 'refuse-proposals'
  | 'tokens'
  | 'create-token'
  | 'revoke-token'
  | 'grants'
  | 'end-grant'
  | 'open-sessions'
  | 'end-session'
  | 'passkeys'
  | 'remove-passkey'
  | 'reads';

/** One address of the console's API. `:id` is one segment of the path, the argument `id`. */
export type ConsoleRoute = { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string } & (
  | {
      readonly tool: string;
      /** It may take long: it has a longer deadline, and its progress is told as an event. */
      readonly isLong?: true;
    }
  | { readonly own: OwnAnswer }
);

/** Where the console's pages, and its API, begin. */
export const consolePath = '/c/';
export const apiPath = '/c/api';

/**
 * Everything that the page can ask for, below `/c/api`. A GET has its arguments in the query, a POST
 * as a JSON object in its body. With several vaults the query's `vault` names the one that is meant,
 * whatever the method. `console-wire.ts` has the JSON of what is no tool.
 */
const consoleRoutes: readonly ConsoleRoute[] = [
  { method: 'POST', path: '/enter', own: 'enter' },
  { method: 'POST', path: '/sign-out', own: 'sign-out' },
  { method: 'GET', path: '/me', own: 'me' },
  { method: 'GET', path: '/events', own: 'events' },

  { method: 'GET', path: '/changes', tool: 'changes' },
  { method: 'GET', path: '/changes/:id', tool: 'change' },
  { method: 'GET', path: '/sessions', tool: 'sessions' },
  { method: 'POST', path: '/undo', tool: 'undo' },
  { method: 'POST', path: '/redo', tool: 'redo' },
  { method: 'GET', path: '/reads', own: 'reads' },

  { method: 'GET', path: '/questions', own: 'questions' },
  { method: 'POST', path: '/questions/:id', own: 'answer-question' },
  { method: 'GET', path: '/proposals', own: 'proposals' },
  { method: 'POST', path: '/proposals/accept', own: 'accept-proposals' },
  { method: 'POST', path: '/proposals/refuse', own: 'refuse-proposals' },
  { method: 'GET', path: '/proposals/:id', own: 'proposal' },

  { method: 'GET', path: '/search', tool: 'search' },
  { method: 'GET', path: '/note', tool: 'note' },
  { method: 'POST', path: '/base', tool: 'base' },
  { method: 'GET', path: '/file', own: 'file' },
  { method: 'GET', path: '/backlinks', tool: 'backlinks' },
  { method: 'GET', path: '/neighbors', tool: 'neighbors' },
  { method: 'GET', path: '/versions', tool: 'versions' },
  { method: 'GET', path: '/version', tool: 'version' },
  { method: 'GET', path: '/diff-versions', tool: 'diff_versions' },
  { method: 'POST', path: '/restore-version', tool: 'restore_version' },
  { method: 'GET', path: '/tags', tool: 'tags' },
  { method: 'GET', path: '/tagged', tool: 'tagged' },
  { method: 'GET', path: '/folders', tool: 'folders' },
  { method: 'GET', path: '/files', tool: 'files' },

  { method: 'GET', path: '/info', tool: 'info' },
  { method: 'GET', path: '/unresolved', tool: 'unresolved' },
  { method: 'GET', path: '/orphans', tool: 'orphans' },
  { method: 'GET', path: '/problems', tool: 'problems' },
  { method: 'GET', path: '/counts', tool: 'counts' },
  { method: 'GET', path: '/totals', tool: 'totals' },
  { method: 'GET', path: '/sizes', tool: 'sizes' },
  { method: 'GET', path: '/conflicts', tool: 'conflicts' },
  { method: 'GET', path: '/conflict', tool: 'conflict' },
  { method: 'POST', path: '/merge-conflict', tool: 'merge_conflict' },
  { method: 'POST', path: '/check', tool: 'check', isLong: true },
  { method: 'GET', path: '/graph', tool: 'graph' },

  { method: 'GET', path: '/tokens', own: 'tokens' },
  { method: 'POST', path: '/tokens', own: 'create-token' },
  { method: 'DELETE', path: '/tokens/:id', own: 'revoke-token' },
  { method: 'GET', path: '/grants', own: 'grants' },
  { method: 'DELETE', path: '/grants/:id', own: 'end-grant' },
  { method: 'GET', path: '/open-sessions', own: 'open-sessions' },
  { method: 'DELETE', path: '/open-sessions/:id', own: 'end-session' },
  { method: 'GET', path: '/passkeys', own: 'passkeys' },
  { method: 'POST', path: '/passkeys/remove', own: 'remove-passkey' },
];

/** Whether a path is for the console. The root leads to it. */
export function isConsolePath(path: string): boolean {
  return path === '/' || path === '/c' || path.startsWith(consolePath);
}

/** A route with the argument that its path has. */
interface FoundRoute {
  readonly route: ConsoleRoute;
  readonly id?: string;
}

/**
 * The route of a request. When the address exists but not with this method, the methods that it has;
 * undefined when there is nothing at this address.
 */
export function findRoute(
  method: string,
  path: string,
): FoundRoute | { readonly allow: readonly string[] } | undefined {
  const here = consoleRoutes.flatMap((route): FoundRoute[] => {
    if (!route.path.endsWith('/:id')) return path === `${apiPath}${route.path}` ? [{ route }] : [];
    const before = `${apiPath}${route.path.slice(0, -':id'.length)}`;
    const id = path.startsWith(before) ? decoded(path.slice(before.length)) : undefined;
    return id === undefined || id === '' || id.includes('/') ? [] : [{ route, id }];
  });
  if (here.length === 0) return undefined;
  const found = here.find(({ route }) => route.method === method);
  return found ?? { allow: here.map(({ route }) => route.method) };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

import { computed, signal } from '@preact/signals';
import { isGrantId } from '../../base/caller.ts';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type {
  GrantsAnswer,
  OpenSessionsAnswer,
  ProposalsAnswer,
  ReadRow,
  ReadsAnswer,
} from '../../doors/console/console-wire.ts';
import type { FeedChange } from '../../engine/operations/history/list-feed.ts';
import type { ChangeSession } from '../../engine/operations/history/list-sessions.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { type ApiFailure, asFailure, get } from '../page/api.ts';
import type { ActivityFilter } from '../page/place.ts';
import { announced } from '../page/toast-state.ts';
import { activityStrings } from '../words/activity-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { shownInFeed } from './group-feed.ts';

/** Every change that was loaded, newest first; undefined before the first answer. */
export const loaded = signal<readonly FeedChange[] | undefined>(undefined);
/** Newer changes, which wait until the owner asks for them. */
const pending = signal<readonly FeedChange[]>([]);
export const feedFailure = signal<ApiFailure | undefined>(undefined);
export const next = signal<number | undefined>(undefined);
/** Sessions and names of clients, as the server counts them. */
export const sessions = signal<readonly ChangeSession[]>([]);
export const clients = signal<readonly string[]>([]);
/** What was read, where reads are logged, and whether nothing was ever logged. */
export const reads = signal<readonly ReadRow[]>([]);
export const hasNoReads = signal(false);
/** The names of the apps that have signed in, by the ids of their grants. */
export const grantNames = signal<ReadonlyMap<string, string>>(new Map());
/** How many proposals of a session wait for the owner, by its connection. */
export const proposing = signal<ReadonlyMap<string, number>>(new Map());
/** The names of the clients that have an open session. */
export const connected = signal<readonly string[]>([]);

/** The changes that have a row in the feed. */
export const rows = computed(() => shownInFeed(loaded.value ?? []));
/** How many changes wait, and by whom if it is one client. */
export const news = computed(() => {
  const waiting = shownInFeed(pending.value);
  const names = new Set(waiting.map(({ door, client }) => shownClient(door, client).name));
  const [only] = names;
  return { changes: waiting.length, client: names.size === 1 ? only : undefined };
});

let filter: ActivityFilter = {};
let asked: AbortController | undefined;

/** Loads the newest changes that a filter admits. What was shown before goes. */
export async function loadFeed(wanted: ActivityFilter): Promise<void> {
  filter = wanted;
  asked?.abort();
  asked = new AbortController();
  const { signal: stop } = asked;
  loaded.value = undefined;
  pending.value = [];
  feedFailure.value = undefined;
  try {
    const page = await ask({ limit: consolePageLimits.feedPage }, stop);
    loaded.value = page.items;
    next.value = page.next;
    await loadAround(stop);
  } catch (error) {
    feedFailure.value = stop.aborted ? undefined : asFailure(error);
  }
}

/** Loads the next page of older changes. */
export async function loadOlder(): Promise<void> {
  const before = next.peek();
  const stop = asked?.signal;
  if (before === undefined) return;
  try {
    const page = await ask({ limit: consolePageLimits.feedPage, before }, stop);
    loaded.value = [...(loaded.peek() ?? []), ...page.items];
    next.value = page.next;
  } catch (error) {
    if (stop?.aborted !== true) feedFailure.value = asFailure(error);
  }
}

/**
 * Asks again for what is shown, because something has changed. Rows that are there are updated at
 * once; new ones come to the top with `atTop`, and otherwise wait.
 */
export async function refreshFeed({ atTop }: { readonly atTop: boolean }): Promise<void> {
  const known = loaded.peek();
  const stop = asked?.signal;
  if (known === undefined) return;
  const limit = Math.min(
    consolePageLimits.feedRowsMax,
    Math.max(consolePageLimits.feedPage, known.length + 20),
  );
  try {
    const { items } = await ask({ limit }, stop);
    const newest = known[0]?.id ?? 0;
    const fresh = new Map(items.map((change) => [change.id, change]));
    const updated = known.map((change) => fresh.get(change.id) ?? change);
    const newer = items.filter(({ id }) => id > newest);
    const isShown = atTop || shownInFeed(newer).length === 0;
    loaded.value = isShown ? [...newer, ...updated] : updated;
    if (isShown) pending.value = [];
    else if (newer.length > pending.peek().length) {
      pending.value = newer;
      const { changes, client } = news.peek();
      announced.value = { text: activityStrings.newChanges(changes, client), isUrgent: false };
    }
    if (stop !== undefined) await loadAround(stop);
  } catch (error) {
    // The feed stays as it was; the line above it says when the server is away.
    asFailure(error);
  }
}

/** Asks which sessions have proposals that wait; to be called when their number, which is given, changes. */
export async function loadProposing(waiting: number): Promise<void> {
  const { open } = waiting === 0 ? { open: [] } : await get<ProposalsAnswer>('/proposals');
  const counts = new Map<string, number>();
  for (const { asker } of open) {
    if (asker.connection === undefined) continue;
    counts.set(asker.connection, (counts.get(asker.connection) ?? 0) + 1);
  }
  proposing.value = counts;
}

/** Puts the changes that wait on top of the feed. */
export function showNews(): void {
  loaded.value = [...pending.peek(), ...(loaded.peek() ?? [])];
  pending.value = [];
}

function ask(
  page: { readonly limit: number; readonly before?: number },
  stop: AbortSignal | undefined,
): Promise<ConsoleAnswer<'changes'>> {
  return get<ConsoleAnswer<'changes'>>('/changes', { ...query(), ...page }, stop);
}

function query(): Record<string, string | number | undefined> {
  const { client, path, since, kind, undone } = filter;
  const days = since === undefined ? undefined : Number.parseInt(since, 10);
  return {
    client,
    path,
    since: days === undefined ? undefined : Date.now() - days * 86_400_000,
    kinds: kind === undefined ? undefined : 'deleted,moved',
    undone,
  };
}

/** What is shown beside the changes. */
async function loadAround(stop: AbortSignal): Promise<void> {
  await Promise.all([loadSessions(stop), loadReads(stop), loadClients(stop)]);
}

/** Asks again what clients read, and who is connected. */
export async function refreshReads(): Promise<void> {
  const stop = asked?.signal;
  if (stop === undefined || loaded.peek() === undefined) return;
  // What is shown stays when that fails.
  await Promise.all([loadReads(stop), loadClients(stop)]).catch(asFailure);
}

async function loadClients(stop: AbortSignal): Promise<void> {
  const ids = [...(loaded.peek() ?? []), ...reads.peek()].map(({ token = '' }) => token);
  const isEmpty = rows.peek().length === 0;
  if (isEmpty || ids.some(isGrantId)) {
    const { grants } = await get<GrantsAnswer>('/grants', {}, stop);
    grantNames.value = new Map(grants.map(({ id, client }) => [id, client.name]));
  }
  if (!isEmpty) return;
  const answer = await get<OpenSessionsAnswer>('/open-sessions', {}, stop);
  connected.value = answer.sessions
    .filter(({ isConnected }) => isConnected)
    .map(({ client }) => shownClient('mcp-http', client).name);
}

async function loadSessions(stop: AbortSignal): Promise<void> {
  const answer = await get<ConsoleAnswer<'sessions'>>('/sessions', { limit: 200 }, stop);
  sessions.value = answer.items;
  clients.value = answer.clients;
}

async function loadReads(stop: AbortSignal): Promise<void> {
  // Older changes are not loaded, so what was read before them is not shown either.
  const since = next.peek() === undefined ? undefined : loaded.peek()?.at(-1)?.timeMs;
  const { readsMax: limit } = consolePageLimits;
  const answer = await get<ReadsAnswer>('/reads', { since, limit }, stop);
  reads.value = answer.reads;
  hasNoReads.value = answer.isEmpty;
}

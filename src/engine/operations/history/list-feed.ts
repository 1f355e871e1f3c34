import type { Door } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { vaultFolder } from '../../../base/vault-path.ts';
import { type ChangeRow, changeRow } from '../../change/change-row.ts';
import { checkAllowed } from '../../decide/decide.ts';
import { ownerDoors } from '../../decide/owner-door.ts';
import { readHistory } from '../../history/read-history.ts';
import type { ChangeFilter, ChangeId, StoredChange } from '../../ports/state-store.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { FileChange } from '../../vault/draft.ts';
import { Turns } from '../../vault/turns.ts';

/** A change of the history as its owner's list of changes shows it. */
export interface FeedChange extends ChangeRow {
  readonly id: ChangeId;
  readonly undoneBy?: ChangeId;
  readonly undoes?: readonly ChangeId[];
  /** Those of `undoes` of which it took back only some files. They do not count as undone. */
  readonly partly?: readonly ChangeId[];
  /** Set when an undo took back only some of its files. */
  readonly undoneInPart?: true;
  /** Who made the change `undoneBy`, when, and how many changes it took back. */
  readonly undone?: {
    readonly timeMs: number;
    readonly door: Door;
    readonly client?: string;
    readonly changes: number;
  };
}

/** Which changes to list. Absent means any. */
export interface WhichFeed {
  /** The name of the client program, without its version. */
  readonly client?: string | undefined;
  readonly door?: Door | undefined;
  /** The connection that made them. */
  readonly session?: string | undefined;
  /** A file, or a folder with everything in it, under its path at the time of the change. */
  readonly path?: string | undefined;
  readonly sinceMs?: number | undefined;
  /** Only changes before this time. */
  readonly untilMs?: number | undefined;
  /** Only changes with a lower number. */
  readonly before?: ChangeId | undefined;
  /** Only changes that did one of these to a file. */
  readonly kinds?: readonly FileChange['did'][] | undefined;
  /** Without the changes that are undone, or only those. */
  readonly undone?: 'hide' | 'only' | undefined;
}

/** A page of the list of changes, newest first. */
export interface FeedPage {
  /** How many changes the filter admits from here on; absent where that is not known (`kinds`). */
  readonly total?: number;
  readonly items: readonly FeedChange[];
  /** What to give as `before` to get the next page; absent on the last one. */
  readonly next?: ChangeId;
}

/**
 * Lists changes for the owner of the vault, newest first. Undos of whole changes by the owner are
 * left out: the changes that they undid say so. Fails with `forbidden` for callers who do not see
 * the whole vault. With `kinds`, a page may be shorter than `limit` although there is a next one:
 * at most `limits.summariesMax` changes are looked at for one page.
 */
export async function listFeed(
  vault: BoundVault,
  request: WhichFeed & { readonly limit: number },
): Promise<FeedPage> {
  checkAllowed(vault.caller, { wholeVault: 'history' });
  const { limit, kinds } = request;
  const filter = feedFilter(request);
  if (kinds !== undefined) return feedOfKinds(vault, filter, { limit, kinds });
  const { total, items } = await vault.history.changes(filter, { limit, offset: 0 });
  const last = items.at(-1);
  return {
    total,
    items: await feedChanges(vault, items),
    ...(last === undefined || total <= items.length ? {} : { next: last.id }),
  };
}

/** Turns the request into the form that the store of the history takes. */
export function feedFilter(request: WhichFeed): ChangeFilter {
  const { client, door, session, path, sinceMs, untilMs, before, undone } = request;
  return {
    withoutUndosBy: ownerDoors,
    ...(client === undefined ? {} : { clientNames: [client] }),
    ...(door === undefined ? {} : { door }),
    ...(session === undefined ? {} : { connection: session }),
    ...(path === undefined ? {} : { path: vaultFolder(path) }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(before === undefined ? {} : { before }),
    ...(undone === undefined ? {} : { undone: undone === 'only' }),
  };
}

async function feedOfKinds(
  vault: BoundVault,
  filter: ChangeFilter,
  { limit, kinds }: { limit: number; kinds: readonly FileChange['did'][] },
): Promise<FeedPage> {
  const found: StoredChange[] = [];
  const turns = new Turns(vault);
  let read = 0;
  let last: ChangeId | undefined;
  for await (const change of readHistory(vault.history, filter)) {
    if (last !== undefined && (found.length >= limit || read >= limits.summariesMax)) {
      return { items: await feedChanges(vault, found), next: last };
    }
    await turns.next();
    read++;
    last = change.id;
    if (changeRow(vault, change)?.files.some(({ did }) => kinds.includes(did))) found.push(change);
  }
  return { items: await feedChanges(vault, found) };
}

/** The changes as the list shows them, with who undid them. */
export async function feedChanges(
  vault: BoundVault,
  changes: readonly StoredChange[],
): Promise<readonly FeedChange[]> {
  const ids = Array.from(new Set(changes.flatMap(({ undoneBy }) => undoneBy ?? [])));
  const undoers =
    ids.length === 0
      ? []
      : (await vault.history.changes({ ids }, { limit: ids.length, offset: 0 })).items;
  const byId = new Map(undoers.map((undoer) => [undoer.id, undoer]));
  const inPart = await undoneInPart(vault, changes);
  return changes.flatMap((change) => {
    const row = changeRow(vault, change);
    if (row === undefined) return [];
    const undoer = row.undoneBy === undefined ? undefined : byId.get(row.undoneBy);
    const { partly = [] } = change;
    return {
      ...row,
      ...(partly.length === 0 ? {} : { partly }),
      ...(inPart.has(row.id) ? { undoneInPart: true as const } : {}),
      ...(undoer === undefined ? {} : { undone: whoUndid(undoer) }),
    };
  });
}

/** Those of the changes that are not undone, but some of whose files are. */
async function undoneInPart(
  vault: BoundVault,
  changes: readonly StoredChange[],
): Promise<ReadonlySet<ChangeId>> {
  const undoing = changes.flatMap(({ id, undoneBy }) => (undoneBy === undefined ? id : []));
  if (undoing.length === 0) return new Set();
  const page = { limit: limits.feedChangesMax, offset: 0 };
  const { items } = await vault.history.changes({ undoing, undone: false }, page);
  return new Set(items.flatMap(({ partly = [] }) => partly));
}

function whoUndid({
  timeMs,
  door,
  client,
  undoes = [],
}: StoredChange): NonNullable<FeedChange['undone']> {
  return { timeMs, door, ...(client === undefined ? {} : { client }), changes: undoes.length };
}

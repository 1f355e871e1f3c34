import type { ChangeName } from './change-name.ts';
import { groupedNumber } from './grouped-number.ts';
import type { VaultFolder } from './vault-path.ts';

/** The ways into the program. History records through which one a change came. */
export type Door = 'cli' | 'mcp-stdio' | 'mcp-http' | 'bridge' | 'remote' | 'console';

/** What a tool does to the vault: it reads, changes, or deletes and undoes. */
export type Effect = 'read' | 'write' | 'destroy';

/**
 * What a caller may do. With `propose` it may ask for the effects that it lacks: the change is
 * planned and kept as a proposal, and made when the owner accepts it.
 */
export type Right = Effect | 'propose';

/** The toolsets that servers offer. */
export const servedToolsets = ['notes', 'obsidian', 'agent'] as const;
export type ServedToolset = (typeof servedToolsets)[number];

/** What a caller may do, and where. */
export interface Scopes {
  readonly effects: readonly Right[];
  /** The folders that the caller sees; `['']` is the whole vault. */
  readonly folders: readonly VaultFolder[];
  /** Globs of paths that are hidden from the caller, as if they did not exist. */
  readonly hide: readonly string[];
  /** Tags (without `#`) and properties (`key=value`) that hide the notes which have them. */
  readonly hideTags?: readonly string[];
  readonly hideProperties?: readonly string[];
  /**
   * How many files the caller may delete or overwrite whole within `limits.brakeMs` before the owner
   * is asked; without a limit when absent.
   */
  readonly brakeFiles?: number;
}

/** Who makes a call, and under which conditions. Every call carries one. */
export interface Caller {
  readonly door: Door;
  /** The client program, as it names itself; history records it. */
  readonly client?: string;
  /** An id of the connection; absent where calls do not belong to one. */
  readonly connection?: string;
  /**
   * The connection whose client shows the view that makes this call. The call is not one of that
   * connection, but the brake counts both together.
   */
  readonly viewOf?: string;
  /**
   * The name of the vault that is meant; absent where there is only one, or where the call's
   * arguments name it.
   */
  readonly vault?: string;
  /** The name of the vault to take where several could be meant: the caller works in its folder. */
  readonly prefers?: string;
  readonly scopes: Scopes;
  /** The id of the token or grant that the caller came with, never the token itself. */
  readonly token?: string;
  /** The number that the client gave this request; absent where its protocol has none. */
  readonly request?: string;
  /** By this a repeated call is known again; only in a cluster. The change that it makes keeps it. */
  readonly callKey?: string;
  /** Aborts when the call is cancelled or its deadline passes. */
  readonly signal: AbortSignal;
  /** Whether the caller asks for nothing more: the call goes on, but does not wait for a person. */
  readonly hasLeft?: () => boolean;
  /** How long the whole call may take. */
  readonly deadlineMs: number;
  /** How long the call waits for the index; `limits.indexWaitMs` if absent. */
  readonly indexWaitMs?: number;
  readonly progress?: (progress: Progress) => void;
  /**
   * Called when the call's change can no longer be cancelled: it will be finished even after the
   * deadline. `change` is its name in the history.
   */
  readonly onCommit?: (change: ChangeName) => void;
  /** Called when that change did not happen after all: a file had changed, or the disk refused. */
  readonly onTakenBack?: () => void;
  /**
   * Asks the person behind the caller; absent where the protocol cannot. Some protocols cannot wait
   * for the answer: then this answers "no", and the client repeats the call with the real answer.
   * So ask before anything is done. With `enter` "yes", Enter alone at a terminal means yes.
   */
  readonly ask?: (question: string, enter?: 'yes') => Promise<boolean>;
}

/** How far a long piece of work has come. `total` is absent as long as it is not known. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message: string;
}

/** How much of a whole is done, in words: `1,200 of 7,770`. */
export function outOf(done: number, total: number): string {
  return `${groupedNumber(done)} of ${groupedNumber(total)}`;
}

/** The scopes of the person at the shell, who sees everything and may do everything. */
export const allScopes: Scopes = {
  effects: ['read', 'write', 'destroy'],
  folders: [''],
  hide: [],
};

/** Someone who came in through HTTP and whose token, if one is needed, was accepted. */
export interface Visitor {
  readonly scopes: Scopes;
  /** The id of the token or grant, never the token itself; absent where none is needed. */
  readonly token?: string;
  /** The toolsets that this token or grant is for; absent for those of the server. */
  readonly tools?: readonly ServedToolset[];
  /** The keys (number and name) of the vaults of a cluster that this token is for; absent for all. */
  readonly vaults?: readonly string[];
  /** The network address that the visitor comes from. */
  readonly address: string;
  /** Whether the address is that of the visitor's machine, not that of a proxy. */
  readonly isDirect?: boolean;
}

/** Whether the id in `Visitor.token` is that of a grant: of a client that has signed in. */
export function isGrantId(id: string): boolean {
  return /^g[0-9a-f]{16}$/.test(id);
}

/** Every right that a token can have. */
export const rights: readonly Right[] = ['read', 'write', 'destroy', 'propose'];

/** How far a caller with these rights may go: make a change of this kind, or propose it. */
export function rightTo(effect: Effect, rights: readonly Right[]): 'do' | 'propose' | undefined {
  if (rights.includes(effect)) return 'do';
  return effect !== 'read' && rights.includes('propose') ? 'propose' : undefined;
}

/**
 * The rights of someone who is limited twice, such as by a token and by the server's options: for
 * each kind of change the lesser of both. One combination cannot be said with these rights: who may
 * propose to write, but not even propose to delete, gets `propose` for both. The owner decides then.
 */
export function commonRights(some: readonly Right[], others: readonly Right[]): readonly Right[] {
  const common = some.filter((right) => right !== 'propose' && others.includes(right));
  const isProposed = (effect: Effect): boolean =>
    !common.includes(effect) && [some, others].every((rights) => rightTo(effect, rights));
  return changing.some(isProposed) ? [...common, 'propose'] : common;
}

const changing: readonly Effect[] = ['write', 'destroy'];

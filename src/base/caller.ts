import type { VaultFolder } from './vault-path.ts';

/** The ways into the program. History records which one a change came through. */
export type Door = 'cli' | 'mcp-stdio' | 'mcp-http' | 'bridge' | 'remote';

/** What a caller may do, and where. */
export interface Scopes {
  readonly effects: readonly ('read' | 'write' | 'destroy')[];
  /** The folders it sees; `['']` is the whole vault. */
  readonly folders: readonly VaultFolder[];
  /** Globs of paths that do not exist for it. */
  readonly hide: readonly string[];
}

/** Who is calling. Every call carries one; nothing else tells callers apart. */
export interface Caller {
  readonly door: Door;
  readonly client?: string;
  readonly connection?: string;
  /** The vault that it means, by its name; absent where there is one, or what it asks for tells. */
  readonly vault?: string;
  readonly scopes: Scopes;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** How long it waits for the index; `limits.indexWaitMs` unless it has nothing else to do. */
  readonly indexWaitMs?: number;
  readonly progress?: (progress: Progress) => void;
  /**
   * Told when a change can no longer be called off, with its number in history: it will be finished
   * whatever the deadline.
   */
  readonly onCommit?: (change: number) => void;
  /** Told when that change did not happen after all: a file had changed, or the disk refused. */
  readonly onTakenBack?: () => void;
  /**
   * Asks the person behind the caller; absent where the protocol cannot. May answer "no" only
   * because the answer comes with the call's repetition, so it is asked before anything is done.
   */
  readonly ask?: (question: string) => Promise<boolean>;
}

/** How far a long piece of work is. `total` is absent while it is not known. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message: string;
}

/** Sees and may do everything: the person at the shell. */
export const allScopes: Scopes = {
  effects: ['read', 'write', 'destroy'],
  folders: [''],
  hide: [],
};

import type { Scopes } from './caller.ts';

/** Someone who came in through HTTP, after everything that can be refused was. */
export interface Visitor {
  /** What it may do, and where. */
  readonly scopes: Scopes;
  /** The id of the token it came with; absent where none is asked for. Never the token itself. */
  readonly token?: string;
  /** Where it comes from, for counting: an address of the network. */
  readonly address: string;
}

import type { RemotePlace } from './remote-case.ts';

/** A change as a subscriber is told of it: what happened, and to which path. */
export type Told = `${'created' | 'modified' | 'deleted'} ${string}`;

/** Something that is done to the vault: a call of the protocol, or from outside. */
export type Doing =
  | readonly [method: string, params: Readonly<Record<string, unknown>>]
  | ((place: Pick<RemotePlace, 'vault' | 'outside'>) => void);

/** One row of section 3: what is done, and all that a subscriber is told, in any order that a client can apply. */
export interface RemoteEventCase {
  readonly row: string;
  readonly better?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What is watched: everything, unless said otherwise. */
  readonly watched?: { readonly path: string; readonly recursive?: boolean };
  /** One after the other; each is told of before the next. */
  readonly doing: readonly { readonly what: Doing; readonly told: readonly Told[] }[];
}

import type { VaultError } from '../base/vault-error.ts';

/** A piece of an answer as MCP and Bridge v1 carry it. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  /** What programs may want and models need not read: the path and the version of a note. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** How a call ended. Calls never reject: a failure is an outcome like any other. */
export type Outcome =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly content: readonly TextContent[];
      readonly structured?: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly error: VaultError; readonly content: readonly TextContent[] };

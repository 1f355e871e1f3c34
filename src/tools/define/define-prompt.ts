import type { BoundVault } from '../../engine/vault/bound-vault.ts';

/** What an argument names, so that it can be completed; `text` is anything, which cannot. */
export type PromptArgumentKind = 'note' | 'heading' | 'tag' | 'vault' | 'text';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** A `heading` belongs to the note that the argument `name` names. */
  readonly kind: PromptArgumentKind;
}

/** What every call that a text tells to make needs beside its own arguments. */
export interface WhichVault {
  /** The vault that is meant; absent where there is only one. */
  readonly vault?: string;
}

/** A text that a person puts into a conversation by its name. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly run: (
    vault: BoundVault,
    args: Readonly<Record<string, string>>,
    which: WhichVault,
  ) => Promise<string>;
}

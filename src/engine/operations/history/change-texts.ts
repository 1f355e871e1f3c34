import type { VaultPath } from '../../../base/vault-path.ts';
import type { ChangeId } from '../../ports/state-store.ts';
import type { FileChange } from '../../vault/draft.ts';
import type { FeedChange } from './list-feed.ts';

/** One file of a change with its texts, as far as history has them. */
export interface ChangedText extends FileChange {
  /** A folder that was made, moved or removed. */
  readonly isFolder?: true;
  /** The text before; absent for a new file, and for one that only moved. */
  readonly before?: string;
  /** The text after; absent for a deleted file, and for one that only moved. */
  readonly after?: string;
  /** History has not kept the content before or after: neither is given. */
  readonly lost?: true;
  /** The content is not text: neither is given. */
  readonly binary?: true;
  /** The texts are left out because the answer would be too long; ask for this path alone. */
  readonly more?: true;
  /** The undo that took back this file alone, if the change as a whole is not undone. */
  readonly undoneBy?: ChangeId;
}

/** A change with the texts of its files. */
export interface ChangeTexts extends FeedChange {
  readonly texts: readonly ChangedText[];
  /** How many files are not in `texts` at all. */
  readonly more?: number;
}

export type ChangeTextsRequest = {
  readonly id: ChangeId;
  /** Only the texts of these files. */
  readonly paths?: readonly VaultPath[] | undefined;
};

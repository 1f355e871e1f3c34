import type { VersionStart } from '../../../base/version.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { RenamedPart } from './rename-part.ts';
import { renamePart } from './rename-part.ts';

interface RenameBlockRequest {
  readonly name: NoteName;
  /** The block's id, with or without `^`. */
  readonly block: string;
  readonly newBlock: string;
  readonly force?: boolean;
  readonly version?: VersionStart;
}

/**
 * Gives a block another id, and rewrites every link to it. Fails with `not_found` when the note has
 * no such block, with `already_exists` when another block has the new id, with `invalid_input` when
 * it cannot be an id, and as `renamePart` does.
 */
export function renameBlock(draft: Draft, request: RenameBlockRequest): Promise<RenamedPart> {
  const { block, newBlock } = request;
  return renamePart(draft, request, { block, newBlock });
}

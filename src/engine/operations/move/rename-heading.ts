import type { VersionStart } from '../../../base/version.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { RenamedPart } from './rename-part.ts';
import { renamePart } from './rename-part.ts';

interface RenameHeadingRequest {
  readonly name: NoteName;
  /** The heading, named as `findSection` takes it: its text, a path `A > B`, or `B (2)`. */
  readonly heading: string;
  readonly newHeading: string;
  readonly force?: boolean;
  readonly version?: VersionStart;
}

/**
 * Gives a heading another text, and rewrites every link to it or, through it, to a heading below
 * it. Links to another heading of the same text stay, and so does a block id at the heading's end.
 * Fails with `not_found` or `ambiguous` when the names do not lead to one note and one heading, with
 * `invalid_input` when the new text cannot be a heading, and as `renamePart` does.
 */
export function renameHeading(draft: Draft, request: RenameHeadingRequest): Promise<RenamedPart> {
  const { heading, newHeading } = request;
  return renamePart(draft, request, { heading, newHeading });
}

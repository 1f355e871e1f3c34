import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { FileState } from './file-history.ts';
import { fileHistory } from './file-history.ts';

/** A file as it is now, and when it was last saved. */
interface FileNow {
  readonly version: Version;
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
}

/** A content that history keeps, from which a file and its conflict copy have both grown. */
interface CommonVersion {
  readonly version: Version;
  readonly bytes: Uint8Array;
  /** When a change wrote it, or found it. */
  readonly timeMs: number;
}

/**
 * Looks in the history of a file for the content that the file and a conflict copy of it have both
 * grown from. What counts as evidence:
 *
 * - One of the two was usually written through Vaultdoor, so that history has it and what it grew
 *   from. Of that side, only contents that are older than it can be meant.
 * - The other side cannot have grown from a content that is younger than its last save. A wrong clock
 *   or a changed time of the file only makes the answer older, or leaves it as it is.
 * - Of the contents that are left, the one that differs least from the other side is meant, and of
 *   several the oldest. An older content is the safer answer: what both sides have in common counts
 *   once, and lines that only one side has are never taken for deleted by the other.
 * - A side that history does not have must still have at least a third of the lines.
 *
 * Undefined when no content stands up to this.
 */
export async function commonVersion(
  vault: BoundVault,
  file: { readonly path: VaultPath; readonly original: FileNow; readonly copy: FileNow },
): Promise<CommonVersion | undefined> {
  const { original, copy } = file;
  const states: FileState[] = [];
  for await (const state of fileHistory(vault, file.path)) {
    states.push(state);
    if (states.length === limits.conflictVersionsMax) break;
  }
  const copyAt = states.findIndex(({ content }) => content === copy.version);
  const originalAt = states.findIndex(({ content }) => content === original.version);
  const other = copyAt === -1 ? copy : original;
  const unknown = [...(copyAt === -1 ? [copy] : []), ...(originalAt === -1 ? [original] : [])];
  let best: (CommonVersion & { readonly apart: number }) | undefined;
  const seen = new Set<Version>();
  for (let at = (copyAt === -1 ? originalAt : copyAt) + 1; at < states.length; at++) {
    const state = states[at];
    if (state === undefined || seen.has(state.content)) continue;
    seen.add(state.content);
    if (copyAt === -1 && beganMs(states, at) > copy.mtimeMs) continue;
    const bytes = await vault.vault.parts.state.content(state.content);
    if (bytes === undefined) continue;
    const apart = await vault.work('linesApart', { before: bytes, after: other.bytes });
    if (apart === undefined) continue;
    const distance = apart.removed + apart.added;
    if (best !== undefined && distance > best.apart) continue;
    if (!(await isKept(vault, bytes, unknown))) continue;
    best = {
      version: state.content,
      bytes,
      timeMs: state.timeMs,
      apart: distance,
    };
  }
  return best;
}

/**
 * The earliest time at which a content can have come to be: when a change wrote it, or, if another
 * program did, when the content before it was last seen.
 */
function beganMs(states: readonly FileState[], at: number): number {
  const state = states[at];
  if (state?.change !== undefined) return state.timeMs;
  return states[at + 1]?.timeMs ?? Number.NEGATIVE_INFINITY;
}

/** Whether each of these texts still has at least a third of the lines of a content. */
async function isKept(
  vault: BoundVault,
  before: Uint8Array,
  sides: readonly FileNow[],
): Promise<boolean> {
  for (const { bytes: after } of sides) {
    const apart = await vault.work('linesApart', { before, after });
    if (apart === undefined || 3 * apart.removed > 2 * apart.lines) return false;
  }
  return true;
}

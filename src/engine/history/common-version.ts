import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { Turns } from '../vault/turns.ts';
import type { FileState } from './file-history.ts';
import { fileHistory } from './file-history.ts';

/** A file as it is now, and when it was last saved. */
interface FileNow {
  readonly version: Version;
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
}

/** A content that history keeps, from which a file and its conflict copy have both grown. */
export interface CommonVersion {
  readonly version: Version;
  readonly bytes: Uint8Array;
  /** When a change wrote it, or found it. */
  readonly timeMs: number;
  /**
   * The side that may never have had some lines of it: another program wrote it, and history has
   * nothing older that would show which lines were new.
   */
  readonly doubts?: 'original' | 'copy';
}

/**
 * Looks in the history of a file for the content that the file and a conflict copy of it have both
 * grown from. What counts as evidence:
 *
 * - A content that a change wrote has grown from the one that the change found.
 * - A content that another program wrote (a sync program may have replaced the file by what grew on
 *   another machine) has grown from the content that it differs least from, of several the oldest.
 *   That holds for the file as it is now, too.
 * - The copy has grown from the same contents if history has it. Otherwise it has grown from that
 *   ancestor of the file from which it differs least, of several the oldest, and not from one that is
 *   younger than its last save. A wrong clock only makes the answer older, or leaves it as it is.
 * - Whatever has grown from another content still has at least a third of its lines.
 *
 * An older content is the safer answer: what both sides have in common counts once, and a line that
 * only one side has is not taken for deleted by the other. Undefined when no content stands up to
 * this.
 */
export async function commonVersion(
  vault: BoundVault,
  file: { readonly path: VaultPath; readonly original: FileNow; readonly copy: FileNow },
): Promise<CommonVersion | undefined> {
  const { original, copy } = file;
  const kept = await keptContents(vault, file.path);
  const turns = new Turns(vault);
  const copyAt = kept.findIndex(({ version }) => version === copy.version);
  let originalAt = kept.findIndex(({ version }) => version === original.version);
  if (originalAt === -1) {
    originalAt = kept.push({ ...(await withLines(vault, original)), at: -1 }) - 1;
  }
  const ancestors = await ancestorsOf(kept, originalAt, turns);
  const candidates =
    copyAt === -1
      ? ancestors.filter(({ beganMs = Number.POSITIVE_INFINITY }) => beganMs <= copy.mtimeMs)
      : common(ancestors, await ancestorsOf(kept, copyAt, turns));
  const other = copyAt === -1 ? await withLines(vault, copy) : kept[originalAt];
  const found = other && (await nearest(candidates, other, turns));
  const bytes = found && (await vault.vault.parts.state.content(found.version));
  if (found === undefined || bytes === undefined) return undefined;
  const isFirst = found.by === undefined && found === ancestors.at(-1);
  return {
    version: found.version,
    bytes,
    timeMs: found.timeMs ?? 0,
    ...(isFirst ? { doubts: copyAt === -1 ? 'copy' : 'original' } : {}),
  };
}

/** A content, and what is known of it. */
interface Content {
  readonly version: Version;
  /** Its lines as `lineHashes` answers them; absent when it is not kept, or no text. */
  readonly lines?: Uint32Array | undefined;
  readonly timeMs?: number;
  /** The earliest time at which it can have come to be. */
  readonly beganMs?: number;
  /** Whether a change wrote it, as a new file or in place of the next older content. */
  readonly by?: 'creation' | 'change';
  /** Its place in history: 0 is the newest. */
  readonly at: number;
}

/** The latest contents that history has of a file, the newest first. */
async function keptContents(vault: BoundVault, path: VaultPath): Promise<Content[]> {
  const states: FileState[] = [];
  for await (const state of fileHistory(vault, path)) {
    states.push(state);
    if (states.length === limits.conflictVersionsMax) break;
  }
  const kept: Content[] = [];
  let lines = 0;
  for (const [at, { content: version, timeMs, change }] of states.entries()) {
    if (lines > limits.conflictLinesMax) break;
    if (version === undefined) continue;
    const bytes = await vault.vault.parts.state.content(version);
    const hashes = bytes && (await vault.work('lineHashes', { bytes }));
    lines += hashes?.length ?? 0;
    const isNew = change?.steps.some(
      (step) =>
        step.do === 'write' && step.after === version && !step.before && step.from === undefined,
    );
    kept.push({
      version,
      lines: hashes,
      timeMs,
      // Another program wrote it after the content before it was last seen.
      beganMs: change ? timeMs : (states[at + 1]?.timeMs ?? Number.NEGATIVE_INFINITY),
      ...(change === undefined ? {} : { by: isNew ? 'creation' : 'change' }),
      at,
    });
  }
  return kept;
}

async function withLines(
  vault: BoundVault,
  { version, bytes }: Pick<FileNow, 'version' | 'bytes'>,
): Promise<Content> {
  return { version, lines: await vault.work('lineHashes', { bytes }), at: -1 };
}

/** The contents that one of them has grown from, one after the other. */
async function ancestorsOf(
  kept: readonly Content[],
  from: number,
  turns: Turns,
): Promise<readonly Content[]> {
  const ancestors: Content[] = [];
  let content = kept[from];
  while (content !== undefined) {
    const { at, by }: Content = content;
    const older: readonly Content[] = kept.filter((each) => each.at > at);
    if (by === 'creation') content = undefined;
    else content = by === 'change' ? older[0] : await nearest(older, content, turns);
    if (content !== undefined) ancestors.push(content);
  }
  return ancestors;
}

function common(some: readonly Content[], others: readonly Content[]): readonly Content[] {
  return some.filter(({ at }) => others.some((other) => other.at === at));
}

/**
 * The content from which another differs least, of several the oldest, if that has at least a third
 * of its lines; `from` is in the order of history.
 */
async function nearest(
  from: readonly Content[],
  { lines: other }: Content,
  turns: Turns,
): Promise<Content | undefined> {
  let found: Content | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const content of other === undefined ? [] : from) {
    if (content.lines === undefined || other === undefined) continue;
    await turns.next();
    const { removed, added } = linesApart(content.lines, other);
    if (removed + added > least || 3 * removed > 2 * content.lines.length) continue;
    found = content;
    least = removed + added;
  }
  return found;
}

/** How many lines of a text another one lacks, and how many it has more; both are sorted. */
function linesApart(
  before: Uint32Array,
  after: Uint32Array,
): { readonly removed: number; readonly added: number } {
  let [a, b, same] = [0, 0, 0];
  while (a < before.length && b < after.length) {
    const [old = 0, put = 0] = [before[a], after[b]];
    if (old === put) same++;
    if (old <= put) a++;
    if (put <= old) b++;
  }
  return { removed: before.length - same, added: after.length - same };
}

import { limits } from '../../base/limits.ts';
import { isInside, trashFolder, type VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { askerKey, askerOf } from '../decide/asker.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { ChangeStep, DestroyedFile, StoredChange } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/** A file that a plan deletes, puts into the trash or overwrites whole; or such a folder. */
interface DestroyedPath extends DestroyedFile {
  readonly path: VaultPath;
  /** Whether another content takes its place; otherwise it is deleted. */
  readonly overwritten: boolean;
}

/** What steps destroy, each path once; folders that go into the trash with all their files. */
export function destroyedIn(steps: readonly ChangeStep[]): readonly DestroyedPath[] {
  const found = new Map<VaultPath, DestroyedPath>();
  for (const step of steps) {
    const destroyed = destroyedBy(step);
    if (destroyed !== undefined) found.set(destroyed.path, destroyed);
  }
  return Array.from(found.values());
}

/** How many files those are. */
export function countDestroyed(destroyed: readonly DestroyedFile[]): number {
  return destroyed.reduce((sum, { files }) => sum + files, 0);
}

/** The same for history, which keeps the versions of the first of them only. */
export function destroyedForHistory(destroyed: readonly DestroyedPath[]): readonly DestroyedFile[] {
  const first = destroyed
    .slice(0, limits.brakeVersionsMax)
    .map(({ path: _, overwritten: __, ...file }) => file);
  const more = countDestroyed(destroyed.slice(limits.brakeVersionsMax));
  return more === 0 ? first : [...first, { files: more }];
}

/**
 * Which files those are, and which content they have: when this differs, the plan would destroy
 * something else.
 */
export function destroyedContents(
  destroyed: readonly DestroyedPath[],
  plan: Pick<ChangePlan, 'seen'>,
): readonly string[] {
  return destroyed
    .map((each) => JSON.stringify([each.path, contentOf(each, plan), each.files]))
    .toSorted();
}

/** Which content a file has: its version, or the stamp of one that was not read. */
export function contentOf(
  { path, before }: DestroyedPath,
  { seen }: Pick<ChangePlan, 'seen'>,
): string | undefined {
  return before ?? seen.get(path)?.stat.stamp;
}

/**
 * Whether taking a change back destroys something: when someone else has made it or another
 * connection, also one with the same token, and when it is an undo itself, so that its caller's
 * earlier change is made again.
 */
export function isDestructiveToUndo({ caller }: BoundVault, change: StoredChange): boolean {
  const isUndo = (change.undoes ?? []).length > 0;
  const [author, undoer] = [askerOf(change), askerOf(caller)];
  const isOwn = author.connection === undoer.connection && askerKey(author) === askerKey(undoer);
  return isUndo || !isOwn;
}

function destroyedBy(step: ChangeStep): DestroyedPath | undefined {
  const { path } = step;
  const isTrashed = 'to' in step && isInside(step.to, trashFolder);
  switch (step.do) {
    case 'delete':
      return { path, overwritten: false, ...versionBefore(step.before), files: 1 };
    case 'write':
      // A file that is written into the trash instead of moved there; see `Place` in `planChange`.
      if (step.from !== undefined && isInside(path, trashFolder)) {
        return { path: step.from, overwritten: false, before: step.after, files: 1 };
      }
      if (step.whole !== true) return undefined;
      // Only a text that the caller gave is its own, not a file that comes from elsewhere.
      return {
        path,
        overwritten: true,
        ...versionBefore(step.before),
        ...(step.from === undefined ? { after: step.after } : {}),
        files: 1,
      };
    case 'move':
      if (step.over !== undefined) {
        const before = step.over === 'unkept' ? undefined : step.over;
        return { path: step.to, overwritten: true, ...versionBefore(before), files: 1 };
      }
      return isTrashed
        ? { path, overwritten: false, ...versionBefore(step.version), files: 1 }
        : undefined;
    case 'cut':
      return step.whole === true ? { path, overwritten: true, files: 1 } : undefined;
    case 'moveFolder':
      return isTrashed ? { path, overwritten: false, files: step.files ?? 1 } : undefined;
    default:
      return undefined;
  }
}

function versionBefore(before: Version | undefined): Pick<DestroyedFile, 'before'> {
  return before === undefined ? {} : { before };
}

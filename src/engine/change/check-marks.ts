import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { checkAllowed } from '../decide/decide.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { MarkedText } from '../ports/note-work.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import { decodeText } from '../text/scan-file.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/**
 * Fails with `forbidden` when a planned change would touch a note that marks hide from the caller, or
 * would add such a mark to a note: only who is not limited by marks adds and removes them. Looks at
 * the contents themselves, so that it holds for notes that the index has not looked at yet. Costs
 * nothing for callers without marks.
 */
export async function checkMarks(vault: BoundVault, plan: ChangePlan): Promise<void> {
  const { marks } = vault.view();
  if (marks === undefined) return;
  const kept = new Map(plan.contents.map(({ version, bytes }) => [version, bytes]));
  const read = (path: VaultPath, version: Version | undefined): Uint8Array | undefined =>
    plan.seen.get(path)?.bytes ?? (version && kept.get(version));
  for (const step of plan.steps) {
    const texts = await textsOf(vault, { bytes: plan.bytes, read }, step);
    if (texts?.before === undefined && texts?.after === undefined) continue;
    const { had, added } = await vault.work('changedMarks', texts.before, texts.after, marks);
    // That a mark would go, or stay, is not said: the caller may not know of the note.
    checkAllowed(vault.caller, {
      unseen: had.length > 0 ? 'files' : undefined,
      marks: added.length > 0 ? 'added' : undefined,
    });
  }
}

/** The contents that a plan writes, by token, and those that it has read. */
interface PlanContents {
  readonly bytes: ChangePlan['bytes'];
  readonly read: (path: VaultPath, version: Version | undefined) => Uint8Array | undefined;
}

/** The file that a step is about, before and after it; undefined where no note is concerned. */
async function textsOf(
  vault: BoundVault,
  { bytes: written, read }: PlanContents,
  step: ChangeStep,
): Promise<
  | {
      readonly before: MarkedText | undefined;
      readonly after: MarkedText | undefined;
    }
  | undefined
> {
  const isNote = (path: VaultPath): boolean => fileKind(path) === 'note';
  const textAs = (path: VaultPath, bytes: Uint8Array | undefined): MarkedText | undefined =>
    bytes === undefined || !isNote(path) ? undefined : { text: decodeText(bytes), kind: 'note' };
  const { path } = step;
  // A symlink with another name may lead to a note.
  const at = ('leadsTo' in step && !isNote(path) ? step.leadsTo : undefined) ?? path;
  switch (step.do) {
    case 'write': {
      const before = step.before === undefined ? undefined : read(path, step.before);
      return { before: textAs(at, before), after: textAs(at, written.get(step.token)) };
    }
    case 'delete':
      return { before: textAs(at, read(path, step.before)), after: undefined };
    case 'move': {
      if (!isNote(path) && !isNote(step.to)) return undefined;
      const bytes =
        read(path, step.version) ??
        (await vault.vault.parts.disk.read(path, { bytesMax: limits.noteBytesMax })).bytes;
      return { before: textAs(path, bytes), after: textAs(step.to, bytes) };
    }
    default:
      return undefined;
  }
}

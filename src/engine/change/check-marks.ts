import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { MarkedText } from '../ports/note-work.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import { decodeText } from '../text/scan-file.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { outOfSight } from '../vault/not-found.ts';

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
    if (texts === undefined) continue;
    const { had, added } = await vault.work('changedMarks', texts.before, texts.after, marks);
    if (had.length > 0) throw outOfSight();
    const [mark] = added;
    if (mark !== undefined) throw mayNotMark(texts.path, mark);
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
      readonly path: VaultPath;
      readonly before: MarkedText | undefined;
      readonly after: MarkedText | undefined;
    }
  | undefined
> {
  const isNote = (path: VaultPath): boolean => fileKind(path) === 'note';
  const textAs = (path: VaultPath, bytes: Uint8Array | undefined): MarkedText | undefined =>
    bytes === undefined || !isNote(path) ? undefined : { text: decodeText(bytes), kind: 'note' };
  const { path } = step;
  switch (step.do) {
    case 'write': {
      if (!isNote(path)) return undefined;
      const before = step.before === undefined ? undefined : read(path, step.before);
      const after = written.get(step.token);
      return { path, before: textAs(path, before), after: textAs(path, after) };
    }
    case 'delete':
      if (!isNote(path)) return undefined;
      return { path, before: textAs(path, read(path, step.before)), after: undefined };
    case 'move': {
      if (!isNote(path) && !isNote(step.to)) return undefined;
      const bytes =
        read(path, step.version) ??
        (await vault.vault.parts.disk.read(path, { bytesMax: limits.noteBytesMax })).bytes;
      return { path: step.to, before: textAs(path, bytes), after: textAs(step.to, bytes) };
    }
    default:
      return undefined;
  }
}

function mayNotMark(path: VaultPath, mark: string): VaultError {
  return new VaultError(
    'forbidden',
    `"${path}" would have ${mark}, and notes with that are private: only the owner of the vault marks a note as private, or takes the mark away. Nothing was changed.`,
    { details: { path, mark } },
  );
}

import { limits } from '../../base/limits.ts';
import { type PathKey, pathKey } from '../../base/vault-path.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { ChangeReport, Draft } from '../vault/draft.ts';
import type { Planned } from './change-report.ts';
import type { OwnersSay } from './owners-say.ts';

/** A change that was asked for. */
export interface AskedChange<Result extends object = object> {
  readonly vault: BoundVault;
  /** Plans it on a draft, and returns what the operation answers. */
  readonly plan: (draft: Draft) => Promise<Result>;
  readonly say: OwnersSay;
}

/** A change that was asked for, and its plan. */
export interface PlannedAsk {
  readonly asked: WaitingChange;
  readonly planned: Planned<object>;
}

/** A change that waits for its turn. */
export class WaitingChange implements AskedChange {
  readonly vault: BoundVault;
  readonly plan: AskedChange['plan'];
  readonly say: OwnersSay;
  /** Its answer, or its failure. */
  readonly made: Promise<object & ChangeReport>;
  readonly #settle: (made: Promise<object & ChangeReport>) => void;

  constructor({ vault, plan, say }: AskedChange) {
    this.vault = vault;
    this.plan = plan;
    this.say = say;
    let settle: (made: Promise<object & ChangeReport>) => void = () => undefined;
    this.made = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
  }

  /** Answers as the promise does. Resolves when that is settled, and never rejects. */
  async settle(made: Promise<object & ChangeReport>): Promise<void> {
    this.#settle(made);
    await made.catch(() => undefined);
  }
}

/**
 * Says which changes can be committed together. Each replaces the content of one file, and no file that
 * one has looked at is touched by another: so nothing that one was planned with changes by another, and
 * after a crash the disk shows of each alone whether it happened. What depends on the index, the
 * history, the brake or the owner is left out: these have to know of every change before.
 */
export class GroupRoom {
  readonly #files = new Set<PathKey>();
  #changes = 0;
  #bytes = 0;

  get isFull(): boolean {
    return this.#changes >= limits.groupChangesMax;
  }

  /** Takes a change into the group, and answers whether it fits. */
  take({ vault, say }: AskedChange, planned: Planned<object>): boolean {
    const { contents, seen } = planned.change;
    const bytes = contents.reduce((sum, content) => sum + content.bytes.length, 0);
    const files = Array.from(seen.keys(), pathKey);
    if (this.isFull || this.#bytes + bytes > limits.groupContentBytesMax) return false;
    if (files.some((file) => this.#files.has(file))) return false;
    if (vault.call.accepts !== undefined || !replacesOneFile(planned)) return false;
    if (say.destroys(planned.change).destroys !== undefined) return false;
    for (const file of files) this.#files.add(file);
    this.#changes++;
    this.#bytes += bytes;
    return true;
  }
}

/** Whether a plan does nothing but to replace the content of one file that is no symlink. */
function replacesOneFile({ draft, change }: Planned<object>): boolean {
  const [step, ...more] = change.steps;
  if (step?.do !== 'write' || more.length > 0 || change.free.length > 0) return false;
  const { before, entry, leadsTo, from } = step;
  const isPlain = [entry, leadsTo, from].every((each) => each === undefined);
  // What a raw file tool needs to know of other names.
  const names = (change.kinds?.size ?? 0) + (change.nameCounts?.size ?? 0);
  const isIndependent = draft.plannedAfter === undefined && names === 0;
  return before !== undefined && isPlain && isIndependent && draft.undone.length === 0;
}

import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import { askerKey, askerOf } from '../decide/asker.ts';
import { decide } from '../decide/decide.ts';
import { draftDiff, overwritingDiff } from '../draft/draft-diff.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import type { VaultDraft } from '../draft/vault-draft.ts';
import type { ProposedPlan } from '../ports/proposals.ts';
import type { NewQuestion, Question, QuestionId, Standing } from '../ports/questions.ts';
import type { NewChange } from '../ports/state-store.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { ProposedChange } from '../vault/proposed-change.ts';
import type { VaultParts } from '../vault/vault-parts.ts';
import {
  contentOf,
  countDestroyed,
  destroyedContents,
  destroyedForHistory,
  destroyedIn,
} from './destroyed-files.ts';
import { basisOf, isSameBasis } from './plan-basis.ts';
import { isSameEdit } from './same-edit.ts';

/**
 * Thrown when a plan cannot be carried out now. The writer lets it leave the queue of changes, and
 * then calls `OwnersSay.settle`, so that other changes do not wait for a person.
 */
export class HeldPlan extends Error {
  readonly matter: Matter;

  constructor(matter: Matter) {
    super('The plan waits for the owner.');
    this.matter = matter;
  }
}

type Matter =
  | { readonly is: 'question'; readonly asked: NewQuestion }
  | { readonly is: 'proposal' | 'other plan'; readonly plan: ProposedPlan };

/** A plan with the draft it was made on. */
interface PlanToCheck {
  readonly draft: VaultDraft;
  readonly change: ChangePlan;
}

/** What the brake knows about a plan: what it has counted, and what has become of its questions. */
interface Braking extends Omit<Standing, 'keeps'> {
  readonly destroys?: number;
  readonly destroyed?: number;
  /** The question that was asked about this very call, unless it was denied. */
  readonly kept?: Question;
}

/** What the owner of the vault has a say in, for one change of one caller. */
export class OwnersSay {
  readonly #parts: VaultParts;
  readonly #vault: BoundVault;
  /** The question that this change has used up, and what it was asked about. */
  #permit: Pick<Question, 'id' | 'argsHash'> | undefined;
  /** Since when the call waits for the owner. */
  #waitsSinceMs: number | undefined;

  constructor(parts: VaultParts, vault: BoundVault) {
    this.#parts = parts;
    this.#vault = vault;
  }

  /** Whether nothing is to be changed: the caller may only propose it, or the owner looks at it. */
  get isProposing(): boolean {
    const { caller, call } = this.#vault;
    if (call.accepts?.isLook === true) return true;
    return call.effect !== undefined && decide(caller, { effect: call.effect }).do === 'propose';
  }

  /**
   * Decides about a plan. Returns when it may be carried out; throws the refusal, or `HeldPlan` when
   * it becomes a proposal, when the owner is to be asked, and when it is another plan than the one
   * that the owner has accepted.
   */
  async check({ draft, change }: PlanToCheck): Promise<void> {
    const { caller, call } = this.#vault;
    await this.#checkAccepted({ draft, change });
    if (call.accepts?.isLook === true) throw new ProposedChange(call.accepts.id);
    const destroyed = destroyedIn(change.steps);
    const destroys = countDestroyed(destroyed);
    const hash = (): string => this.#callHash(destroyedContents(destroyed, change));
    const { kept, ...braking } = await this.#braking(destroys, hash);
    const decision = decide(caller, {
      ...(call.effect === undefined ? {} : { effect: call.effect }),
      ...(call.raw === true ? { atOnce: 'raw' } : {}),
      ...braking,
    });
    switch (decision.do) {
      case 'allow':
        return this.#close(kept);
      case 'refuse':
        throw new VaultError(decision.code, decision.reason);
      case 'propose':
        throw new HeldPlan({ is: 'proposal', plan: await proposedPlan(draft, change) });
      case 'ask': {
        const argsHash = hash();
        if (this.#permit?.argsHash === argsHash) return;
        const named = destroyed.slice(0, limits.questionPathsMax);
        const overwrites = named.filter((each) => each.overwritten).map(({ path }) => path);
        const diff = await overwritingDiff(draft, overwrites);
        throw new HeldPlan({
          is: 'question',
          asked: {
            about: 'brake',
            text: decision.question,
            asker: askerOf(caller),
            askerKey: askerKey(askerOf(caller)),
            tool: call.tool,
            argsHash,
            paths: named.map(({ path }) => path),
            files: destroys,
            overwrites,
            contents: Object.fromEntries(
              named.flatMap((each) => {
                const content = contentOf(each, change);
                return content === undefined ? [] : [[each.path, content]];
              }),
            ),
            ...(braking.deniedMs === undefined ? {} : { denied: true as const }),
            ...(diff === '' ? {} : { diff }),
            timeMs: this.#parts.clock.nowMs(),
          },
        });
      }
    }
  }

  /** What history keeps of a change for the brake; not of one that the owner has accepted. */
  destroys({ steps }: ChangePlan): Pick<NewChange, 'destroys'> {
    const { caller, call } = this.#vault;
    if (caller.scopes.brakeFiles === undefined || call.accepts !== undefined) return {};
    const files = destroyedForHistory(destroyedIn(steps));
    return files.length === 0 ? {} : { destroys: { asker: askerKey(askerOf(caller)), files } };
  }

  /**
   * Fails when the proposal that is being carried out was decided meanwhile. To be called while the
   * commit lock is held, so that no other process accepts the same one.
   */
  async checkOpen(): Promise<void> {
    const { accepts } = this.#vault.call;
    if (accepts === undefined) return;
    const now = await this.#proposals.get(accepts.id, this.#parts.clock.nowMs());
    if (now?.state === 'open') return;
    throw new VaultError('conflict', `${accepts.id} is not open any more.`, {
      details: { proposal: accepts.id, state: now?.state ?? 'gone' },
    });
  }

  /**
   * Does what a held plan needs. Returns when the owner has allowed it, and it is to be planned
   * again; otherwise throws what the call answers.
   */
  async settle({ matter }: HeldPlan): Promise<void> {
    switch (matter.is) {
      case 'proposal':
        return this.#propose(matter.plan);
      case 'other plan':
        return this.#showAgain(matter.plan);
      case 'question':
        return this.#ask(matter.asked);
    }
  }

  /** To be called when the change was not made: its question is then as it was before. */
  async giveBack(): Promise<void> {
    if (this.#permit === undefined) return;
    await this.#questions.giveBack(this.#permit.id).catch(() => undefined);
    this.#permit = undefined;
  }

  /** Throws when a plan is not the one that the owner was shown and has accepted. */
  async #checkAccepted({ draft, change }: PlanToCheck): Promise<void> {
    const { accepts } = this.#vault.call;
    if (accepts === undefined) return;
    const basis = await basisOf(this.#vault, change.steps);
    if (isSameBasis(accepts.basis, basis)) return;
    const plan = { plannedMs: draft.nowMs, diff: await draftDiff(draft), basis };
    if (isSameEdit(accepts, plan, accepts.made ?? [])) return;
    throw new HeldPlan({ is: 'other plan', plan });
  }

  /**
   * What the brake knows; nothing for callers that have none, and for harmless changes. The question
   * about this very call is looked for only when some question of the caller is kept.
   */
  async #braking(destroys: number, hash: () => string): Promise<Braking> {
    const { caller, call } = this.#vault;
    if (destroys === 0 || caller.scopes.brakeFiles === undefined) return {};
    const asker = askerOf(caller);
    const key = askerKey(asker);
    const nowMs = this.#parts.clock.nowMs();
    const sinceMs = nowMs - limits.brakeMs;
    const [destroyed, { keeps = false, ...standing }] = await Promise.all([
      this.#parts.state.destroyedFiles(key, { sinceMs, untilMs: Number.MAX_SAFE_INTEGER }),
      this.#questions.standing({ asker, askerKey: key }, { sinceMs, nowMs }),
    ]);
    const counted = { destroys, destroyed, ...standing };
    if (!keeps) return counted;
    const asked = { asker, tool: call.tool, argsHash: hash() };
    const kept = await this.#questions.kept(asked, nowMs);
    if (kept === undefined) return counted;
    if (kept.answer?.says !== 'deny') return { ...counted, kept };
    // A denied call stays denied as long as its question is kept.
    return { ...counted, deniedMs: Math.max(standing.deniedMs ?? 0, kept.answer.timeMs) };
  }

  /** Closes the question about a call that is made now because it is allowed otherwise. */
  async #close(kept: Question | undefined): Promise<void> {
    if (kept === undefined || !(await this.#questions.close(kept.id))) return;
    await this.giveBack();
    this.#permit = kept;
  }

  async #propose(plan: ProposedPlan): Promise<never> {
    const { caller, call } = this.#vault;
    assert(call.given !== undefined, 'a call that can be proposed has its arguments');
    const { id } = await this.#proposals.add({
      ...plan,
      ...call.given,
      asker: askerOf(caller),
      scopes: caller.scopes,
      tool: call.tool,
      args: call.args,
      timeMs: this.#parts.clock.nowMs(),
    });
    this.#notify('proposal');
    throw new ProposedChange(id);
  }

  async #showAgain(plan: ProposedPlan): Promise<never> {
    const { accepts } = this.#vault.call;
    assert(accepts !== undefined, 'only an accepted proposal is compared with its plan');
    await this.checkOpen();
    await this.#proposals.replan(accepts.id, plan);
    throw new VaultError(
      'conflict',
      `Files of ${accepts.id} have changed since it was planned. It was planned again and nothing was changed; look at the new diff before you accept it.`,
      { details: { proposal: accepts.id, replanned: true } },
    );
  }

  /** Waits for the owner's answer, for a while. Throws unless the owner allows the call. */
  async #ask(asked: NewQuestion): Promise<void> {
    const question = await this.#questions.ask(asked);
    if (question.timeMs === asked.timeMs && question.answer === undefined) this.#notify('question');
    const { answer, id } = await this.#answered(question);
    if (answer === undefined) throw notYet(id);
    if (answer.says === 'deny') throw denied(id, answer.reason);
    // Another call with the same arguments may have used the permission; then a new question is due.
    if (!(await this.#questions.use(id))) throw notYet(id);
    this.#permit = { id, argsHash: asked.argsHash };
  }

  async #answered(question: Question): Promise<Question> {
    const { clock } = this.#parts;
    const { caller } = this.#vault;
    this.#waitsSinceMs ??= clock.nowMs();
    const startMs = this.#waitsSinceMs;
    const waitMs = Math.min(
      limits.ownerWaitMs,
      Math.max(0, caller.deadlineMs - limits.ownerAnswerMs),
    );
    let now: Question | undefined = question;
    while (now.answer === undefined && clock.nowMs() - startMs < waitMs) {
      caller.progress?.({
        done: clock.nowMs() - startMs,
        total: waitMs,
        message: `Waiting for the owner of the vault to answer ${question.id}.`,
      });
      await this.#pause(limits.ownerLookEveryMs);
      if (caller.signal.aborted) throw abortReason(caller.signal);
      now = await this.#questions.get(question.id, clock.nowMs());
      if (now === undefined) return question;
      if (caller.hasLeft?.() === true) break; // The question stays; it can be called again.
    }
    return now;
  }

  /** Waits so long, or until the call is cancelled. */
  #pause(ms: number): Promise<void> {
    const { signal } = this.#vault.caller;
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#parts.timers.after(ms, done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** What an answer holds for: the arguments, and the contents that the owner was asked about. */
  #callHash(destroyed: readonly string[]): string {
    const { input = {} } = this.#vault.call.given ?? {};
    const asked = canonicalJson([input, destroyed]);
    return this.#parts.hash.version(new TextEncoder().encode(asked));
  }

  #notify(kind: 'question' | 'proposal'): void {
    const { client } = this.#vault.caller;
    this.#parts.notice?.waits({ kind, ...(client === undefined ? {} : { client }) });
  }

  get #questions() {
    return this.#parts.questions;
  }

  get #proposals() {
    return this.#parts.proposals;
  }
}

async function proposedPlan(draft: VaultDraft, { steps }: ChangePlan): Promise<ProposedPlan> {
  const basis = await basisOf(draft.vault, steps);
  return { plannedMs: draft.nowMs, diff: await draftDiff(draft), basis };
}

function notYet(id: QuestionId): VaultError {
  return new VaultError(
    'forbidden',
    `The owner of the vault was asked (${id}) and has not answered yet; nothing was changed. Call again with the same arguments once they have agreed.`,
    { details: { question: id, retry: 'same arguments' } },
  );
}

function denied(id: QuestionId, reason = ''): VaultError {
  const why = reason === '' ? '' : ` Their reason: ${reason}`;
  return new VaultError(
    'forbidden',
    `The owner of the vault has denied this (${id}); nothing was changed.${why}`,
    { details: { question: id, answer: 'deny' } },
  );
}

/** JSON in which the order of an object's keys makes no difference. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

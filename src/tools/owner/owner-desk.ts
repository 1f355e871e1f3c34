import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { abortReason, toVaultError, VaultError } from '../../base/vault-error.ts';
import { plannedFiles } from '../../engine/change/plan-basis.ts';
import { askerKey } from '../../engine/decide/asker.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { undoSelection } from '../../engine/operations/history/undo-selection.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { ListedProposal } from '../../engine/ports/proposals.ts';
import type { Question, QuestionAnswer } from '../../engine/ports/questions.ts';
import type { ProposalId } from '../../engine/ports/state-store.ts';
import type { FileChange } from '../../engine/vault/draft.ts';
import { withDeadline } from '../service/with-deadline.ts';
import {
  type Accepted,
  acceptProposal,
  type MadeSoFar,
  type MakeToolset,
  planAgain,
  type ShownProposal,
  shownProposal,
} from './accept-proposal.ts';
import { isOpen, type ShownQuestion, shownQuestion } from './shown-question.ts';

interface OwnerDeskParts {
  readonly source: VaultSource;
  readonly timers: Timers;
  readonly toolset: MakeToolset;
  /** A command to type next, in quotes as part of a sentence. */
  readonly command?: (...words: readonly string[]) => string;
}

/** What the owner says to a question, and whether earlier changes are to be taken back. */
interface OwnersAnswer extends Pick<QuestionAnswer, 'says' | 'reason'> {
  readonly undo?: boolean;
}

/** A question with its answer. */
interface Answered {
  readonly question: Question;
  /** What was taken back; absent when that was not asked for, or there was nothing. */
  readonly undone?: Awaited<ReturnType<typeof undoSelection>>;
  /** Why nothing could be taken back, or not all of it. */
  readonly undoFailure?: VaultError;
}

/** What became of a proposal that the owner wanted to refuse. */
export type Refused =
  | { readonly outcome: 'refused'; readonly id: ProposalId }
  | Extract<Accepted, { readonly outcome: 'decided' | 'failed' }>;

/** Which proposals to list: absent fields say any. */
interface ProposalsWanted {
  readonly open: boolean;
  /** The connection that they came from. */
  readonly session?: string | undefined;
  /** The client's own name, with or without its version: `name` or `name/1.0`. */
  readonly client?: string | undefined;
}

/**
 * Where the owner of one vault decides: answers questions, accepts and refuses proposals. It is for
 * programs that only the owner can run; no tool and no door may reach it. Every `owner` is a caller
 * that may do everything.
 */
export class OwnerDesk {
  readonly #parts: OwnerDeskParts;

  constructor(parts: OwnerDeskParts) {
    this.#parts = parts;
  }

  /** The questions that wait for an answer, or all that are kept; the newest first. */
  async questions({ open }: { readonly open: boolean }): Promise<readonly ShownQuestion[]> {
    const parts = await this.#open();
    const all = await parts.questions.list({ open: false, nowMs: this.#nowMs() });
    const wanted = open ? all.filter(isOpen) : all;
    return Promise.all(wanted.map((each) => shownQuestion(each, { all, parts })));
  }

  /** One question. Fails with `not_found`. */
  async question(id: string): Promise<ShownQuestion> {
    const found = (await this.questions({ open: false })).find((each) => each.id === id);
    if (found) return found;
    throw this.#missing('question', id, limits.questionAgeMaxMs);
  }

  /**
   * Answers a question. With `undo`, which is for `deny`, then also takes back what the brake had
   * counted when it asked: the files that the same client had deleted or overwritten before. Fails
   * with `not_found`, and with `conflict` when a call has used the earlier answer; a permission for
   * the session can still be denied then, which ends it. `once` also fails with `conflict` when a
   * file has changed since the question was asked: the call would be another one.
   */
  async answer(id: string, answer: OwnersAnswer, owner: Caller): Promise<Answered> {
    const { undo = false, says, reason } = answer;
    if (undo && says !== 'deny') {
      throw new VaultError('invalid_input', 'Only what is denied can be taken back too.');
    }
    checkReason(reason);
    const { questions } = await this.#open();
    const asked = await this.question(id);
    const [changed] = asked.changed ?? [];
    if (says === 'once' && changed !== undefined) {
      throw new VaultError(
        'conflict',
        `"${changed}" has changed since ${asked.id} was asked, so allowing it would allow nothing: if the app calls again, it is asked about the file as it is then. Deny it, or wait for the new question.`,
        { details: { question: asked.id, path: changed } },
      );
    }
    const given = { says, ...(reason === undefined ? {} : { reason }), timeMs: this.#nowMs() };
    const question = (await questions.answer(asked.id, given)) ?? asked;
    if (question.answer?.timeMs !== given.timeMs || question.answer.says !== says) {
      throw new VaultError(
        'conflict',
        `${question.id} cannot be answered any more: the call was allowed and has been made; ${this.#command('history')} shows its change, and ${this.#command('undo')} takes it back.`,
        { details: { question: question.id } },
      );
    }
    return undo ? { question, ...(await this.#undoEarlier(question, owner)) } : { question };
  }

  /** How many changes `undo` of an answer would take back now. */
  async earlierChanges(question: Question): Promise<number> {
    return (await destroyedBefore(question, await this.#open())).total;
  }

  /** The proposals that wait for the owner, or all that are kept; the newest first. */
  async proposals(wanted: ProposalsWanted): Promise<readonly ListedProposal[]> {
    const { open, session, client } = wanted;
    const { proposals } = await this.#open();
    const { items } = await proposals.list(
      {
        ...(open ? { state: 'open' as const } : {}),
        ...(session === undefined ? {} : { connection: session }),
        nowMs: this.#nowMs(),
      },
      { limit: 2 * limits.proposalsMax, offset: 0 },
    );
    if (client === undefined) return items;
    return items.filter(
      ({ asker }) => asker.client === client || asker.client?.startsWith(`${client}/`),
    );
  }

  /** One proposal, with its diff. Fails with `not_found`. */
  async proposal(name: string): Promise<ShownProposal> {
    const vault = await this.#parts.source.open();
    const id = idIn(name);
    const { proposals } = vault.parts;
    const found = isId('p', id) && (await proposals.get(id as ProposalId, this.#nowMs()));
    if (found) return shownProposal(vault, found);
    throw this.#missing('proposal', id, limits.proposalAgeMaxMs);
  }

  /**
   * One proposal as it would be made now: when its files have changed, it is planned again, and that
   * plan is the one that is kept. Fails with `not_found`.
   */
  async look(
    name: string,
    owner: Caller,
  ): Promise<{ readonly proposal: ShownProposal; readonly problem?: string }> {
    const proposal = await this.proposal(name);
    if (proposal.state !== 'open') return { proposal };
    const vault = await this.#parts.source.open();
    const problem = await planAgain({ ...this.#parts, vault }, proposal, owner);
    return {
      proposal: await this.proposal(proposal.id),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /**
   * Accepts proposals, in the order in which they were proposed, each on its own: one that fails
   * does not stop the others. One that is named as it was shown (`ShownProposal.shownAs`) is made
   * only if it still has that plan; one that is named by its id, only if it has its first plan: nobody
   * knows whether the owner has seen a later one.
   */
  accept(names: readonly string[], owner: Caller): Promise<readonly Accepted[]> {
    const made: MadeSoFar[] = [];
    return this.#decideEach(names, owner, async (vault, proposal, name) => {
      const { id, shownAs, replanned = false } = proposal;
      const isAsShown = name === shownAs || (name === id && !replanned);
      return isAsShown
        ? acceptProposal({ ...this.#parts, vault, made }, proposal, owner)
        : { outcome: 'replanned', id, proposal };
    });
  }

  /** Refuses proposals, each on its own. Their proposers get to read the reason. */
  refuse(
    names: readonly string[],
    { reason }: { readonly reason?: string | undefined },
    owner: Caller,
  ): Promise<readonly Refused[]> {
    checkReason(reason);
    return this.#decideEach(names, owner, async ({ parts: { proposals } }, { id }) => {
      const decision = { ...(reason === undefined ? {} : { reason }), timeMs: this.#nowMs() };
      if (await proposals.refuse(id, decision)) return { outcome: 'refused', id };
      return { outcome: 'decided', id, proposal: await this.proposal(id) };
    });
  }

  async #decideEach<Decided>(
    names: readonly string[],
    { signal }: Caller,
    decide: (vault: Vault, proposal: ShownProposal, name: string) => Promise<Decided>,
  ): Promise<readonly (Decided | Extract<Accepted, { outcome: 'decided' | 'failed' }>)[]> {
    const vault = await this.#parts.source.open();
    // A process that died after it had made a change may have left a proposal open that is done.
    await vault.writer.recover(signal);
    const decided: (Decided | Extract<Accepted, { outcome: 'decided' | 'failed' }>)[] = [];
    for (const name of inOrder(names)) {
      try {
        if (signal.aborted) throw abortReason(signal);
        const proposal = await this.proposal(name);
        const isOpen = proposal.state === 'open';
        decided.push(
          isOpen
            ? await decide(vault, proposal, name)
            : { outcome: 'decided', id: proposal.id, proposal },
        );
      } catch (error) {
        decided.push({ outcome: 'failed', id: name, error: toVaultError(error) });
      }
    }
    return decided;
  }

  async #undoEarlier(
    question: Question,
    owner: Caller,
  ): Promise<Pick<Answered, 'undone' | 'undoFailure'>> {
    try {
      const vault = await this.#parts.source.open();
      const { total, ids } = await destroyedBefore(question, vault.parts);
      if (ids.length === 0) return {};
      const call = { tool: 'undo', args: { ids }, raw: true, effect: 'destroy' } as const;
      const { timers } = this.#parts;
      const undone = await withDeadline(owner, { timers, writes: true }, (bound) =>
        undoSelection(vault.bind(bound, call), { names: ids }),
      );
      const more = total - ids.length;
      if (more === 0) return { undone };
      const rest = more === 1 ? '1 older change of this app was' : `${more} older ones were`;
      const warning = `${rest} not taken back; "vaultdoor history" shows what is left.`;
      return { undone: { ...undone, warnings: [...undone.warnings, warning] } };
    } catch (error) {
      return { undoFailure: toVaultError(error) };
    }
  }

  async #open(): Promise<Vault['parts']> {
    return (await this.#parts.source.open()).parts;
  }

  #missing(kind: 'question' | 'proposal', id: string, ageMaxMs: number): VaultError {
    const hours = ageMaxMs / 3_600_000;
    const age = hours > 48 ? `${hours / 24} days` : `${hours} hours`;
    const list = this.#command(kind === 'question' ? 'approvals' : 'proposals', 'list', '--all');
    return new VaultError(
      'not_found',
      `There is no ${kind} "${id}" (one is kept for ${age}); ${list} shows which there are.`,
      { details: { id } },
    );
  }

  #command(...words: readonly string[]): string {
    return this.#parts.command?.(...words) ?? `"vaultdoor ${words.join(' ')}"`;
  }

  #nowMs(): number {
    return this.#parts.source.clock.nowMs();
  }
}

/** The changes that the brake had counted when it asked: those after it, the owner has allowed. */
function destroyedBefore({ asker, timeMs }: Question, { state }: Vault['parts']) {
  const span = { sinceMs: timeMs - limits.brakeMs, untilMs: timeMs };
  return state.destroyingChanges(askerKey(asker), span, limits.brakeUndoMax);
}

/** What a proposal would do to each file. */
export function proposedFiles({ basis }: ListedProposal): readonly FileChange[] {
  return plannedFiles(basis);
}

function isId(letter: 'p' | 'q', id: string): boolean {
  return id.startsWith(letter) && /^\d{1,15}$/.test(id.slice(1));
}

/** The id in the name of a proposal, which may say with `@` which plan is meant. */
function idIn(name: string): string {
  const at = name.indexOf('@');
  return at === -1 ? name : name.slice(0, at);
}

/** The names with each id once, lowest number first; what is no id comes last. */
function inOrder(names: readonly string[]): readonly string[] {
  const numberOf = (id: string): number =>
    isId('p', id) ? Number(id.slice(1)) : Number.MAX_SAFE_INTEGER;
  const byId = new Map(names.map((name) => [idIn(name), name]));
  return Array.from(byId)
    .sort(([a], [b]) => numberOf(a) - numberOf(b))
    .map(([, name]) => name);
}

function checkReason(reason = ''): void {
  if (reason.length <= limits.ownerReasonCharsMax) return;
  throw new VaultError(
    'invalid_input',
    `A reason has at most ${limits.ownerReasonCharsMax} characters; this one has ${reason.length}.`,
  );
}

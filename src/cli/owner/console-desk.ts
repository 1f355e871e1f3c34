import { z } from 'zod';
import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { failureFields } from '../../doors/console/console-answers.ts';
import type { OwnAnswers, OwnRequest } from '../../doors/console/console-parts.ts';
import type {
  AnswerAnswer,
  AnswerRequest,
  DecideAnswer,
  DecidedRow,
  DecideRequest,
  ProposalAnswer,
  ProposalRow,
  ProposalsAnswer,
  QuestionRow,
  QuestionsAnswer,
  ShownProposalRow,
} from '../../doors/console/console-wire.ts';
import { checkAllowed } from '../../engine/decide/decide.ts';
import type { ListedProposal } from '../../engine/ports/proposals.ts';
import type { OwnerConfirmation } from '../../oauth/owner/owner-confirmation.ts';
import { type Accepted, type ShownProposal, whyNot } from '../../tools/owner/accept-proposal.ts';
import { proposedFiles, type Refused } from '../../tools/owner/owner-desk.ts';
import { isOpen, type ShownQuestion } from '../../tools/owner/shown-question.ts';
import { filesInOrder } from '../../tools/wording/writing-answer.ts';
import { checkSent } from '../options/check-sent.ts';
import { type TokenNames, withTokenName } from '../vaults/token-names.ts';
import { confirmStep, passkeySiteOf, SentPasskey } from './console-passkeys.ts';
import type { ConsoleDesk, Desk } from './desk-message.ts';

interface ConsoleDeskParts {
  /** The desk of the vault that a caller means. Fails with `invalid_input`. */
  readonly deskOf: (caller: Caller) => ConsoleDesk;
  /** The names of tokens and of clients that have signed in, by their ids. */
  readonly names: () => Promise<TokenNames>;
  /** Asks for a passkey before a stopped client is allowed to go on. */
  readonly confirmation: OwnerConfirmation;
}

type DeskAnswers = Pick<
  OwnAnswers,
  | 'questions'
  | 'answer-question'
  | 'proposals'
  | 'proposal'
  | 'accept-proposals'
  | 'refuse-proposals'
>;

/** The desk of the vault that a request means, and the newest change there. */
interface At {
  readonly desk: Desk;
  readonly names: TokenNames;
  readonly at: number;
}

/** Reasons are one line: they are the owner's words in the answer to a model. */
const Reason = z
  .string()
  .transform((text) => text.replace(/\s+/g, ' ').trim())
  .pipe(z.string().max(limits.consoleReasonCharsMax));
const Answer: z.ZodType<AnswerRequest> = z.strictObject({
  says: z.enum(['once', 'session', 'deny']),
  reason: Reason.exactOptional(),
  undo: z.boolean().exactOptional(),
  passkey: SentPasskey.exactOptional(),
});
const Decision: z.ZodType<DecideRequest> = z.strictObject({
  names: z.array(z.string().max(100)).min(1).max(limits.proposalsMax),
  reason: Reason.exactOptional(),
});

/** Answers what the console asks about questions and proposals. */
export function deskAnswers(parts: ConsoleDeskParts): DeskAnswers {
  const deskFor = async ({ caller }: OwnRequest): Promise<At> => {
    const { desk, latest } = parts.deskOf(caller);
    return { desk, names: await parts.names(), at: await latest() };
  };
  return {
    questions: async (request): Promise<QuestionsAnswer> => {
      const { desk, names, at } = await deskFor(request);
      const all = await desk.questions({ open: false });
      // The oldest first: what is asked later may depend on the answer.
      const open = all
        .filter(isOpen)
        .toReversed()
        .map(async (each) => ({
          ...questionRow(each, names),
          earlier: await desk.earlierChanges(each),
        }));
      return {
        at,
        open: await Promise.all(open),
        decided: all.filter((each) => !isOpen(each)).map((each) => questionRow(each, names)),
        // When that cannot be found out now, the answer fails, and not the list.
        passkey: await parts.confirmation.asks(passkeySiteOf(request.site)).catch(() => 'here'),
      };
    },
    'answer-question': async (request): Promise<AnswerAnswer> => {
      const { says, reason, undo, passkey } = checkSent(Answer, request.body);
      if (says !== 'deny' || undo) checkMayChange(request);
      const { desk, names } = await deskFor(request);
      if (says !== 'deny') {
        const { id } = await desk.question(request.id);
        const about = ['answer', request.caller.vault ?? '', id, says];
        await confirmStep(parts.confirmation, request, { about, passkey });
      }
      const answered = await desk.answer(
        request.id,
        { says, ...(reason ? { reason } : {}), ...(undo === undefined ? {} : { undo }) },
        request.caller,
      );
      const { question, undone, undoFailure } = answered;
      return {
        question: questionRow(question, names),
        ...(undone === undefined ? {} : { undone }),
        ...(undoFailure === undefined ? {} : { undoFailure: failureFields(undoFailure) }),
      };
    },
    proposals: async (request): Promise<ProposalsAnswer> => {
      const { desk, names, at } = await deskFor(request);
      const session = request.query.get('session') ?? undefined;
      const client = request.query.get('client') ?? undefined;
      const all = (await desk.proposals({ open: false, session, client })).map((each) =>
        proposalRow(each, names),
      );
      const waits = ({ state }: ProposalRow): boolean => state === 'open';
      return { at, open: all.filter(waits), decided: all.filter((each) => !waits(each)) };
    },
    proposal: async (request): Promise<ProposalAnswer> => {
      const { desk, names, at } = await deskFor(request);
      const { proposal, problem } = await desk.look(request.id, request.caller);
      const shown = shownRow(proposal, names);
      return { at, proposal: shown, ...(problem === undefined ? {} : { problem }) };
    },
    'accept-proposals': async (request): Promise<DecideAnswer> => {
      checkMayChange(request);
      const wanted = checkSent(Decision, request.body);
      const { desk, names } = await deskFor(request);
      const decided = await desk.accept(wanted.names, request.caller);
      return { results: decided.map((each) => decidedRow(each, names)) };
    },
    'refuse-proposals': async (request): Promise<DecideAnswer> => {
      const wanted = checkSent(Decision, request.body);
      const { desk, names } = await deskFor(request);
      const { reason } = wanted;
      const why = reason ? { reason } : {};
      const decided = await desk.refuse(wanted.names, why, request.caller);
      return { results: decided.map((each) => decidedRow(each, names)) };
    },
  };
}

/** Fails with `forbidden` on a server that only reads. */
function checkMayChange({ caller }: OwnRequest): void {
  checkAllowed(caller, { effect: 'write' });
}

function questionRow(question: ShownQuestion, names: TokenNames): QuestionRow {
  const { askerKey: _, argsHash: __, contents: ___, denied: ____, ...shown } = question;
  const { asker, timeMs, ...rest } = shown;
  const expiresMs = timeMs + limits.questionAgeMaxMs;
  return { ...rest, timeMs, asker: withTokenName(asker, names), expiresMs };
}

function proposalRow(proposal: ListedProposal, names: TokenNames): ProposalRow {
  const { id, state, replanned, timeMs, tool, args, asker, change, reason, decidedMs } = proposal;
  return {
    id,
    state,
    ...(replanned === undefined ? {} : { replanned }),
    timeMs,
    expiresMs: timeMs + limits.proposalAgeMaxMs,
    tool,
    args: args ?? {},
    asker: withTokenName(asker, names),
    files: filesInOrder(proposedFiles(proposal)).map(({ path, did, from }) => ({
      path,
      did,
      ...(from === undefined ? {} : { from }),
    })),
    ...(change === undefined ? {} : { change }),
    ...(reason === undefined ? {} : { reason }),
    ...(decidedMs === undefined ? {} : { decidedMs }),
  };
}

function shownRow(proposal: ShownProposal, names: TokenNames): ShownProposalRow {
  const { shownAs, diff } = proposal;
  return { ...proposalRow(proposal, names), shownAs, diff };
}

/** Why a proposal stays open, for its card: without its id, which the card does not show. */
function whyFailed(error: VaultError): string {
  return error.cause instanceof VaultError ? whyNot(error.cause) : error.message;
}

function decidedRow(decided: Accepted | Refused, names: TokenNames): DecidedRow {
  const { id, outcome } = decided;
  switch (outcome) {
    case 'made': {
      const { change, rest } = decided;
      return { outcome, id, change: change.id, ...(rest ? { rest: rest.message } : {}) };
    }
    case 'replanned':
      return { outcome, id, proposal: shownRow(decided.proposal, names) };
    case 'decided':
      return { outcome, id, proposal: proposalRow(decided.proposal, names) };
    case 'failed':
      return { outcome, id, error: failureFields(decided.error), why: whyFailed(decided.error) };
    default:
      return { outcome, id };
  }
}

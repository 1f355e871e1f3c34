import { limits } from '../../src/base/limits.ts';
import { VaultError } from '../../src/base/vault-error.ts';
import type { NewProposal, Proposal, Proposals } from '../../src/engine/ports/proposals.ts';
import type { AskedCall, Asker, Question, Questions } from '../../src/engine/ports/questions.ts';
import { listed, type OwnerStores } from './owner-stores-contract.ts';

/** Questions and proposals in memory, without SQLite: what the ports say, in its simplest form. */
export function memoryOwnerStores(): OwnerStores {
  const questions = memoryQuestions();
  const proposals: Proposal[] = [];
  let changes = 0;
  return {
    questions,
    proposals: memoryProposals(proposals),
    accept: async (id, timeMs) => {
      const at = proposals.findIndex((one) => one.id === id && one.state === 'open');
      const open = proposals[at];
      if (open === undefined) throw new VaultError('conflict', 'It is not open.');
      changes += 1;
      proposals[at] = { ...open, state: 'accepted', change: changes, decidedMs: timeMs };
      return changes;
    },
  };
}

function isSameAsker(one: Asker, two: Asker): boolean {
  if (one.token !== undefined || two.token !== undefined) return one.token === two.token;
  return one.door === two.door && one.client === two.client;
}

function memoryQuestions(): Questions {
  const all: Question[] = [];
  let given = 0;
  const isKept = ({ timeMs }: Question, nowMs: number) => nowMs - timeMs < limits.questionAgeMaxMs;
  const change = (id: string, more: Partial<Question>, may: (question: Question) => boolean) => {
    const at = all.findIndex((one) => one.id === id && may(one));
    const found = all[at];
    if (found !== undefined) all[at] = { ...found, ...more };
    return found !== undefined;
  };
  const get = (id: string, nowMs: number) => all.find((one) => one.id === id && isKept(one, nowMs));
  const sameCall = (call: AskedCall, nowMs: number) => {
    const same = all.filter(
      (one) =>
        isKept(one, nowMs) &&
        !one.used &&
        isSameAsker(one.asker, call.asker) &&
        one.asker.client === call.asker.client &&
        one.tool === call.tool &&
        one.argsHash === call.argsHash,
    );
    return same.findLast(({ answer }) => answer !== undefined) ?? same.at(-1);
  };
  const isOpen = ({ answer, used }: Question) => answer === undefined && !used;
  return {
    ask: async (question) => {
      const again = sameCall(question, question.timeMs);
      if (again !== undefined) return again;
      const open = all.filter((one) => isKept(one, question.timeMs) && isOpen(one));
      const own = open.filter((one) => isSameAsker(one.asker, question.asker));
      if (open.length >= limits.questionsMax || own.length >= limits.questionsOfOneMax) {
        throw new VaultError('busy', 'Too many wait.', { details: { retryAfterMs: 1 } });
      }
      given += 1;
      const asked: Question = { ...question, id: `q${given}`, used: false };
      all.push(asked);
      return asked;
    },
    get: async (id, nowMs) => get(id, nowMs),
    list: async ({ open, nowMs }) =>
      all.filter((one) => isKept(one, nowMs) && !(open && !isOpen(one))).reverse(),
    answer: async (id, answer) => {
      const endsSession = ({ answer: given }: Question): boolean =>
        answer.says === 'deny' && given?.says === 'session';
      const may = (one: Question): boolean => !one.used || endsSession(one);
      change(id, { answer }, (one) => may(one) && isKept(one, answer.timeMs));
      return get(id, answer.timeMs);
    },
    use: async (id) =>
      change(id, { used: true }, ({ used, answer }) => {
        return !used && answer !== undefined && answer.says !== 'deny';
      }),
    giveBack: async (id) => {
      change(id, { used: false }, () => true);
    },
    kept: async (call, nowMs) => sameCall(call, nowMs),
    close: async (id) =>
      change(id, { used: true }, ({ used, answer }) => !used && answer?.says !== 'deny'),
    standing: async ({ asker, askerKey }, { sinceMs, nowMs }) => {
      const latest = (says: string, isFor: (one: Question) => boolean): number | undefined =>
        all
          .flatMap((one) => (isFor(one) && one.answer?.says === says ? [one.answer.timeMs] : []))
          .filter((timeMs) => timeMs >= sinceMs)
          .toSorted((a, b) => a - b)
          .at(-1);
      const releasedMs = latest('session', (one) => one.askerKey === askerKey);
      const own = all.filter((one) => isSameAsker(one.asker, asker));
      const kept = own.filter((one) => !one.used && isKept(one, nowMs));
      const late = (releasedMs === undefined ? own : [])
        .filter((one) => isOpen(one) && !isKept(one, nowMs))
        .map(({ timeMs }) => timeMs + limits.questionAgeMaxMs)
        .filter((timeMs) => timeMs >= sinceMs);
      const denied = latest('deny', (one) => isSameAsker(one.asker, asker));
      const deniedMs = Math.max(0, denied ?? 0, ...late);
      return {
        ...(releasedMs === undefined ? {} : { releasedMs }),
        ...(deniedMs === 0 ? {} : { deniedMs }),
        ...(kept.some(isOpen) ? { waits: true } : {}),
        ...(kept.length > 0 ? { keeps: true } : {}),
      };
    },
  };
}

function memoryProposals(all: Proposal[]): Proposals {
  let given = 0;
  const isKept = ({ timeMs }: Proposal, nowMs: number) => nowMs - timeMs < limits.proposalAgeMaxMs;
  const isOpen = ({ state }: Proposal) => state === 'open';
  const checkSize = (proposal: NewProposal) => {
    if (bytesOf(proposal) > limits.proposalBytesMax) {
      throw new VaultError('too_large', 'It is too large.');
    }
  };
  const change = (id: string, more: Partial<Proposal>, may: (one: Proposal) => boolean) => {
    const at = all.findIndex((one) => one.id === id && isOpen(one) && may(one));
    const found = all[at];
    if (found !== undefined) all[at] = { ...found, ...more };
    return found !== undefined;
  };
  return {
    add: async (proposal) => {
      checkSize(proposal);
      const open = all.filter((one) => isOpen(one) && isKept(one, proposal.timeMs));
      const own = open.filter((one) => isSameAsker(one.asker, proposal.asker));
      const isFull = (some: readonly NewProposal[], count: number, bytes: number) =>
        some.length >= count ||
        [proposal, ...some].reduce((sum, one) => sum + bytesOf(one), 0) > bytes;
      if (
        isFull(open, limits.proposalsMax, limits.proposalsBytesMax) ||
        isFull(own, limits.proposalsOfOneMax, limits.proposalsOfOneBytesMax)
      ) {
        throw new VaultError('busy', 'Too many wait.', { details: { retryAfterMs: 1 } });
      }
      const decided = all.filter((one) => !isOpen(one)).reverse();
      let total = 0;
      for (const [n, one] of decided.entries()) {
        total += bytesOf(one);
        if (n < limits.proposalsMax && total <= limits.proposalsBytesMax) continue;
        all.splice(all.indexOf(one), 1);
      }
      given += 1;
      const added: Proposal = { ...proposal, id: `p${given}`, state: 'open' };
      all.push(added);
      return added;
    },
    get: async (id, nowMs) => all.find((one) => one.id === id && isKept(one, nowMs)),
    list: async ({ state, asker, connection, sinceMs = 0, nowMs }, { limit, offset }) => {
      const found = all
        .filter(
          (one) =>
            isKept(one, nowMs) &&
            (state === undefined || one.state === state) &&
            (asker === undefined || isSameAsker(one.asker, asker)) &&
            (connection === undefined || one.asker.connection === connection) &&
            (one.decidedMs ?? one.timeMs) >= sinceMs,
        )
        .map(listed)
        .reverse();
      return { total: found.length, items: found.slice(offset, offset + limit) };
    },
    replan: async (id, plan) => {
      const found = all.find((one) => one.id === id);
      if (found !== undefined) checkSize({ ...found, ...plan });
      change(id, { ...plan, replanned: true }, () => true);
    },
    refuse: async (id, { reason, timeMs }) => {
      const more = { state: 'refused', decidedMs: timeMs, ...(reason && { reason }) } as const;
      return change(id, more, (one) => isKept(one, timeMs));
    },
  };
}

function bytesOf(proposal: NewProposal): number {
  const { asker, scopes, toolset, tool, input, settings, plannedMs, diff, basis } = proposal;
  const kept = { asker, scopes, toolset, tool, input, settings, plannedMs, diff, basis };
  return Buffer.byteLength(JSON.stringify(kept));
}

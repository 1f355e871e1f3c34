import { count, numberText } from './counted.ts';

/** The texts of the screen Approvals. */
export const approvalStrings = {
  questions: 'Questions',
  proposals: 'Proposals',
  proposalsMore: 'Changes that a client has planned. Nothing happens until you accept.',
  decided: 'Decided',
  nothingWaits: 'Nothing waits for you',
  nothingWaitsMore:
    'When a client deletes or overwrites a lot, or may only propose changes, you are asked here.',
  waitsForYou: (things: number) =>
    things === 0
      ? 'Nothing waits for you.'
      : `${count(things, 'thing')} ${things === 1 ? 'waits' : 'wait'} for you.`,
  reason: 'Reason, told to the client',
  reasonHint: 'Reason, told to the client (optional)',
  deny: 'Deny',
  denyAndUndo: 'Deny and undo the earlier ones',
  allowOnce: 'Allow this one',
  allowSession: 'Allow this session for 10 minutes',
  answered: (says: 'once' | 'session' | 'deny', undone: number | undefined) =>
    says === 'deny'
      ? `Denied.${undone === undefined ? '' : ` ${count(undone, 'earlier change')} undone.`}`
      : `Allowed. The client has to call again.`,
  ifNobody: (asked: string, until: string) =>
    `Asked ${asked}. If nobody answers, nothing happens; the question stays until ${until}.`,
  andFiles: (files: number) => `and ${count(files, 'more file')}`,
  choose: (id: string) => `Choose ${id}`,
  chooseSession: (proposals: number, first: string) =>
    `Choose the ${numberText(proposals)} of the session of ${first}`,
  accept: 'Accept',
  acceptSome: (proposals: number) => `Accept ${numberText(proposals)}`,
  refuse: 'Refuse',
  refuseSome: (proposals: number) => `Refuse ${numberText(proposals)}`,
  refuseTitle: (proposals: number) =>
    proposals === 1 ? 'Refuse this proposal?' : `Refuse these ${numberText(proposals)} proposals?`,
  refuseMore: 'The client is told, with your reason.',
  proposedUntil: (time: string, until: string) => `Proposed ${time}; kept until ${until}.`,
  decidedProposals: (how: 'accept' | 'refuse', proposals: number) =>
    `${count(proposals, 'proposal')} ${how === 'accept' ? 'accepted' : 'refused'}.`,
  replanned: (id: string) =>
    `${id}: its notes have changed since you looked, so the change would be another one. Look again.`,
  decidedAlready: (id: string) => `${id} was decided already.`,
  nothingToDo: (id: string) => `${id}: there is nothing left to change.`,
  says: { once: 'allowed', session: 'allowed for the session', deny: 'denied' },
  states: { open: 'open', accepted: 'accepted', refused: 'refused' },
} as const;

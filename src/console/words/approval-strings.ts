import { count, numberText } from '../../tools/wording/counted.ts';

/** The texts of the screen Approvals. */
export const approvalStrings = {
  questions: 'Questions',
  proposals: 'Proposals',
  proposalsMore: 'Changes that an app has planned. Nothing happens until you accept.',
  decided: 'Decided',
  nothingWaits: 'Nothing waits for you',
  nothingWaitsMore:
    'When an app deletes or overwrites a lot, or may only propose changes, you are asked here.',
  waitsForYou: (questions: number, proposals: number) => {
    const words = [
      ...(questions === 0 ? [] : [count(questions, 'question')]),
      ...(proposals === 0 ? [] : [count(proposals, 'proposal')]),
    ];
    if (words.length === 0) return 'Nothing waits for you.';
    return `${words.join(' and ')} ${questions + proposals === 1 ? 'waits' : 'wait'} for you.`;
  },
  reason: 'Reason, told to the app',
  reasonHint: 'Reason, told to the app (optional)',
  deny: 'Deny',
  denyAndUndo: (earlier: number) => `Deny and undo ${count(earlier, 'earlier change')}`,
  earlierExplained:
    'Earlier changes are those with which this app deleted or overwrote files in the ten minutes before it asked.',
  allowOnce: 'Allow this one',
  allowSession: 'Allow this app for 10 minutes',
  hasChanged: (names: readonly string[]) =>
    `${names.map((name) => `“${name}”`).join(', ')} changed since the app asked, so this call cannot be allowed any more. If the app calls again, you are asked again.`,
  answered: (says: 'once' | 'session' | 'deny') =>
    says === 'deny'
      ? 'Denied.'
      : 'Allowed. A call that still waits goes on; otherwise the app calls again.',
  deniedAndUndone: (undone: number) =>
    undone === 0
      ? 'Denied. There was nothing earlier to undo.'
      : `Denied. ${count(undone, 'earlier change')} undone.`,
  deletes: 'would be deleted',
  overwrites: 'would be overwritten',
  noDiff: 'What would be written is too long to be shown here, or not kept.',
  doneBefore: 'What this app did before',
  asksPasskey: 'Allowing asks for your passkey. Denying does not.',
  passkeyElsewhere:
    'Your passkey does not work at this address, so this can only be denied here. Open the console at the address of the passkey, or allow it on the machine of the vault:',
  allowCommand: (id: string) => `approvals allow ${id}`,
  ifNobody: (asked: string, until: string) =>
    `Asked ${asked}. Until you answer, the app deletes and overwrites nothing. The question stays until ${until}; then it counts as denied.`,
  decidedQuestion: {
    deleted: 'Delete ',
    overwritten: 'Overwrite ',
    either: 'Delete or overwrite ',
  },
  andFiles: (files: number) => `and ${count(files, 'more file')}`,
  acceptCommand: (name: string) => `proposals accept ${name}`,
  showCommand: (id: string) => `proposals show ${id}`,
  choose: (what: string) => `Choose: ${what}`,
  chooseAllOf: (proposals: number, app: string) => `Choose all ${numberText(proposals)} of ${app}`,
  accept: 'Accept',
  acceptSome: (proposals: number) => `Accept ${numberText(proposals)}`,
  refuse: 'Refuse',
  refuseSome: (proposals: number) => `Refuse ${numberText(proposals)}`,
  refuseTitle: (proposals: number) =>
    proposals === 1 ? 'Refuse this proposal?' : `Refuse these ${numberText(proposals)} proposals?`,
  refuseMore: 'The app is told, with your reason.',
  proposedUntil: (time: string, until: string) => `Proposed ${time}; kept until ${until}.`,
  decidedProposals: (how: 'accept' | 'refuse', proposals: number) =>
    `${count(proposals, 'proposal')} ${how === 'accept' ? 'accepted' : 'refused'}.`,
  showMade: (changes: number) => (changes === 1 ? 'Show the change' : 'Show the changes'),
  replanned:
    'Not made: a note has changed since this was shown. The diff below is what would be changed now.',
  cannotBeMade: (why: string) => `This cannot be made now, and stays open: ${why}`,
  decidedAlready: 'It was decided already.',
  nothingToDo: 'Closed: there was nothing left to change.',
  onlyShown: (rest: string) => `Only what was shown was made: ${rest}`,
  closed: 'done while the app was allowed',
  says: { once: 'allowed', session: 'allowed for 10 minutes', deny: 'denied' },
  states: { open: 'open', accepted: 'accepted', refused: 'refused' },
} as const;

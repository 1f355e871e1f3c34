import { shownText } from '../../base/one-line.ts';
import { fileText, firstOf } from '../../tools/cli/change-text.ts';
import { plainDiff } from '../../tools/cli/plain-diff.ts';
import { lines } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import type { Accepted } from '../../tools/owner/accept-proposal.ts';
import type { Refused } from '../../tools/owner/owner-desk.ts';
import { filesInOrder } from '../../tools/wording/writing-answer.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { nextCommand, shownLine } from './owner-words.ts';

type Decided = Accepted | Refused;

/** What became of one proposal, in lines. */
export function decidedText(
  decided: Decided,
  { paint, vault }: { readonly paint: Paint; readonly vault: string | undefined },
): string {
  const { id } = decided;
  switch (decided.outcome) {
    case 'made': {
      const { change, rest } = decided;
      const files = filesInOrder(change.files).map((file) => `  ${fileText(file, paint)}`);
      return lines([
        `${paint.strong(id)} is made, as change ${change.id}`,
        ...firstOf(files),
        ...change.kept.map(
          (path) => `  left as it is: ${shownLine(path)}: another program changed it`,
        ),
        ...(rest === undefined
          ? []
          : [`  only what was shown was made: ${shownLine(rest.message)}`]),
        paint.faint(`  ${nextCommand(`undo ${change.id}`, vault)} takes it back`),
      ]);
    }
    case 'replanned':
      return (
        lines([
          `${paint.strong(id)} is not made yet: files have changed since it was shown. It would do this now:`,
        ]) +
        plainDiff(shownText(decided.proposal.diff), paint).text +
        lines([''])
      );
    case 'nothing':
      return lines([`${paint.strong(id)} is closed: there was nothing left to change`]);
    case 'refused':
      return lines([`${paint.strong(id)} is refused`]);
    case 'decided': {
      const { state, change, reason } = decided.proposal;
      if (state === 'accepted') return lines([`${id} was accepted before, as change ${change}`]);
      return lines([
        `${id} was refused before${reason === undefined ? '' : `: ${shownLine(reason)}`}`,
      ]);
    }
    case 'failed':
      return lines([`${paint.bad(shownLine(id))} failed: ${shownLine(decided.error.message)}`]);
  }
}

/** The same for programs. */
export function decidedFields(decided: Decided): object {
  const { id, outcome } = decided;
  switch (decided.outcome) {
    case 'made': {
      const { change, rest } = decided;
      const { files, kept } = change;
      const more = rest === undefined ? {} : { rest: rest.message };
      return { id, outcome, change: change.id, files, kept, ...more };
    }
    case 'replanned':
      return { id, outcome, shownAs: decided.proposal.shownAs, diff: decided.proposal.diff };
    case 'decided': {
      const { state, change, reason } = decided.proposal;
      return { id, outcome, state, change, reason };
    }
    case 'failed': {
      const { code, message, details } = decided.error;
      return { id, outcome, error: { code, message, details } };
    }
    default:
      return { id, outcome };
  }
}

/** The command that accepts all that were shown again; nothing when there are none. */
export function againText(all: readonly Decided[], vault: string | undefined): string {
  const names = all.flatMap((each) =>
    each.outcome === 'replanned' ? [each.proposal.shownAs] : [],
  );
  if (names.length === 0) return '';
  const what = names.length === 1 ? 'this change' : `these ${names.length} changes`;
  return lines([`${nextCommand(`proposals accept ${names.join(' ')}`, vault)} makes ${what}.`]);
}

/** The exit code: 0 when all are as the owner wanted them, otherwise that of the first that is not. */
export function decidedCode(action: 'accept' | 'refuse', all: readonly Decided[]): number {
  const wanted = action === 'accept' ? 'accepted' : 'refused';
  for (const decided of all) {
    if (decided.outcome === 'failed') return exitCodes[decided.error.code];
    const isOtherwise = decided.outcome === 'decided' && decided.proposal.state !== wanted;
    if (isOtherwise || decided.outcome === 'replanned') return exitCodes.conflict;
  }
  return 0;
}

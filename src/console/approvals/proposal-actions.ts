import { signal } from '@preact/signals';
import type {
  DecideAnswer,
  DecidedRow,
  DecideRequest,
  ProposalAnswer,
} from '../../doors/console/console-wire.ts';
import { go, vaultHere } from '../page/address.ts';
import { asFailure, get, post } from '../page/api.ts';
import { hideToast, showToast, type Toast } from '../page/toast-state.ts';
import { approvalStrings } from '../words/approval-strings.ts';
import { loadApprovals, proposals } from './approvals-state.ts';
import { type Look, lookOf, nameShown } from './proposal-look.ts';

/** The proposals that are ticked. */
export const chosen = signal<ReadonlySet<string>>(new Set());
/** What is shown of each proposal that was looked at: accepting accepts only that plan. */
export const looks = signal<ReadonlyMap<string, Look>>(new Map());
/** What could not be done, for the card of each proposal. */
export const notices = signal<ReadonlyMap<string, string>>(new Map());
/** The proposals that are to be refused, while the owner is asked for a reason. */
export const refusing = signal<readonly string[] | undefined>(undefined);

/** Ticks a proposal, or takes the tick off. */
export function toggleChosen(id: string): void {
  const next = new Set(chosen.peek());
  if (!next.delete(id)) next.add(id);
  chosen.value = next;
}

/**
 * Shows a proposal as it would be made now; only its files if its diff is longer than that and is not
 * shown yet. Accepting then accepts this plan, whether its diff is shown or not.
 */
export async function lookAt(id: string, charsMax = Number.POSITIVE_INFINITY): Promise<void> {
  try {
    const answer = await get<ProposalAnswer>(`/proposals/${encodeURIComponent(id)}`);
    const before = looks.peek().get(id);
    looks.value = new Map(looks.peek()).set(id, lookOf(answer, { charsMax, before }));
  } catch (error) {
    const failure = asFailure(error);
    if (failure !== undefined) notices.value = new Map(notices.peek()).set(id, failure.message);
  }
}

/** Accepts proposals: the server makes the changes. */
export function acceptProposals(ids: readonly string[]): Promise<void> {
  return decide('accept', ids, {
    names: ids.map((id) => nameShown(id, looks.peek().get(id))),
  });
}

/** Asks for a reason before proposals are refused. */
export function refuseProposals(ids: readonly string[]): void {
  refusing.value = ids;
}

/** Refuses the proposals with a reason, which may be empty. */
export function refuseWith(reason: string): Promise<void> {
  const names = refusing.peek() ?? [];
  refusing.value = undefined;
  const why = reason.trim();
  return decide('refuse', names, { names, ...(why === '' ? {} : { reason: why }) });
}

/** Decides, and shows at its card what could not be done, with the plan as it would be now. */
async function decide(
  how: 'accept' | 'refuse',
  ids: readonly string[],
  request: DecideRequest,
): Promise<void> {
  hideToast(); // It is about something else.
  let problems: [id: string, problem: string][] = [];
  let told: Toast | undefined;
  const seen = new Map(looks.peek());
  try {
    const { results } = await post<DecideAnswer>(`/proposals/${how}`, request);
    problems = results.flatMap((row) => {
      const problem = problemOf(row);
      return problem === undefined ? [] : [[row.id, problem]];
    });
    for (const row of results) {
      if (row.outcome === 'replanned') {
        seen.set(row.id, { proposal: row.proposal, isFolded: false });
      }
    }
    const done = results.filter(({ outcome }) => outcome === 'made' || outcome === 'refused');
    if (done.length > 0) {
      const text = [approvalStrings.decidedProposals(how, done.length)];
      told = { text, ...wayToChange(results) };
    }
  } catch (error) {
    const message = asFailure(error)?.message;
    if (message !== undefined) problems = ids.map((id) => [id, message]);
  }
  chosen.value = new Set();
  looks.value = seen;
  notices.value = new Map(problems);
  await loadApprovals();
  const waits = new Set(proposals.peek()?.open.map(({ id }) => id));
  const [first] = problems.filter(([id]) => waits.has(id));
  if (first !== undefined) document.getElementById(first[0])?.scrollIntoView({ block: 'nearest' });
  // What is said of a proposal whose card is gone is said at the bottom.
  const gone = problems.filter(([id]) => !waits.has(id)).map(([, problem]) => problem);
  if (told !== undefined || gone.length > 0) {
    showToast({ ...told, text: [[...(told?.text ?? []), ...gone].join(' ')] });
  }
}

/** Leads to the change that was made, with its undo; to all of them when there are several. */
function wayToChange(results: readonly DecidedRow[]): Pick<Toast, 'action'> {
  const made = results.flatMap((row) => (row.outcome === 'made' ? Number(row.change) : []));
  const [first] = made;
  if (first === undefined) return {};
  const change = made.length === 1 ? { change: first } : {};
  const run = (): void => go({ screen: 'activity', filter: {}, ...change, ...vaultHere() });
  return { action: { label: approvalStrings.showMade(made.length), icon: 'activity', run } };
}

/** What is to be said about a proposal that was not simply made or refused. */
function problemOf(row: DecidedRow): string | undefined {
  switch (row.outcome) {
    case 'failed':
      return approvalStrings.cannotBeMade(row.why);
    case 'replanned':
      return approvalStrings.replanned;
    case 'decided':
      return approvalStrings.decidedAlready;
    case 'nothing':
      return approvalStrings.nothingToDo;
    case 'made':
      return row.rest === undefined ? undefined : approvalStrings.onlyShown(row.rest);
    case 'refused':
      return undefined;
  }
}

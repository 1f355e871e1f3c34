import { signal } from '@preact/signals';
import type { DecideAnswer, DecidedRow, DecideRequest } from '../../doors/console/console-wire.ts';
import { go, vaultHere } from '../page/address.ts';
import { asFailure, post } from '../page/api.ts';
import { showToast, type Toast } from '../page/toast-state.ts';
import { approvalStrings } from '../words/approval-strings.ts';
import { loadApprovals } from './approvals-state.ts';

/** The proposals that are ticked. */
export const chosen = signal<ReadonlySet<string>>(new Set());
/** The names of the plans that were looked at: accepting by such a name accepts only that plan. */
export const shownAs = new Map<string, string>();
/** What could not be done, for the line above the list. */
export const refusals = signal<readonly string[]>([]);
/** The proposals that are to be refused, while the owner is asked for a reason. */
export const refusing = signal<readonly string[] | undefined>(undefined);

/** Ticks a proposal, or takes the tick off. */
export function toggleChosen(id: string): void {
  const next = new Set(chosen.peek());
  if (!next.delete(id)) next.add(id);
  chosen.value = next;
}

/** Accepts proposals: the server makes the changes. */
export function acceptProposals(ids: readonly string[]): Promise<void> {
  return decide('accept', { names: ids.map((id) => shownAs.get(id) ?? id) });
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
  return decide('refuse', { names, ...(why === '' ? {} : { reason: why }) });
}

async function decide(how: 'accept' | 'refuse', request: DecideRequest): Promise<void> {
  try {
    const { results } = await post<DecideAnswer>(`/proposals/${how}`, request);
    refusals.value = results.flatMap((row) => problemOf(row) ?? []);
    const done = results.filter(({ outcome }) => outcome === 'made' || outcome === 'refused');
    if (done.length > 0) {
      const text = [approvalStrings.decidedProposals(how, done.length)];
      showToast({ text, ...wayToChange(results) });
    }
    for (const { id } of results) shownAs.delete(id);
  } catch (error) {
    const failure = asFailure(error);
    refusals.value = failure === undefined ? [] : [failure.message];
  }
  chosen.value = new Set();
  await loadApprovals();
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
      return `${row.id}: ${row.error.message}`;
    case 'replanned':
      return approvalStrings.replanned(row.id);
    case 'decided':
      return approvalStrings.decidedAlready(row.id);
    case 'nothing':
      return approvalStrings.nothingToDo(row.id);
    case 'made':
      return row.rest === undefined ? undefined : `${row.id}: ${row.rest}`;
    case 'refused':
      return undefined;
  }
}

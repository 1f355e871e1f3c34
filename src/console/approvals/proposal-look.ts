import type { ProposalAnswer } from '../../doors/console/console-wire.ts';

/** What the owner has looked at: the proposal as it would be made. */
export interface Look extends Pick<ProposalAnswer, 'proposal' | 'problem'> {
  /** Whether only the files are shown, because the diff is long. */
  readonly isFolded: boolean;
}

/** What a card shows of an answer: a diff that is longer than that only if one is shown already. */
export function lookOf(
  { proposal, problem }: Pick<ProposalAnswer, 'proposal' | 'problem'>,
  { charsMax, before }: { readonly charsMax: number; readonly before: Look | undefined },
): Look {
  const isFolded = proposal.diff.length > charsMax && (before?.isFolded ?? true);
  return { proposal, isFolded, ...(problem && { problem }) };
}

/** The name by which nothing but what a card shows is accepted. */
export function nameShown(id: string, look: Look | undefined): string {
  return look?.proposal.shownAs ?? id;
}

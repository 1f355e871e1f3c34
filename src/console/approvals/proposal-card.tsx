import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ProposalAnswer, ProposalRow } from '../../doors/console/console-wire.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { plannedSentence } from '../../tools/wording/change-sentences.ts';
import { describeChange } from '../../tools/wording/describe-change.ts';
import { type ApiFailure, asFailure, get } from '../page/api.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { UnifiedDiff } from '../parts/unified-diff.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { approvalStrings } from '../words/approval-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { dayAndTime } from '../words/times.ts';
import { AskerLine } from './asker-line.tsx';
import { CommandFor } from './command-for.tsx';
import {
  acceptProposals,
  chosen,
  refuseProposals,
  shownAs,
  toggleChosen,
} from './proposal-actions.ts';

/** How many links a deletion breaks. One that also changes notes turns the links into text. */
function LinksLost({ files }: Pick<ProposalRow, 'files'>) {
  const [first, ...others] = files;
  const isOne = first?.did === 'deleted' && others.length === 0;
  return isOne ? <LinksTo path={first.path} /> : null;
}

function LinksTo({ path }: { readonly path: string }) {
  const { answer } = useAnswer<ConsoleAnswer<'backlinks'>>('/backlinks', { path, limit: 1 });
  const links = answer?.total ?? 0;
  return links === 0 ? null : <p>{activityStrings.linksWillBeLost(links)}</p>;
}

/** A proposed change: its sentence, its diff on request or at once where that is short, and the decision. */
export function ProposalCard({
  proposal,
  among,
  isNamed,
}: {
  readonly proposal: ProposalRow;
  /** How many proposals are on the page: a few show their diffs, and one alone is not chosen. */
  readonly among: number;
  readonly isNamed: boolean;
}) {
  const [diff, setDiff] = useState<string | undefined>(undefined);
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const { id, asker, tool, files } = proposal;
  const show = async (charsMax = Number.POSITIVE_INFINITY): Promise<void> => {
    try {
      const answer = await get<ProposalAnswer>(`/proposals/${encodeURIComponent(id)}`);
      if (answer.proposal.diff.length > charsMax) return;
      shownAs.set(id, answer.proposal.shownAs);
      setDiff(answer.proposal.diff);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const isShort =
    among <= consolePageLimits.openedProposals && files.length <= consolePageLimits.openedFiles;
  useEffect(() => {
    if (isShort) void show(consolePageLimits.openedDiffChars);
  }, [id, isShort]);
  const sentence = plannedSentence(describeChange({ tool, args: {}, files }).sentence);
  const nowMs = Date.now();
  return (
    <article class={isNamed ? 'card named' : 'card'} id={id}>
      <header>
        {among === 1 ? undefined : (
          <input
            type="checkbox"
            class="choose"
            aria-label={approvalStrings.choose(id)}
            checked={chosen.value.has(id)}
            onChange={() => toggleChosen(id)}
          />
        )}
        <Avatar client={shownClient(asker.door, asker.client)} />
        <div class="grow">
          <h3 class="sentence">
            <Sentence pieces={sentence} />
          </h3>
          <AskerLine asker={asker} tool={tool} />
          {files.length > 1 ? <p>{strings.inFiles(files.length)}</p> : undefined}
          <LinksLost files={files} />
        </div>
        <CommandFor text={approvalStrings.acceptCommand(id)} />
      </header>
      {failure === undefined ? undefined : (
        <p class="note-line bad" role="alert">
          <Icon name="warning" /> {failure.message}
        </p>
      )}
      {diff === undefined ? undefined : <UnifiedDiff text={diff} />}
      <footer>
        <p class="faint grow">
          {approvalStrings.proposedUntil(
            dayAndTime(proposal.timeMs, { nowMs }),
            dayAndTime(proposal.expiresMs, { nowMs }),
          )}
        </p>
        <div class="answers">
          {diff === undefined ? (
            <button type="button" class="btn quiet" onClick={() => void show()}>
              {activityStrings.showDiff}
            </button>
          ) : undefined}
          <button type="button" class="btn bad" onClick={() => refuseProposals([id])}>
            {approvalStrings.refuse}
          </button>
          <button type="button" class="btn" onClick={() => acceptProposals([id])}>
            {approvalStrings.accept}
          </button>
        </div>
      </footer>
    </article>
  );
}

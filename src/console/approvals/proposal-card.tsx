import { useEffect } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ProposalRow } from '../../doors/console/console-wire.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { plannedSentence } from '../../tools/wording/change-sentences.ts';
import { describeChange } from '../../tools/wording/describe-change.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { UnifiedDiff } from '../parts/unified-diff.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
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
  lookAt,
  looks,
  notices,
  refuseProposals,
  toggleChosen,
} from './proposal-actions.ts';
import { type Look, nameShown } from './proposal-look.ts';

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

/** The command that accepts what the card shows; one that was planned again has to be looked at first. */
function commandFor({ id, replanned }: ProposalRow, look: Look | undefined): string {
  if (replanned && look === undefined) return approvalStrings.showCommand(id);
  return approvalStrings.acceptCommand(nameShown(id, look));
}

/** A proposed change: its sentence, its diff on request or at once where that is short, and the decision. */
export function ProposalCard({
  proposal,
  canChoose,
  opensShort,
  isNamed,
}: {
  readonly proposal: ProposalRow;
  /** Whether there are others, so that some can be chosen. */
  readonly canChoose: boolean;
  /** Whether a short diff is shown at once. */
  readonly opensShort: boolean;
  readonly isNamed: boolean;
}) {
  const { id, asker, tool, args } = proposal;
  const look = looks.value.get(id);
  const { files } = look?.proposal ?? proposal;
  const isOpened = opensShort && proposal.files.length <= consolePageLimits.openedFiles;
  useEffect(() => {
    if (isOpened) void lookAt(id, consolePageLimits.openedDiffChars);
  }, [id, isOpened]);
  const sentence = plannedSentence(describeChange({ tool, args, files }).sentence);
  const problem = look?.problem && approvalStrings.cannotBeMade(look.problem);
  const notice = notices.value.get(id) ?? problem;
  const nowMs = Date.now();
  return (
    <article class={isNamed ? 'card named' : 'card'} id={id}>
      <header>
        {canChoose ? (
          <input
            type="checkbox"
            class="choose"
            aria-label={approvalStrings.choose(
              sentence.map((each) => (typeof each === 'string' ? each : each.name)).join(''),
            )}
            checked={chosen.value.has(id)}
            onChange={() => toggleChosen(id)}
          />
        ) : undefined}
        <Avatar client={shownClient(asker.door, asker.client)} />
        <div class="grow">
          <h3 class="sentence">
            <Sentence pieces={sentence} />
          </h3>
          <AskerLine asker={asker} tool={tool} />
          {files.length > 1 ? <p>{strings.inFiles(files.length)}</p> : undefined}
          <LinksLost files={files} />
        </div>
        <CommandFor words={commandFor(proposal, look)} />
      </header>
      {notice === undefined ? undefined : (
        <p class="note-line warn" role="alert">
          <Icon name="warning" /> <VisibleText text={notice} />
        </p>
      )}
      {look === undefined || look.isFolded ? undefined : <UnifiedDiff text={look.proposal.diff} />}
      <footer>
        <p class="faint grow">
          {approvalStrings.proposedUntil(
            dayAndTime(proposal.timeMs, { nowMs }),
            dayAndTime(proposal.expiresMs, { nowMs }),
          )}
        </p>
        <div class="answers">
          {look === undefined || look.isFolded ? (
            <button type="button" class="btn quiet" onClick={() => void lookAt(id)}>
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

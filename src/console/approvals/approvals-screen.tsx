import { useEffect, useRef, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ProposalRow } from '../../doors/console/console-wire.ts';
import { onEvent } from '../page/live.ts';
import type { Place } from '../page/place.ts';
import { me } from '../page/server-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { PartHeading, TopBar } from '../parts/top-bar.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { approvalStrings } from '../words/approval-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { approvalsFailure, loadApprovals, proposals, questions } from './approvals-state.ts';
import { DecidedList } from './decided-list.tsx';
import {
  acceptProposals,
  chosen,
  refuseProposals,
  refuseWith,
  refusing,
} from './proposal-actions.ts';
import { ProposalCard } from './proposal-card.tsx';
import { QuestionCard } from './question-card.tsx';

type Approvals = Extract<Place, { screen: 'approvals' | 'connect' }>;

/** What waits for the owner: questions, then proposals, then what was decided. */
export function ApprovalsScreen({ place }: { readonly place: Approvals }) {
  const isKnown = me.value !== undefined;
  useEffect(() => {
    if (!isKnown) return undefined;
    void loadApprovals();
    return onEvent('question', () => void loadApprovals());
  }, [isKnown, place.vault]);
  const asked = questions.value?.open ?? [];
  const proposed = proposals.value?.open ?? [];
  const isLoaded = questions.value !== undefined && proposals.value !== undefined;
  const { id } = place;
  useEffect(() => {
    if (id !== undefined && isLoaded) document.getElementById(id)?.scrollIntoView();
  }, [id, isLoaded]);
  return (
    <>
      <TopBar
        title={strings.screens.approvals}
        more={isLoaded ? approvalStrings.waitsForYou(asked.length, proposed.length) : ''}
      />
      <section class="scroll pad" {...scrolling} aria-label={strings.screens.approvals}>
        <div class="column">
          {approvalsFailure.value === undefined ? undefined : (
            <Failure failure={approvalsFailure.value} retry={() => void loadApprovals()} />
          )}
          {isLoaded || approvalsFailure.value !== undefined ? undefined : <Loading />}
          {isLoaded && asked.length + proposed.length === 0 ? (
            <Empty icon="approvals" title={approvalStrings.nothingWaits}>
              <p>{approvalStrings.nothingWaitsMore}</p>
            </Empty>
          ) : undefined}
          {asked.length === 0 ? undefined : <PartHeading title={approvalStrings.questions} />}
          {asked.map((question) => (
            <QuestionCard
              key={question.id}
              question={question}
              passkey={questions.value?.passkey ?? 'none'}
              isNamed={question.id === id}
            />
          ))}
          <Proposals rows={proposed} named={id} />
          {isLoaded ? (
            <DecidedList
              questions={questions.value?.decided ?? []}
              proposals={proposals.value?.decided ?? []}
            />
          ) : undefined}
        </div>
      </section>
      <RefuseDialog />
    </>
  );
}

function Proposals({
  rows,
  named,
}: {
  readonly rows: readonly ProposalRow[];
  readonly named: string | undefined;
}) {
  // Decided once, so that diffs do not open by themselves when only a few proposals are left.
  const opens = useRef<boolean | undefined>(undefined);
  if (rows.length === 0) return null;
  opens.current ??= rows.length <= consolePageLimits.openedProposals;
  const several = rows.length > 1 ? rows.map(({ id }) => id) : [];
  const ticked = several.filter((id) => chosen.value.has(id));
  return (
    <>
      <PartHeading title={approvalStrings.proposals} more={approvalStrings.proposalsMore} />
      {rows.map((proposal) => (
        <ProposalCard
          key={proposal.id}
          proposal={proposal}
          canChoose={several.length > 0}
          opensShort={opens.current === true}
          isNamed={proposal.id === named}
        />
      ))}
      <AppButtons rows={rows} />
      {ticked.length === 0 ? undefined : (
        <div class="answers of-chosen">
          <button type="button" class="btn bad" onClick={() => refuseProposals(ticked)}>
            {approvalStrings.refuseSome(ticked.length)}
          </button>
          <button type="button" class="btn" onClick={() => acceptProposals(ticked)}>
            {approvalStrings.acceptSome(ticked.length)}
          </button>
        </div>
      )}
    </>
  );
}

/** Ticks all proposals of one app, where an app has several. */
function AppButtons({ rows }: { readonly rows: readonly ProposalRow[] }) {
  const apps = new Map<string, string[]>();
  for (const { id, asker } of rows) {
    const app = asker.tokenName || shownClient(asker.door, asker.client).name;
    apps.set(app, [...(apps.get(app) ?? []), id]);
  }
  const several = Array.from(apps).filter(([, { length }]) => length > 1);
  if (several.length === 0) return null;
  return (
    <p class="answers">
      {several.map(([app, ids]) => (
        <button
          type="button"
          class="btn small"
          key={app}
          onClick={() => {
            chosen.value = new Set(ids);
          }}
        >
          <VisibleText text={approvalStrings.chooseAllOf(ids.length, app)} />
        </button>
      ))}
    </p>
  );
}

function RefuseDialog() {
  const [reason, setReason] = useState('');
  const ids = refusing.value;
  if (ids === undefined) return null;
  const close = (): void => {
    refusing.value = undefined;
  };
  return (
    <Dialog
      title={approvalStrings.refuseTitle(ids.length)}
      more={approvalStrings.refuseMore}
      onClose={close}
      footer={
        <>
          <span class="grow" />
          <button type="button" class="btn" onClick={close}>
            {strings.cancel}
          </button>
          <button
            type="button"
            class="btn bad"
            onClick={() => {
              setReason('');
              void refuseWith(reason);
            }}
          >
            {approvalStrings.refuse}
          </button>
        </>
      }
    >
      <label class="labelled">
        {approvalStrings.reason}
        <input
          class="field"
          placeholder={approvalStrings.reasonHint}
          maxLength={consolePageLimits.reasonCharsMax}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}

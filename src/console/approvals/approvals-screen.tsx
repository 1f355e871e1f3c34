import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ProposalRow } from '../../doors/console/console-wire.ts';
import { onEvent } from '../page/live.ts';
import type { Place } from '../page/place.ts';
import { me } from '../page/server-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { PartHeading, TopBar } from '../parts/top-bar.tsx';
import { approvalStrings } from '../words/approval-strings.ts';
import { strings } from '../words/strings.ts';
import { approvalsFailure, loadApprovals, proposals, questions } from './approvals-state.ts';
import { DecidedList } from './decided-list.tsx';
import {
  acceptProposals,
  chosen,
  refusals,
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
  const problems = refusals.value;
  if (rows.length === 0 && problems.length === 0) return null;
  const several = rows.length > 1 ? rows.map(({ id }) => id) : [];
  const ticked = several.filter((id) => chosen.value.has(id));
  return (
    <>
      <PartHeading title={approvalStrings.proposals} more={approvalStrings.proposalsMore}>
        {ticked.length === 0 ? undefined : (
          <div class="answers">
            <button type="button" class="btn bad" onClick={() => refuseProposals(ticked)}>
              {approvalStrings.refuseSome(ticked.length)}
            </button>
            <button type="button" class="btn" onClick={() => acceptProposals(ticked)}>
              {approvalStrings.acceptSome(ticked.length)}
            </button>
          </div>
        )}
      </PartHeading>
      {problems.map((problem) => (
        <p class="note-line warn" role="alert" key={problem}>
          <Icon name="warning" /> {problem}
        </p>
      ))}
      {rows.map((proposal) => (
        <ProposalCard
          key={proposal.id}
          proposal={proposal}
          among={rows.length}
          isNamed={proposal.id === named}
        />
      ))}
      <SessionButtons rows={rows} />
    </>
  );
}

/** Ticks all proposals of one session, where a session has several. */
function SessionButtons({ rows }: { readonly rows: readonly ProposalRow[] }) {
  const sessions = new Map<string, string[]>();
  for (const { id, asker } of rows) {
    if (asker.connection === undefined) continue;
    sessions.set(asker.connection, [...(sessions.get(asker.connection) ?? []), id]);
  }
  const several = Array.from(sessions.values()).filter(({ length }) => length > 1);
  if (several.length === 0) return null;
  return (
    <p class="answers">
      {several.map((ids) => (
        <button
          type="button"
          class="btn small"
          key={ids[0]}
          onClick={() => {
            chosen.value = new Set(ids);
          }}
        >
          {approvalStrings.chooseSession(ids.length, ids[0] ?? '')}
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

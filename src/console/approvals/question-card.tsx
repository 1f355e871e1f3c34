import { useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { AnswerAnswer, AnswerRequest, QuestionRow } from '../../doors/console/console-wire.ts';
import { type ApiFailure, asFailure, post } from '../page/api.ts';
import { canUndo } from '../page/server-state.ts';
import { showToast } from '../page/toast-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { approvalStrings } from '../words/approval-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { folderOf, noteName } from '../words/describe-change.ts';
import { dayAndTime } from '../words/times.ts';
import { loadApprovals } from './approvals-state.ts';
import { AskerLine } from './asker-line.tsx';

/**
 * A question with its answers. Allowing looks as plain as denying, nothing has the focus at first,
 * and no key answers: a field for the reason does not send anything.
 */
export function QuestionCard({
  question,
  isNamed,
}: {
  readonly question: QuestionRow;
  /** Whether the address names this question. */
  readonly isNamed: boolean;
}) {
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const answer = async (request: AnswerRequest): Promise<void> => {
    setBusy(true);
    const why = reason.trim();
    try {
      const answered = await post<AnswerAnswer>(`/questions/${encodeURIComponent(question.id)}`, {
        ...request,
        ...(request.says === 'deny' && why !== '' ? { reason: why } : {}),
      });
      const { undone, undoFailure } = answered;
      showToast({ text: [approvalStrings.answered(request.says, undone?.undone.length)] });
      if (undoFailure !== undefined) showToast({ text: [undoFailure.message] });
      await loadApprovals();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const nowMs = Date.now();
  const client = shownClient(question.asker.door, question.asker.client);
  return (
    <article class={isNamed ? 'card named' : 'card'} id={question.id}>
      <header>
        <Avatar client={client} />
        <div class="grow">
          <h3>{question.text}</h3>
          <AskerLine asker={question.asker} tool={question.tool} />
        </div>
        <span class="faint not-phone">{question.id}</span>
      </header>
      <FileNames paths={question.paths} files={question.files} />
      {failure === undefined ? undefined : (
        <p class="note-line bad" role="alert">
          <Icon name="warning" /> {failure.message}
        </p>
      )}
      <footer>
        <input
          class="field grow"
          aria-label={approvalStrings.reason}
          placeholder={approvalStrings.reasonHint}
          maxLength={consolePageLimits.reasonCharsMax}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <div class="answers">
          <button
            type="button"
            class="btn bad"
            disabled={isBusy}
            onClick={() => answer({ says: 'deny' })}
          >
            {approvalStrings.deny}
          </button>
          {canUndo.value ? (
            <>
              <button
                type="button"
                class="btn bad"
                disabled={isBusy}
                onClick={() => answer({ says: 'deny', undo: true })}
              >
                {approvalStrings.denyAndUndo}
              </button>
              <button
                type="button"
                class="btn"
                disabled={isBusy}
                onClick={() => answer({ says: 'once' })}
              >
                {approvalStrings.allowOnce}
              </button>
              <button
                type="button"
                class="btn"
                disabled={isBusy}
                onClick={() => answer({ says: 'session' })}
              >
                {approvalStrings.allowSession}
              </button>
            </>
          ) : undefined}
        </div>
        <p class="faint">
          {approvalStrings.ifNobody(
            dayAndTime(question.timeMs, { nowMs }),
            dayAndTime(question.expiresMs, { nowMs }),
          )}
        </p>
      </footer>
    </article>
  );
}

function FileNames({
  paths,
  files,
}: {
  readonly paths: readonly string[];
  readonly files: number;
}) {
  if (paths.length === 0) return null;
  return (
    <ul class="list">
      {paths.map((path) => (
        <li key={path}>
          <Icon name="notes" />
          <span class="grow">
            <bdi>{noteName(path)}</bdi> <small>{folderOf(path)}</small>
          </span>
        </li>
      ))}
      {files > paths.length ? (
        <li class="faint">{approvalStrings.andFiles(files - paths.length)}</li>
      ) : undefined}
    </ul>
  );
}

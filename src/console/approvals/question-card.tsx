import { useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type {
  AnswerAnswer,
  AnswerRequest,
  QuestionRow,
  QuestionsAnswer,
} from '../../doors/console/console-wire.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { place } from '../page/address.ts';
import { type ApiFailure, asFailure } from '../page/api.ts';
import { postConfirmed } from '../page/passkey.ts';
import { addressOf } from '../page/place.ts';
import { canUndo, commandOf } from '../page/server-state.ts';
import { hideToast, showToast } from '../page/toast-state.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { UnifiedDiff } from '../parts/unified-diff.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { approvalStrings } from '../words/approval-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { dayAndTime } from '../words/times.ts';
import { loadApprovals } from './approvals-state.ts';
import { AskerLine } from './asker-line.tsx';
import { CommandFor } from './command-for.tsx';

/**
 * A question with what would be done, from our own data, and its answers. Allowing looks as plain as
 * denying, nothing has the focus at first, and no key answers: the field for the reason sends nothing.
 */
export function QuestionCard({
  question,
  passkey,
  isNamed,
}: {
  readonly question: QuestionRow;
  /** Whether allowing asks for a passkey. */
  readonly passkey: QuestionsAnswer['passkey'];
  /** Whether the address names this question. */
  readonly isNamed: boolean;
}) {
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const { id, asker, earlier = 0, changed } = question;
  const answer = async (request: AnswerRequest): Promise<void> => {
    setBusy(true);
    hideToast(); // It is about something else.
    setFailure(undefined);
    const why = reason.trim();
    try {
      const { undone, undoFailure } = await postConfirmed<AnswerAnswer>(
        `/questions/${encodeURIComponent(id)}`,
        { ...request, ...(request.says === 'deny' && why !== '' ? { reason: why } : {}) },
      );
      const isUndone = request.undo === true && undoFailure === undefined;
      const told = isUndone
        ? approvalStrings.deniedAndUndone(undone?.undone.length ?? 0)
        : approvalStrings.answered(request.says);
      showToast({ text: [told] });
      if (undoFailure !== undefined) showToast({ text: [undoFailure.message] });
      await loadApprovals();
      // The card is gone, and with it the button that had the focus.
      document.querySelector<HTMLElement>('main h1')?.focus();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const answers: (readonly [words: string, request: AnswerRequest])[] = [
    [approvalStrings.deny, { says: 'deny' }],
    ...(canUndo.value && earlier > 0
      ? ([[approvalStrings.denyAndUndo(earlier), { says: 'deny', undo: true }]] as const)
      : []),
    ...(canUndo.value && passkey !== 'elsewhere'
      ? ([
          ...(changed === undefined
            ? ([[approvalStrings.allowOnce, { says: 'once' }]] as const)
            : []),
          [approvalStrings.allowSession, { says: 'session' }],
        ] as const)
      : []),
  ];
  const nowMs = Date.now();
  return (
    <article class={isNamed ? 'card named' : 'card'} id={id}>
      <header>
        <Avatar client={shownClient(asker.door, asker.client)} />
        <div class="grow">
          <h3>{question.text}</h3>
          <AskerLine asker={asker} tool={question.tool} />
        </div>
        <CommandFor words={approvalStrings.allowCommand(id)} />
      </header>
      <AskedFiles question={question} />
      {question.diff === undefined ? undefined : <UnifiedDiff text={question.diff} />}
      {changed === undefined ? undefined : (
        <p class="note-line warn">
          <Icon name="warning" />{' '}
          <VisibleText text={approvalStrings.hasChanged(changed.map(noteName))} />
        </p>
      )}
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
          {answers.map(([words, request]) => (
            <button
              key={words}
              type="button"
              class={request.says === 'deny' ? 'btn bad' : 'btn'}
              disabled={isBusy}
              onClick={() => answer(request)}
            >
              {words}
            </button>
          ))}
        </div>
        {canUndo.value && passkey !== 'none' ? (
          <p class="faint">
            {passkey === 'here' ? (
              approvalStrings.asksPasskey
            ) : (
              <>
                {approvalStrings.passkeyElsewhere}{' '}
                <code>{commandOf(approvalStrings.allowCommand(id))}</code>
              </>
            )}
          </p>
        ) : undefined}
        {canUndo.value && earlier > 0 ? (
          <p class="faint">{approvalStrings.earlierExplained}</p>
        ) : undefined}
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

/** The files that would be deleted or overwritten, and what the client did before. */
function AskedFiles({ question }: { readonly question: QuestionRow }) {
  const { paths, files, overwrites, asker, diff } = question;
  const vault = vaultHere();
  const client = asker.client?.replace(/\/[^/]*$/, '');
  return (
    <ul class="list">
      {paths.map((path) => {
        const isOverwritten = overwrites?.includes(path);
        return (
          <li key={path}>
            <Icon name={isOverwritten === false ? 'deleted' : 'changed'} />
            <span class="grow">
              <a href={addressOf({ screen: 'notes', path, ...vault })}>
                <bdi>
                  <VisibleText text={noteName(path)} />
                </bdi>
              </a>{' '}
              <small>
                <bdi>
                  <VisibleText text={folderOf(path)} />
                </bdi>
              </small>
            </span>
            {isOverwritten === undefined ? undefined : (
              <small>{isOverwritten ? approvalStrings.overwrites : approvalStrings.deletes}</small>
            )}
          </li>
        );
      })}
      {files > paths.length ? (
        <li class="faint">{approvalStrings.andFiles(files - paths.length)}</li>
      ) : undefined}
      {(overwrites ?? []).length > 0 && diff === undefined ? (
        <li class="faint">{approvalStrings.noDiff}</li>
      ) : undefined}
      {client === undefined ? undefined : (
        <li>
          <Icon name="activity" />
          <a href={addressOf({ screen: 'activity', filter: { client }, ...vault })}>
            {approvalStrings.doneBefore}
          </a>
        </li>
      )}
    </ul>
  );
}

function vaultHere(): { readonly vault?: string } {
  const here = place.value;
  return 'vault' in here && here.vault !== undefined ? { vault: here.vault } : {};
}

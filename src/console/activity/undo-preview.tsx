import { useEffect, useState } from 'preact/hooks';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { type ApiFailure, asFailure, post } from '../page/api.ts';
import type { UndoTarget } from '../page/place.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { UnifiedDiff } from '../parts/unified-diff.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { rows, sessions } from './feed-state.ts';
import { isBusy, redoNow, undoNow } from './undo-actions.ts';

type Preview = Pick<ConsoleAnswer<'undo'>, 'files' | 'merged' | 'left' | 'diff'> & {
  /** The changes that it is about. */
  readonly ids: readonly number[];
};

/**
 * Shows what an undo or a redo would do before it is done. What is then undone are the changes of
 * this preview, so that changes that come meanwhile stay.
 */
export function UndoPreview({
  target,
  onClose,
}: {
  readonly target: UndoTarget;
  readonly onClose: () => void;
}) {
  const [preview, setPreview] = useState<Preview | undefined>(undefined);
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const [showsDiff, setShowsDiff] = useState(false);
  const key = JSON.stringify(target);
  useEffect(() => {
    previewOf(target).then(setPreview, (error: unknown) => setFailure(asFailure(error)));
  }, [key]);
  const isRedo = 'redo' in target;
  const ids = preview?.ids ?? [];
  const confirm = (): void => {
    onClose();
    void (isRedo ? redoNow(target.redo) : undoNow(ids));
  };
  return (
    <Dialog
      title={isRedo ? activityStrings.previewRedo(preview?.ids.length) : titleOf(target)}
      more={isRedo ? activityStrings.previewMoreRedo(ids.length) : activityStrings.previewMore}
      onClose={onClose}
      footer={
        <>
          {preview?.diff === undefined ? undefined : (
            <button type="button" class="btn quiet" onClick={() => setShowsDiff(!showsDiff)}>
              {showsDiff ? activityStrings.hideDiff : activityStrings.showDiff}
            </button>
          )}
          <span class="grow" />
          <button type="button" class="btn" onClick={onClose}>
            {strings.cancel}
          </button>
          <button
            type="button"
            class="btn main"
            disabled={ids.length === 0 || isBusy.value}
            onClick={confirm}
          >
            <Icon name={isRedo ? 'redo' : 'undo'} />{' '}
            {isRedo ? activityStrings.redoCount(ids.length) : activityStrings.undoCount(ids.length)}
          </button>
        </>
      }
    >
      {failure === undefined ? undefined : <Failure failure={failure} />}
      {failure === undefined && preview === undefined ? <Loading /> : undefined}
      {preview === undefined ? undefined : (
        <>
          <Totals preview={preview} isRedo={isRedo} />
          <PreviewFiles preview={preview} isRedo={isRedo} />
          {showsDiff && preview.diff !== undefined ? (
            <UnifiedDiff text={preview.diff} />
          ) : undefined}
          <p class="faint">
            {isRedo ? activityStrings.previewAfterRedo : activityStrings.previewAfter}
          </p>
        </>
      )}
    </Dialog>
  );
}

async function previewOf(target: UndoTarget): Promise<Preview> {
  if ('redo' in target) {
    const request = { id: target.redo, dryRun: true };
    const { redone, ...answer } = await post<ConsoleAnswer<'redo'>>('/redo', request);
    return { ...answer, ids: redone };
  }
  const answer = await post<ConsoleAnswer<'undo'>>('/undo', { ...target, dryRun: true });
  return { ...answer, ids: answer.undone.map(Number) };
}

function titleOf(target: Exclude<UndoTarget, { redo: number }>): string {
  if ('ids' in target) return activityStrings.previewIds(target.ids.length);
  const known =
    sessions.value.find(({ connection }) => connection === target.session) ??
    rows.value.find(({ connection }) => connection === target.session);
  const client = shownClient(known?.door ?? 'mcp-http', known?.client);
  return client.isOwner ? activityStrings.previewYours : activityStrings.previewOf(client.name);
}

interface Shown {
  readonly preview: Preview;
  readonly isRedo: boolean;
}

function Totals({ preview: { files, merged, left }, isRedo }: Shown) {
  const totals = [
    [files.length - merged.length, isRedo ? activityStrings.changeAgain : activityStrings.goBack],
    [merged.length, activityStrings.keepLater],
    [left.length, isRedo ? activityStrings.cannotAgain : activityStrings.cannot],
  ] as const;
  return (
    <dl class="three">
      {totals.map(([number, label]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{strings.number(Math.max(0, number))}</dd>
        </div>
      ))}
    </dl>
  );
}

function PreviewFiles({ preview: { files, merged, left }, isRedo }: Shown) {
  if (files.length === 0 && left.length === 0) {
    return <p class="note-line">{activityStrings.previewNothing}</p>;
  }
  const kept = new Set<string>(merged);
  const becomes = isRedo ? activityStrings.becomesAgain : activityStrings.becomes;
  return (
    <ul class="list preview">
      {files.map((file) => (
        <li key={file.path}>
          <Icon name={file.did} />
          <span class="grow">
            <bdi>{nameOf(file)}</bdi> <small>{folderOf(file.path)}</small>
          </span>
          <span class="becomes">{becomes[kept.has(file.path) ? 'merged' : file.did]}</span>
        </li>
      ))}
      <LeftFiles left={left} />
    </ul>
  );
}

/** The files that stay as they are, with the reasons. */
export function LeftFiles({
  left,
}: {
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}) {
  return (
    <>
      {left.map(({ path, reason }) => (
        <li key={path}>
          <Icon name="warning" />
          <span class="grow">
            <bdi>{noteName(path)}</bdi> <small>{folderOf(path)}</small>
          </span>
          <span class="becomes">{reason}</span>
        </li>
      ))}
    </>
  );
}

function nameOf({ path, from }: Preview['files'][number]): string {
  if (from === undefined || noteName(from) === noteName(path)) return noteName(path);
  return `${noteName(from)} → ${noteName(path)}`;
}

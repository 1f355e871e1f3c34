import { useState } from 'preact/hooks';
import type { ChangedText, ChangeTexts } from '../../engine/operations/history/change-texts.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { vaultHere } from '../page/address.ts';
import { get } from '../page/api.ts';
import { addressOf } from '../page/place.ts';
import { canUndo } from '../page/server-state.ts';
import { settings } from '../page/settings.ts';
import { DiffView, useFileDiff } from '../parts/diff-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { strings } from '../words/strings.ts';
import { hasUpdatedLinks } from './group-feed.ts';
import { isBusy, redoNow, undoNow } from './undo-actions.ts';

/** One file of a change: its names, its text before and after, and its own way back. */
export function FileOfChange({
  change,
  file,
  at,
}: {
  readonly change: ChangeTexts;
  readonly file: ChangedText;
  /** How many files stand before it. */
  readonly at: number;
}) {
  const [late, setLate] = useState<ChangedText | undefined>(undefined);
  const shown = late ?? file;
  const diff = useFileDiff(
    { before: shown.before ?? '', after: shown.after ?? '' },
    settings.value.diff,
  );
  const load = async (): Promise<void> => {
    const query = { paths: file.path };
    const answer = await get<ConsoleAnswer<'change'>>(`/changes/${change.id}`, query);
    setLate(answer.texts.find(({ path }) => path === file.path));
  };
  const hasText = shown.before !== undefined || shown.after !== undefined;
  const isFollowed = file.did === 'changed' && hasUpdatedLinks(change);
  return (
    <section class="file">
      <header>
        <Icon name={isFollowed ? 'link' : file.did} />
        <h3 class="grow">
          <FileName file={file} />
        </h3>
        {hasText ? (
          <span class="plus-minus">
            <ins>+{strings.number(diff.added)}</ins> <del>−{strings.number(diff.removed)}</del>
          </span>
        ) : undefined}
        <FileWayBack change={change} file={file} />
      </header>
      <WhereItIs change={change} file={shown} />
      {shown.linksLost === undefined ? undefined : (
        <p>{activityStrings.linksLost(shown.linksLost)}</p>
      )}
      {shown.endFrom === undefined ? undefined : <p>{activityStrings.onlyEnd(shown.endFrom)}</p>}
      {hasText ? (
        <DiffView
          diff={diff}
          at={at}
          texts={{
            before: shown.before ?? '',
            after: shown.after ?? '',
            name: noteName(file.path),
          }}
        />
      ) : (
        <Without file={shown} load={load} />
      )}
    </section>
  );
}

/** Where the text of a deleted file is, as long as the deletion is not undone. */
function WhereItIs({ change, file }: { readonly change: ChangeTexts; readonly file: ChangedText }) {
  const { did, trash, undoneBy } = file;
  const isUndone = change.undoneBy !== undefined || undoneBy !== undefined;
  if (did !== 'deleted' || isUndone || trash === undefined || !canUndo.value) return null;
  return <p>{activityStrings.inTrash(trash)}</p>;
}

/** The path of a file, and the one before it. It leads to the file, or to what history has of it. */
function FileName({ file: { path, from, isFolder } }: { readonly file: ChangedText }) {
  const name = (at: string, folder = folderOf(at)) => (
    <bdi>
      <span>
        <VisibleText text={folder === '' ? '' : `${folder}/`} />
      </span>
      <VisibleText text={at.slice(at.lastIndexOf('/') + 1)} />
    </bdi>
  );
  const isPlain = isFolder === true || /(?:^|\/)\./.test(path);
  const shown =
    from !== undefined && folderOf(from) === folderOf(path) ? name(path, '') : name(path);
  const now = isPlain ? (
    shown
  ) : (
    <a href={addressOf({ screen: 'notes', path, ...vaultHere() })}>{shown}</a>
  );
  if (from === undefined) return now;
  return (
    <>
      {name(from)} <span>→</span> {now}
    </>
  );
}

/** Why there is no text, and how to get it where it was only left out. */
function Without({
  file,
  load,
}: {
  readonly file: ChangedText;
  readonly load: () => Promise<void>;
}) {
  if (file.more) {
    return (
      <p>
        {activityStrings.textTooLong}{' '}
        <button type="button" class="btn small" onClick={load}>
          {activityStrings.loadText}
        </button>
      </p>
    );
  }
  if (file.isFolder) return <p>{activityStrings.aFolder}</p>;
  if (file.lost) return <p>{activityStrings.lost}</p>;
  if (file.binary) return <p>{activityStrings.binary}</p>;
  return file.did === 'moved' ? null : <p>{activityStrings.sameText}</p>;
}

/** Undo of this file alone, where a change has several. */
function FileWayBack({
  change,
  file,
}: {
  readonly change: ChangeTexts;
  readonly file: ChangedText;
}) {
  if (!canUndo.value || change.files.length < 2 || change.undoneBy !== undefined) return null;
  const name = noteName(file.path);
  const { undoneBy } = file;
  const part = { paths: [file.path], of: change.files.length };
  if (undoneBy !== undefined) {
    return (
      <>
        <span class="pill">{activityStrings.fileUndone}</span>
        <button
          type="button"
          class="btn small quiet only-icon"
          aria-label={activityStrings.redoFile(name)}
          title={activityStrings.redoFile(name)}
          disabled={isBusy.value}
          onClick={() => redoNow(undoneBy, part)}
        >
          <Icon name="redo" />
        </button>
      </>
    );
  }
  if (hasUpdatedLinks(change)) return null;
  return (
    <button
      type="button"
      class="btn small quiet only-icon"
      aria-label={activityStrings.undoFile(name)}
      title={activityStrings.undoFile(name)}
      disabled={isBusy.value}
      onClick={() => undoNow([change.id], part)}
    >
      <Icon name="undo" />
    </button>
  );
}

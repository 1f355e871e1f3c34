import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeTexts } from '../../engine/operations/history/change-texts.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { describeChange, inOrder, noteName } from '../../tools/wording/describe-change.ts';
import { type ApiFailure, asFailure, get } from '../page/api.ts';
import { addressOf, type Place } from '../page/place.ts';
import { canUndo } from '../page/server-state.ts';
import { changeSettings, settings } from '../page/settings.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { CopyButton, Failure, Loading } from '../parts/states.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { dayAndTime } from '../words/times.ts';
import { undoneText } from './feed-list.tsx';
import { FileOfChange } from './file-of-change.tsx';
import { hasUpdatedLinks } from './group-feed.ts';
import { redoOrAsk } from './redo-or-ask.ts';
import { isBusy, undoCount, undoNow } from './undo-actions.ts';

type Activity = Extract<Place, { screen: 'activity' }>;

/** One change: who, when, with which tool, its files before and after, and the way back. */
export function ChangeDetail({ id, place }: { readonly id: number; readonly place: Activity }) {
  const [change, setChange] = useState<ChangeTexts | undefined>(undefined);
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const [tries, setTries] = useState(0);
  const undos = undoCount.value;
  useEffect(() => {
    const stop = new AbortController();
    get<ConsoleAnswer<'change'>>(`/changes/${id}`, {}, stop.signal).then(
      (answer) => {
        setChange(answer);
        setFailure(undefined);
      },
      (error: unknown) => setFailure(asFailure(error)),
    );
    return () => stop.abort();
  }, [id, undos, tries]);
  if (failure !== undefined) {
    return <Failure failure={failure} retry={() => setTries(tries + 1)} />;
  }
  if (change?.id !== id) return <Loading />;
  return <Shown change={change} place={place} />;
}

function Shown({ change, place }: { readonly change: ChangeTexts; readonly place: Activity }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // On a phone the change is a page of its own, so its heading gets the focus.
  useEffect(() => {
    if (matchMedia('(max-width: 760px)').matches) heading.current?.focus();
  }, [change.id]);
  const { sentence } = describeChange(change);
  const client = shownClient(change.door, change.client);
  const { change: _, undo: __, ...list } = place;
  return (
    <>
      <header>
        <p class="only-phone">
          <a class="btn quiet" href={addressOf(list)}>
            <Icon name="back" /> {strings.screens.activity}
          </a>
        </p>
        <h2 class="sentence" tabIndex={-1} ref={heading}>
          <Sentence pieces={sentence} />
        </h2>
        <div class="facts">
          <span>
            <Avatar client={client} isSmall /> <bdi>{client.name}</bdi>
          </span>
          <span>{dayAndTime(change.timeMs, { nowMs: Date.now() })}</span>
          <code title={activityStrings.tool}>{change.tool}</code>
          <span>{activityStrings.changeNumber(change.id)}</span>
          {change.undoneBy === undefined ? undefined : (
            <span class="pill">{undoneText(change)}</span>
          )}
          {change.undoneInPart ? (
            <span class="pill">{activityStrings.undoneInPart}</span>
          ) : undefined}
        </div>
        <Actions change={change} place={place} />
      </header>
      {change.kept.map((path) => (
        <p class="note-line" key={path}>
          <Icon name="warning" /> {activityStrings.leftByEditor(noteName(path))}
        </p>
      ))}
      {inOrder(change.texts).map((file, at) => (
        <FileOfChange key={file.path} change={change} file={file} at={at} />
      ))}
      {change.more === undefined ? undefined : (
        <p class="after">{activityStrings.moreFiles(change.more)}</p>
      )}
      {canUndo.value ? (
        <p class="after">
          {change.undoneBy === undefined
            ? `${hasUpdatedLinks(change) ? `${activityStrings.linksGoTogether} ` : ''}${activityStrings.undoExplained}`
            : activityStrings.redoExplained(change.undone?.changes ?? 1)}
        </p>
      ) : undefined}
    </>
  );
}

function Actions({ change, place }: { readonly change: ChangeTexts; readonly place: Activity }) {
  const address = addressOf({ ...place, change: change.id });
  const { diff } = settings.value;
  return (
    <div class="actions">
      {canUndo.value ? <WayBack change={change} place={place} /> : undefined}
      <CopyButton
        text={() => new URL(address, location.origin).href}
        label={activityStrings.copyLink}
        onlyIcon="link"
      />
      <span class="grow" />
      <fieldset class="segments" aria-label={activityStrings.show}>
        {(['words', 'lines'] as const).map((by) => (
          <button
            type="button"
            key={by}
            aria-pressed={diff === by}
            onClick={() => changeSettings({ diff: by })}
          >
            {activityStrings[by]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** Undo, or Redo for a change that is undone; a redo of several changes is shown before it is done. */
function WayBack({
  change: { id, undoneBy, undone },
  place,
}: {
  readonly change: ChangeTexts;
  readonly place: Activity;
}) {
  if (undoneBy !== undefined) {
    const changes = undone?.changes ?? 1;
    return (
      <button
        type="button"
        class="btn wide"
        disabled={isBusy.value}
        onClick={() => redoOrAsk({ undoneBy, changes }, place)}
      >
        <Icon name="redo" />{' '}
        {changes > 1 ? activityStrings.redoMany(changes) : activityStrings.redo}{' '}
        <kbd class="not-phone">R</kbd>
      </button>
    );
  }
  return (
    <button type="button" class="btn wide" disabled={isBusy.value} onClick={() => undoNow([id])}>
      <Icon name="undo" /> {activityStrings.undo} <kbd class="not-phone">U</kbd>
    </button>
  );
}

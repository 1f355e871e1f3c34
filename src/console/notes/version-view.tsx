import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { NoteBody } from '../note/note-body.tsx';
import type { ShownNote } from '../note/shown-note.ts';
import { go } from '../page/address.ts';
import { addressOf, type NotesPlace } from '../page/place.ts';
import { canUndo } from '../page/server-state.ts';
import { settings } from '../page/settings.ts';
import { useAnswer } from '../page/use-answer.ts';
import { DiffView, useFileDiff } from '../parts/diff-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { notesStrings } from '../words/notes-strings.ts';
import { dayAndTime } from '../words/times.ts';
import { LazyBase } from './lazy-base.ts';
import { findVersion, isRestoring, restoreVersion } from './restore-version.ts';

type Here = NotesPlace & { readonly path: string };

/** An earlier version of a file: as it was, or what has changed since. */
export function VersionView({
  place,
  note,
  isGone,
}: {
  readonly place: Here;
  /** The file as it is now; absent while that is not known, and when it is no text. */
  readonly note?: ShownNote;
  readonly isGone: boolean;
}) {
  const { path, compare } = place;
  const number = compare ?? place.version ?? 1;
  const { answer: list } = useAnswer<ConsoleAnswer<'versions'>>('/versions', { path });
  const asked = useAnswer<ConsoleAnswer<'version'>>(
    '/version',
    { path, version: number },
    { follows: false },
  );
  const shown = list?.versions.find(({ version }) => version === number);
  useSameVersion(place, list?.versions);
  const { version: _, compare: __, heading: ___, ...now } = place;
  const time = shown === undefined ? '' : dayAndTime(shown.timeMs, { nowMs: Date.now() });
  return (
    <>
      <div class="note-line version-line">
        <Icon name="activity" />
        <p class="grow">
          {shown === undefined
            ? list === undefined
              ? ''
              : notesStrings.noVersion(number)
            : compare === undefined
              ? notesStrings.versionOf(time)
              : notesStrings.comparedWith(time)}
        </p>
        <p class="version-ways">
          {compare === undefined ? (
            <a href={addressOf({ ...now, compare: number })}>{notesStrings.compare}</a>
          ) : (
            <a href={addressOf({ ...now, version: number })}>{notesStrings.showVersion}</a>
          )}
          {canUndo.value && shown !== undefined && (isGone || number > 1) ? (
            <button
              type="button"
              disabled={isRestoring.value}
              onClick={async () => {
                if (await restoreVersion(path, shown)) go(now);
              }}
            >
              {notesStrings.restore}
            </button>
          ) : undefined}
          <a href={addressOf(now)}>{notesStrings.backToNow}</a>
        </p>
      </div>
      {asked.failure !== undefined ? (
        <Failure failure={asked.failure} retry={asked.again} />
      ) : asked.answer === undefined ? (
        <Loading lines={9} />
      ) : compare === undefined ? (
        <NoteBody note={oldNote(asked.answer, note)} vault={place.vault} Base={LazyBase} />
      ) : note === undefined && !isGone ? (
        <Loading lines={9} />
      ) : (
        <Compared path={path} before={asked.answer.text} after={note?.text ?? ''} />
      )}
    </>
  );
}

function Compared({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}) {
  const diff = useFileDiff({ before, after }, settings.value.diff);
  return (
    <div class="file">
      <DiffView diff={diff} texts={{ before, after, name: noteName(path) }} />
    </div>
  );
}

/** A version without facts; its links lead where those of the present text lead. */
function oldNote({ path, text }: ConsoleAnswer<'version'>, note: ShownNote | undefined): ShownNote {
  const kind = path.endsWith('.canvas') ? 'canvas' : path.endsWith('.base') ? 'base' : 'note';
  return { path, kind, text, ...(note?.targets === undefined ? {} : { targets: note.targets }) };
}

/** When newer versions come, the address follows the version that is shown to its new number. */
function useSameVersion(
  place: Here,
  versions: ConsoleAnswer<'versions'>['versions'] | undefined,
): void {
  const number = place.compare ?? place.version;
  const shown = useRef<{ number: number | undefined; version: (typeof versions & object)[number] }>(
    undefined,
  );
  useEffect(() => {
    if (versions === undefined) return;
    if (shown.current === undefined || shown.current.number !== number) {
      const version = versions.find((each) => each.version === number);
      shown.current = version === undefined ? undefined : { number, version };
      return;
    }
    const now = findVersion(versions, shown.current.version)?.version;
    if (now === undefined || now === number) return;
    shown.current = { ...shown.current, number: now };
    const { version: _, compare, ...rest } = place;
    go(compare === undefined ? { ...rest, version: now } : { ...rest, compare: now }, 'replace');
  }, [versions, number]);
}

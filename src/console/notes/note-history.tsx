import { useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { FeedChange } from '../../engine/operations/history/list-feed.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { describeChange } from '../../tools/wording/describe-change.ts';
import { vaultHere } from '../page/address.ts';
import { addressOf, type NotesPlace } from '../page/place.ts';
import { canUndo, me } from '../page/server-state.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { shownClient } from '../words/client-name.ts';
import { notesStrings } from '../words/notes-strings.ts';
import { dayAndTime } from '../words/times.ts';
import { isRestoring, restoreVersion } from './restore-version.ts';

type FileVersion = ConsoleAnswer<'versions'>['versions'][number];

/** The versions of a file: who wrote each and when, with the ways to read, compare and restore it. */
export function NoteHistory({
  path,
  place,
  modifiedMs,
  isGone = false,
}: {
  readonly path: string;
  readonly place: NotesPlace;
  /** When the file last changed; absent while that is not known. */
  readonly modifiedMs?: number;
  /** Whether the file was deleted: then none of the versions is the present one. */
  readonly isGone?: boolean;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const { answer, failure, again } = useAnswer<ConsoleAnswer<'versions'>>('/versions', { path });
  const { answer: feed } = useAnswer<ConsoleAnswer<'changes'>>('/changes', {
    path,
    limit: consolePageLimits.feedPage,
  });
  const isUnknown = failure?.code === 'not_found';
  const versions = answer?.versions ?? [];
  const shown = showsAll
    ? versions.slice(0, consolePageLimits.versionsMax)
    : versions.slice(0, consolePageLimits.shownVersions);
  const [last] = versions;
  // The times of a change and of the file that it wrote differ by a moment.
  const isChanged =
    modifiedMs !== undefined &&
    last !== undefined &&
    modifiedMs > last.timeMs + consolePageLimits.sameTimeMs;
  const changes = new Map(feed?.items.map((change) => [change.id, change]));
  return (
    <section>
      <h2>
        {notesStrings.history}
        <span>{answer === undefined ? '' : notesStrings.changes(versions.length)}</span>
      </h2>
      {failure === undefined || isUnknown ? undefined : <Failure failure={failure} retry={again} />}
      {answer === undefined && failure === undefined ? <Loading lines={3} /> : undefined}
      {isUnknown || (answer !== undefined && versions.length === 0) ? (
        <p class="faint">{notesStrings.noHistory}</p>
      ) : undefined}
      {isChanged ? (
        <p class="faint">
          {notesStrings.changedSince(dayAndTime(modifiedMs, { nowMs: Date.now() }))}
        </p>
      ) : undefined}
      <ol class="versions">
        {shown.map((version) => (
          <li key={version.version}>
            <VersionRow
              version={version}
              change={changes.get(version.id as FeedChange['id'])}
              place={{ ...place, path }}
              isNow={!isGone && !isChanged && version.version === 1}
            />
          </li>
        ))}
      </ol>
      {versions.length > shown.length && !showsAll ? (
        <button type="button" class="btn small" onClick={() => setShowsAll(true)}>
          {notesStrings.olderVersions(versions.length - shown.length)}
        </button>
      ) : undefined}
      {me.value !== undefined && !canUndo.value && versions.length > 0 ? (
        <p class="faint">{notesStrings.cannotRestore}</p>
      ) : undefined}
    </section>
  );
}

function VersionRow({
  version,
  change,
  place,
  isNow,
}: {
  readonly version: FileVersion;
  readonly change: FeedChange | undefined;
  readonly place: NotesPlace & { readonly path: string };
  readonly isNow: boolean;
}) {
  const { door, client, timeMs, id, path: formerPath } = version;
  const who = door === undefined ? undefined : shownClient(door, client);
  const time = dayAndTime(timeMs, { nowMs: Date.now() });
  const { heading: _, version: __, compare: ___, ...note } = place;
  const number = version.version;
  const isShown = place.version === number || place.compare === number;
  return (
    <div class={isShown ? 'version shown' : 'version'}>
      {who === undefined ? <Icon name="changed" /> : <Avatar client={who} isSmall />}
      <div class="grow">
        <p>
          {id === undefined ? (
            notesStrings.elsewhere
          ) : (
            <a
              href={addressOf({ screen: 'activity', filter: {}, change: id, ...vaultHere() })}
              title={notesStrings.showChange}
            >
              <Sentence pieces={sentenceOf(version, change, place.path)} />
            </a>
          )}
        </p>
        <p class="faint when">
          <span>
            {who === undefined ? undefined : <bdi>{who.name}</bdi>}
            {who === undefined ? '' : ', '}
            <time dateTime={new Date(timeMs).toISOString()}>
              {id === undefined ? notesStrings.seen(time) : time}
            </time>
          </span>
          {isNow ? <span class="pill">{notesStrings.isNow}</span> : undefined}
        </p>
        {formerPath === undefined ? undefined : (
          <p class="faint">
            <bdi>{notesStrings.formerName(formerPath)}</bdi>
          </p>
        )}
        {isNow ? undefined : (
          <p class="version-ways">
            <a
              href={addressOf({ ...note, version: number })}
              aria-current={place.version === number ? 'true' : undefined}
            >
              {notesStrings.showVersion}
              <span class="unseen">{notesStrings.ofVersion(time)}</span>
            </a>
            <a
              href={addressOf({ ...note, compare: number })}
              aria-current={place.compare === number ? 'true' : undefined}
            >
              {notesStrings.compare}
              <span class="unseen">{notesStrings.ofVersion(time)}</span>
            </a>
            {canUndo.value ? (
              <button
                type="button"
                disabled={isRestoring.value}
                onClick={() => void restoreVersion(place.path, version)}
              >
                {notesStrings.restore}
                <span class="unseen">{notesStrings.ofVersion(time)}</span>
              </button>
            ) : undefined}
          </p>
        )}
      </div>
    </div>
  );
}

/** What the change that wrote a version did, as far as that is known. */
function sentenceOf(
  { tool = '', tookBack }: FileVersion,
  change: FeedChange | undefined,
  path: string,
) {
  if (tookBack !== undefined) {
    const { changes, isRedo, of } = tookBack;
    if (isRedo) return notesStrings.redid;
    return notesStrings.undid(changes, of && shownClient(of.door, of.client));
  }
  const known = change ?? { tool, args: {}, files: [{ path, did: 'changed' as const }] };
  return describeChange(known).sentence;
}

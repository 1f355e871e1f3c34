import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import type { ApiFailure } from '../page/api.ts';
import { addressOf, type NotesPlace } from '../page/place.ts';
import { canUndo } from '../page/server-state.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { shownClient } from '../words/client-name.ts';
import { notesStrings } from '../words/notes-strings.ts';
import { dayAndTime } from '../words/times.ts';
import { isRestoring, restoreVersion } from './restore-version.ts';

/** A file that is not there: deleted, with its versions to go back to; moved; or never there. */
export function MissingNote({
  place,
  failure,
}: {
  readonly place: NotesPlace & { readonly path: string };
  readonly failure: ApiFailure;
}) {
  const { path } = place;
  const versions = useAnswer<ConsoleAnswer<'versions'>>('/versions', { path });
  const feed = useAnswer<ConsoleAnswer<'changes'>>('/changes', { path, limit: 50 });
  if (versions.answer === undefined && versions.failure === undefined) return <Loading />;
  const moved = feed.answer?.items
    .flatMap(({ files }) => files)
    .find(({ did, from }) => did === 'moved' && from === path);
  const [last] = versions.answer?.versions ?? [];
  if (last === undefined && moved !== undefined) {
    return (
      <Empty icon="moved" title={notesStrings.movedTo(noteName(moved.path))}>
        <p>{notesStrings.movedMore}</p>
        <a class="btn" href={addressOf({ ...place, path: moved.path })}>
          <bdi>{moved.path}</bdi>
        </a>
      </Empty>
    );
  }
  if (last === undefined) {
    return (
      <Empty icon="warning" title={notesStrings.noSuchNote}>
        <p>{failure.message}</p>
      </Empty>
    );
  }
  const deletion = feed.answer?.items.find(({ files }) =>
    files.some((file) => file.did === 'deleted' && file.path === path),
  );
  const by = deletion === undefined ? undefined : shownClient(deletion.door, deletion.client);
  return (
    <Empty icon="deleted" title={notesStrings.deleted(noteName(path))}>
      {deletion === undefined || by === undefined ? undefined : (
        <p>{notesStrings.deletedBy(by.name, dayAndTime(deletion.timeMs, { nowMs: Date.now() }))}</p>
      )}
      <p>{notesStrings.deletedMore}</p>
      {canUndo.value ? (
        <button
          type="button"
          class="btn main"
          disabled={isRestoring.value}
          onClick={() => void restoreVersion(path, last)}
        >
          <Icon name="undo" /> {notesStrings.bringBack}
        </button>
      ) : undefined}
    </Empty>
  );
}

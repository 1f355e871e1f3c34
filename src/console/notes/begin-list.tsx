import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { timeAgo } from '../../tools/wording/time-ago.ts';
import { addressOf, type NotesPlace } from '../page/place.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { notesStrings } from '../words/notes-strings.ts';
import { strings } from '../words/strings.ts';
import { HitName } from './hit-name.tsx';

/** Where nothing is searched for: what was changed last, and folders and tags to begin with. */
export function BeginList({ place }: { readonly place: NotesPlace }) {
  const { answer, failure, again } = useAnswer<ConsoleAnswer<'files'>>('/files', {
    sort: 'modified',
    limit: 4 * consolePageLimits.recentNotes,
  });
  if (failure !== undefined) return <Failure failure={failure} retry={again} />;
  if (answer === undefined) return <Loading lines={9} />;
  if (answer.total === 0) {
    return (
      <Empty icon="notes" title={notesStrings.emptyVault}>
        <p>{notesStrings.emptyVaultMore}</p>
      </Empty>
    );
  }
  const notes = answer.items.filter(({ kind }) => kind !== 'attachment');
  const { query: _, ...rest } = place;
  const nowMs = Date.now();
  return (
    <>
      <h2 class="list-title">{notesStrings.recent}</h2>
      <ol class="hits">
        {notes.slice(0, consolePageLimits.recentNotes).map(({ path, mtimeMs }) => (
          <li key={path}>
            <a
              class="hit one-line"
              href={addressOf({ ...only(rest), path })}
              data-path={path}
              aria-current={place.path === path ? 'true' : undefined}
            >
              <HitName path={path} />
              <time class="faint" dateTime={new Date(mtimeMs).toISOString()}>
                {timeAgo(mtimeMs, nowMs)}
              </time>
            </a>
          </li>
        ))}
      </ol>
      <Folders place={rest} />
      <Tags place={rest} />
    </>
  );
}

function Folders({ place }: { readonly place: NotesPlace }) {
  const { answer } = useAnswer<ConsoleAnswer<'folders'>>('/folders', {}, { follows: false });
  const all = answer?.items.filter(({ notes }) => notes > 0) ?? [];
  const rows = all
    .toSorted((a, b) => depthOf(a.folder) - depthOf(b.folder) || (a.folder < b.folder ? -1 : 1))
    .map(({ folder, notes }) => ({ name: folder, notes, query: `path:${quoted(`${folder}/`)}` }));
  return (
    <Offers
      title={notesStrings.folders}
      rows={rows}
      most={consolePageLimits.offeredFolders}
      place={place}
    />
  );
}

function Tags({ place }: { readonly place: NotesPlace }) {
  const { answer } = useAnswer<ConsoleAnswer<'tags'>>('/tags', {}, { follows: false });
  const rows = (answer?.items ?? [])
    .toSorted((a, b) => b.files - a.files)
    .map(({ tag, files }) => ({ name: tag, notes: files, query: `tag:${tag.replace(/^#/, '')}` }));
  return (
    <Offers
      title={notesStrings.tags}
      rows={rows}
      most={consolePageLimits.offeredTags}
      place={place}
    />
  );
}

/** Searches to begin with, as links. */
function Offers({
  title,
  rows,
  most,
  place,
}: {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly notes: number;
    readonly query: string;
  }[];
  readonly most: number;
  readonly place: NotesPlace;
}) {
  if (rows.length === 0) return null;
  return (
    <>
      <h2 class="list-title">{title}</h2>
      <ul class="offers">
        {rows.slice(0, most).map(({ name, notes, query }) => (
          <li key={name}>
            <a class="pick" href={addressOf({ ...place, query })}>
              <bdi>{name}</bdi> <span class="faint">{strings.number(notes)}</span>
            </a>
          </li>
        ))}
        {rows.length > most ? (
          <li class="faint">{notesStrings.andMore(rows.length - most)}</li>
        ) : undefined}
      </ul>
    </>
  );
}

/** The place with nothing but its vault. */
function only({ vault }: NotesPlace): NotesPlace {
  return { screen: 'notes', ...(vault === undefined ? {} : { vault }) };
}

function depthOf(folder: string): number {
  return folder.split('/').length;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

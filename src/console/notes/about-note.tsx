import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ReadsAnswer } from '../../doors/console/console-wire.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { Outline, outlineOf } from '../note/outline.tsx';
import type { ShownNote } from '../note/shown-note.ts';
import { vaultHere } from '../page/address.ts';
import { addressOf, type NotesPlace } from '../page/place.ts';
import { me } from '../page/server-state.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Avatar } from '../parts/avatar.tsx';
import { LocalGraph } from '../parts/local-graph.tsx';
import { Loading } from '../parts/states.tsx';
import { shownClient } from '../words/client-name.ts';
import { notesStrings } from '../words/notes-strings.ts';
import { strings } from '../words/strings.ts';
import { dayAndTime } from '../words/times.ts';
import { NoteHistory } from './note-history.tsx';

type Here = NotesPlace & { readonly path: string };

/** What the console knows about a file beside its text: its history first. */
export function AboutNote({
  place,
  note,
}: {
  readonly place: Here;
  readonly note?: ConsoleAnswer<'note'>;
}) {
  const { path } = place;
  return (
    <>
      <NoteHistory
        path={path}
        place={place}
        {...(note === undefined ? {} : { modifiedMs: note.modifiedMs })}
      />
      {note === undefined ? undefined : <NoteOutline place={place} note={note} />}
      <Around place={place} />
      <Backlinks place={place} />
      <Reads path={path} />
    </>
  );
}

function NoteOutline({ place, note }: { readonly place: Here; readonly note: ShownNote }) {
  if (note.kind !== 'note') return null;
  return (
    <section>
      <h2>{notesStrings.outline}</h2>
      {outlineOf(note).length === 0 ? (
        <p class="faint">{notesStrings.noHeadings}</p>
      ) : (
        <Outline note={note} vault={place.vault} />
      )}
    </section>
  );
}

function Around({ place }: { readonly place: Here }) {
  const { path } = place;
  const { answer, failure } = useAnswer<ConsoleAnswer<'neighbors'>>('/neighbors', {
    path,
    depth: 1,
    limit: consolePageLimits.localGraphNotes,
  });
  const count = (answer?.nodes.length ?? 1) - 1;
  return (
    <section>
      <h2>
        {notesStrings.localGraph}
        <span>{answer === undefined ? '' : notesStrings.neighbours(count, answer.truncated)}</span>
      </h2>
      {failure === undefined ? undefined : <p class="faint">{failure.message}</p>}
      {answer === undefined && failure === undefined ? <Loading lines={2} /> : undefined}
      {answer !== undefined && count === 0 ? (
        <p class="faint">{notesStrings.noNeighbours}</p>
      ) : undefined}
      {answer !== undefined && count > 0 ? (
        <>
          <LocalGraph
            path={path}
            graph={answer}
            addressOf={(to) => addressOf({ screen: 'notes', path: to, ...vaultHere() })}
          />
          <p class="version-ways">
            <a href={addressOf({ screen: 'graph', around: path, ...vaultHere() })}>
              {notesStrings.showGraph}
            </a>
          </p>
        </>
      ) : undefined}
    </section>
  );
}

/** The lines of other notes that link here, under the name of each note once. */
function Backlinks({ place: { path } }: { readonly place: Here }) {
  const { answer, failure } = useAnswer<ConsoleAnswer<'backlinks'>>('/backlinks', {
    path,
    limit: consolePageLimits.backlinksMax,
  });
  const lines = answer?.lines ?? [];
  const paths = Array.from(new Set(lines.map((line) => line.path)));
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? paths : paths.slice(0, consolePageLimits.shownBacklinks);
  return (
    <section>
      <h2>
        {notesStrings.backlinks}
        <span>{answer === undefined ? '' : strings.number(answer.total)}</span>
      </h2>
      {failure === undefined ? undefined : <p class="faint">{failure.message}</p>}
      {answer === undefined && failure === undefined ? <Loading lines={3} /> : undefined}
      {answer !== undefined && lines.length === 0 ? (
        <p class="faint">{notesStrings.noBacklinks}</p>
      ) : undefined}
      <ul class="backlinks">
        {shown.map((from) => (
          <li key={from}>
            <a href={addressOf({ screen: 'notes', path: from, ...vaultHere() })}>
              <bdi>{noteName(from)}</bdi>
            </a>
            {lines
              .filter((line) => line.path === from)
              .map(({ line, text }) => (
                <p class="faint" key={line} dir="auto">
                  {plainLine(text)}
                </p>
              ))}
          </li>
        ))}
      </ul>
      {shown.length < paths.length ? (
        <button type="button" class="btn small" onClick={() => setShowsAll(true)}>
          {notesStrings.allBacklinks(paths.length)}
        </button>
      ) : undefined}
      {answer !== undefined && lines.length === consolePageLimits.backlinksMax ? (
        <p class="faint">{notesStrings.moreBacklinks(lines.length, answer.total)}</p>
      ) : undefined}
    </section>
  );
}

/** A line without the signs of lists, quotes and links, which say nothing here. */
function plainLine(text: string): string {
  return text
    .trim()
    .replace(/^(?:[-*+>]|\d{1,9}[.)])\s+(?:\[.\]\s+)?/u, '')
    .replace(/!?\[\[([^[\]|]{1,300})(?:\|([^[\]]{1,300}))?\]\]/g, (_, to, shown) => shown ?? to);
}

/** Who read the file last, where reads are logged. */
function Reads({ path }: { readonly path: string }) {
  const logs = me.value?.logsReads === true;
  const { answer, again } = useAnswer<ReadsAnswer>(logs ? '/reads' : undefined, {
    path,
    limit: consolePageLimits.shownReads,
  });
  // A read that has just been made is not in the log yet.
  useEffect(() => {
    const timer = setTimeout(again, consolePageLimits.readsAgainMs);
    return () => clearTimeout(timer);
  }, [path]);
  const nowMs = Date.now();
  return (
    <section>
      <h2>{notesStrings.reads}</h2>
      {logs ? undefined : <p class="faint">{notesStrings.readsOff}</p>}
      {answer !== undefined && answer.reads.length === 0 ? (
        <p class="faint">{notesStrings.noReads}</p>
      ) : undefined}
      <ul class="note-reads">
        {answer?.reads.map(({ door, client, tool, timeMs }) => {
          const who = shownClient(door, client);
          return (
            <li key={`${timeMs} ${tool}`}>
              <Avatar client={who} isSmall />
              <span class="grow">
                <bdi>{who.name}</bdi> <code>{tool}</code>
              </span>
              <time class="faint" dateTime={new Date(timeMs).toISOString()}>
                {dayAndTime(timeMs, { nowMs })}
              </time>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

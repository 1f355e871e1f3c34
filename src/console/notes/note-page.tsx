import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { extensionOf } from '../../base/vault-path.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { NoteBody } from '../note/note-body.tsx';
import { ObsidianLink } from '../note/obsidian-link.tsx';
import { PropertyList } from '../note/property-list.tsx';
import type { ShownNote } from '../note/shown-note.ts';
import { addressOf, type NotesPlace } from '../page/place.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { notesStrings } from '../words/notes-strings.ts';
import { AboutNote } from './about-note.tsx';
import { FileFacts } from './file-facts.tsx';
import { useKeptPlace } from './keep-place.ts';
import { LazyBase } from './lazy-base.ts';
import { MissingNote } from './missing-note.tsx';
import { NoteHistory } from './note-history.tsx';
import { queryTerms } from './query-terms.ts';
import { VersionView } from './version-view.tsx';

type Here = NotesPlace & { readonly path: string };

/** A file of the vault: what is in it, and beside it what is known about it. */
export function NotePage({ place }: { readonly place: Here }) {
  const { path, version, compare } = place;
  const isText = ['md', 'canvas', 'base'].includes(extensionOf(path));
  const asked = useAnswer<ConsoleAnswer<'note'>>(isText ? '/note' : undefined, { path });
  const note = useSameNote(asked.answer);
  const { failure } = asked;
  const isGone = failure?.code === 'not_found';
  const isOld = version !== undefined || compare !== undefined;
  const reading = useRef<HTMLDivElement>(null);
  const article = useRef<HTMLElement>(null);
  useKeptPlace(() => scrollerOf(article.current, reading.current), note);
  // Another note begins at its top; so does another version.
  useEffect(() => {
    if (place.heading === undefined) scrollerOf(article.current, reading.current)?.scrollTo(0, 0);
  }, [path, version, compare]);
  return (
    <div class="reading scroll" ref={reading}>
      <article class="read scroll" ref={article} {...scrolling} aria-label={noteName(path)}>
        <div class="note-column">
          <NoteHead place={place} />
          {isOld ? (
            <VersionView place={place} {...(note === undefined ? {} : { note })} isGone={isGone} />
          ) : !isText ? (
            <FileFacts path={path} />
          ) : isGone ? (
            <MissingNote place={place} failure={failure} />
          ) : failure !== undefined ? (
            <Failure failure={failure} retry={asked.again} />
          ) : note === undefined ? (
            <Loading lines={12} />
          ) : (
            <Body place={place} note={note} />
          )}
        </div>
      </article>
      <aside class="about scroll" {...scrolling} aria-label={notesStrings.about}>
        {isGone ? (
          <NoteHistory path={path} place={place} isGone />
        ) : (
          <AboutNote place={place} {...(note === undefined ? {} : { note })} />
        )}
      </aside>
    </div>
  );
}

function Body({ place, note }: { readonly place: Here; readonly note: ShownNote }) {
  const { vault, query, heading } = place;
  return (
    <>
      <PropertyList note={note} vault={vault} />
      <NoteBody
        note={note}
        vault={vault}
        Base={LazyBase}
        {...(query === undefined ? {} : { marks: queryTerms(query) })}
        {...(heading === undefined ? {} : { subpath: `#${heading}` })}
      />
    </>
  );
}

/** Where the file is, its name, and the way to the app. */
function NoteHead({ place }: { readonly place: Here }) {
  const { path, query, vault } = place;
  const heading = useRef<HTMLHeadingElement>(null);
  // On a phone the note is a page of its own, so its heading gets the focus.
  useEffect(() => {
    if (matchMedia('(max-width: 760px)').matches) heading.current?.focus({ preventScroll: true });
  }, [path]);
  const folder = folderOf(path);
  const list: NotesPlace = {
    screen: 'notes',
    ...(vault === undefined ? {} : { vault }),
    ...(query === undefined ? {} : { query }),
  };
  return (
    <header class="note-head">
      <p class="only-phone">
        <a class="btn quiet" href={addressOf(list)}>
          <Icon name="back" /> {notesStrings.backToList}
        </a>
      </p>
      <div class="note-where">
        <FolderLink place={list} folder={folder}>
          <bdi>{folder === '' ? notesStrings.topFolder : folder}</bdi>
        </FolderLink>
        <ObsidianLink path={path} />
      </div>
      <h1 tabIndex={-1} ref={heading}>
        <bdi>{noteName(path)}</bdi>
      </h1>
    </header>
  );
}

function FolderLink({
  place,
  folder,
  children,
}: {
  readonly place: NotesPlace;
  readonly folder: string;
  readonly children: ComponentChildren;
}) {
  if (folder === '') return <span class="faint">{children}</span>;
  const query = `path:"${`${folder}/`.replace(/["\\]/g, '\\$&')}"`;
  return (
    <a class="faint" href={addressOf({ ...place, query })} title={notesStrings.inFolder(folder)}>
      {children}
    </a>
  );
}

/** The answer before, as long as a newer one shows the same: then nothing is drawn again. */
function useSameNote(answer: ConsoleAnswer<'note'> | undefined): ConsoleAnswer<'note'> | undefined {
  const kept = useRef(answer);
  const before = kept.current;
  const isSame =
    before?.path === answer?.path &&
    before?.version === answer?.version &&
    JSON.stringify(before?.targets) === JSON.stringify(answer?.targets);
  if (!isSame) kept.current = answer;
  return kept.current;
}

/** The element that scrolls: the note itself, or on narrow windows the note with what is beside it. */
function scrollerOf(
  article: HTMLElement | null,
  reading: HTMLElement | null,
): HTMLElement | undefined {
  if (article === null || reading === null) return undefined;
  return getComputedStyle(article).overflowY === 'visible' ? reading : article;
}

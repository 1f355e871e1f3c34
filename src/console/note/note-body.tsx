import type { FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { type BaseProps, EmbedBook, EmbedContext } from './embed-book.ts';
import { lazily } from './lazily.tsx';
import { isPicture } from './link-target.ts';
import type { ShownNote } from './shown-note.ts';
import { VaultPicture } from './vault-picture.tsx';

// The parts of a note on the page. Nothing of a note is ever taken for HTML:
//   NoteBody       the text of a note, canvas or base, or a picture, drawn; `PropertyList` and the name
//                  of the note, which is the page's heading, are not part of it
//   PropertyList   its properties with their types, or broken YAML as text with its error
//   Outline        its headings, each a link; `outlineOf` is the list
//   ObsidianLink   opens the file in Obsidian
//   markWords, foldedMarks: which words of a text are to be highlighted for a query
//   noteAddress, searchAddress: where links lead

const DrawnNote = lazily(async () => (await import('./drawn-note.tsx')).DrawnNote);

/** What is shown of a note, and how. */
export interface NoteBodyProps {
  readonly note: ShownNote;
  /** The vault of the address; absent where there is only one. */
  readonly vault?: string | undefined;
  /** Words to highlight, as they are written in the query. */
  readonly marks?: readonly string[];
  /** The part of the address after `#`, decoded and with its `#`: scrolled to when it changes. */
  readonly subpath?: string | undefined;
  /** What draws bases. */
  readonly Base: FunctionComponent<BaseProps>;
}

/**
 * The text of a note, canvas or base. Links lead to other notes on this screen, embedded notes and
 * pictures of the vault are fetched from the server, and nothing from the web. A first heading that
 * repeats the name of the note is left out.
 */
export function NoteBody(props: NoteBodyProps) {
  const { note, vault, Base } = props;
  const surroundings = useMemo(
    () => ({ book: new EmbedBook(), around: [note.path], vault, Base }),
    [note, vault],
  );
  return (
    <EmbedContext.Provider value={surroundings}>
      <div class="prose">
        <Body key={note.path} {...props} />
      </div>
    </EmbedContext.Provider>
  );
}

function Body(props: NoteBodyProps) {
  const { note, subpath = '', Base } = props;
  switch (note.kind) {
    case 'note':
    case 'canvas':
      return <DrawnNote {...props} />;
    case 'base':
      return (
        <Base
          path={note.path}
          text={note.text}
          isPage
          isOld={note.facts === undefined}
          {...(subpath.length > 1 ? { view: subpath.slice(1) } : {})}
        />
      );
    case 'attachment':
      return isPicture(note.path) ? (
        <VaultPicture path={note.path} subpath="" alias="" />
      ) : (
        <p>{words.attachment}</p>
      );
  }
}

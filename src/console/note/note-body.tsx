import { useMemo } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { EmbedBook, EmbedContext } from './embed-book.ts';
import { lazily } from './lazily.tsx';
import { isPicture } from './link-target.ts';
import { ObsidianLink } from './obsidian-link.tsx';
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
}

/**
 * The text of a note, canvas or base. Links lead to other notes on this screen, embedded notes and
 * pictures of the vault are fetched from the server, and nothing from the web. A first heading that
 * repeats the name of the note is left out.
 */
export function NoteBody(props: NoteBodyProps) {
  const { note, vault } = props;
  const surroundings = useMemo(
    () => ({ book: new EmbedBook(), around: [note.path], vault }),
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
  const { note } = props;
  switch (note.kind) {
    case 'note':
    case 'canvas':
      return <DrawnNote {...props} />;
    case 'base':
      return (
        <>
          <p>
            {words.base} <ObsidianLink path={note.path} />
          </p>
          <PlainText text={note.text} />
        </>
      );
    case 'attachment':
      return isPicture(note.path) ? (
        <VaultPicture path={note.path} subpath="" alias="" />
      ) : (
        <p>{words.attachment}</p>
      );
  }
}

/** A text as it is, cut where it is too long. */
function PlainText({ text }: { readonly text: string }) {
  const shown = text.slice(0, consoleNoteLimits.charsMax);
  return (
    <>
      <pre class="plain">{shown}</pre>
      {shown.length < text.length && (
        <p class="note-limit">{words.charsCut(shown.length, text.length)}</p>
      )}
    </>
  );
}

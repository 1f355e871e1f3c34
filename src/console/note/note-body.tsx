import { CanvasPicture } from './canvas-picture.tsx';
import type { ShownNote } from './shown-note.ts';

// The parts of a note on the page. Nothing of a note is ever taken for HTML:
//   NoteBody       the text of a note, canvas or base, drawn; `PropertyList` is not part of it
//   PropertyList   its properties with their types, or broken YAML as text with its error
//   Outline        its headings, each a link; `outlineOf` is the list
//   CanvasPicture  a canvas as a picture; NoteBody draws it for files of that kind
//   noteAddress, searchAddress, obsidianAddress: where links lead

/**
 * The text of a note, canvas or base. Links lead to other notes on this screen, embedded notes and
 * pictures of the vault are fetched from the server, and nothing from the web.
 */
export function NoteBody(props: {
  readonly note: ShownNote;
  /** The vault of the address; absent where there is only one. */
  readonly vault?: string | undefined;
  /** Words to highlight, as they are written in the query. */
  readonly marks?: readonly string[];
  /** The part of the address after `#`, decoded and with its `#`: scrolled to when it changes. */
  readonly subpath?: string;
}) {
  const { note, vault } = props;
  if (note.kind === 'canvas') return <CanvasPicture note={note} vault={vault} />;
  return <pre>{note.text}</pre>;
}

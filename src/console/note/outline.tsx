import { noteAddress } from './note-address.ts';
import type { ShownNote } from './shown-note.ts';

/** A heading of a note. */
export interface OutlineRow {
  readonly level: number;
  readonly text: string;
  /** Such as `#Next steps`: the end of its address, and what `NoteBody` takes as `subpath`. */
  readonly subpath: string;
}

/** The headings of a note in order; none where its facts are not known. */
export function outlineOf(note: ShownNote): readonly OutlineRow[] {
  return (note.facts?.headings ?? []).map(({ heading, level }) => ({
    level,
    text: heading,
    subpath: `#${heading}`,
  }));
}

/** The headings of a note as links to their places. */
export function Outline({
  note,
  vault,
}: {
  readonly note: ShownNote;
  readonly vault?: string | undefined;
}) {
  return (
    <ul class="outline">
      {outlineOf(note).map(({ level, text, subpath }) => (
        <li key={subpath} class={`l${level}`}>
          <a href={noteAddress({ vault, path: note.path, subpath })}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { noteAddress } from './note-address.ts';
import type { ShownNote } from './shown-note.ts';

/** A heading of a note. */
interface OutlineRow {
  readonly level: number;
  readonly text: string;
  /** Such as `#Next steps`: the end of its address, and what `NoteBody` takes as `subpath`. */
  readonly subpath: string;
}

/** The headings of a note in order, up to a limit; none where its facts are not known. */
export function outlineOf(note: ShownNote): readonly OutlineRow[] {
  const headings = (note.facts?.headings ?? []).slice(0, consoleNoteLimits.outlineMax);
  const known = new Set<string>();
  return headings.map(({ heading, level }, at) => {
    // A name that came before is told apart by the headings above it.
    const path = known.has(heading) ? (note.more?.headingSections[at]?.path ?? []) : [heading];
    known.add(heading);
    const subpath = `#${path.map((name) => name.replaceAll('#', ' ')).join('#')}`;
    return { level, text: plainHeading(heading), subpath };
  });
}

/** A heading without its marks. They are few, so that the parser is not needed for them. */
function plainHeading(heading: string): string {
  return heading
    .slice(0, consoleNoteLimits.headingCharsMax)
    .replace(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\*{1,3}|`+|~~|==|%%[^%]*%%/g, '');
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
      {outlineOf(note).map(({ level, text, subpath }, at) => (
        <li key={at} class={`level-${level}`}>
          <a href={noteAddress({ vault, path: note.path, subpath })}>
            <bdi>{text}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

import type { Token } from 'markdown-it';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { CanvasPicture } from './canvas-picture.tsx';
import { BaseBlock, EmbeddedNote } from './embedded-note.tsx';
import { foldedMarks } from './mark-words.ts';
import type { NoteBodyProps } from './note-body.tsx';
import { bodyOf, elementIdOf } from './note-part.ts';
import { ObsidianLink } from './obsidian-link.tsx';
import { parseNote } from './parse-note.ts';
import { renderTokens } from './render-tokens.ts';
import { VaultPicture } from './vault-picture.tsx';

/** A note or a canvas, which `NoteBody` shows: what parses and draws them is loaded for it. */
export function DrawnNote(props: NoteBodyProps) {
  return props.note.kind === 'canvas' ? (
    <CanvasPicture note={props.note} />
  ) : (
    <NoteText {...props} />
  );
}

function NoteText({ note, vault, marks = [], subpath = '' }: NoteBodyProps) {
  const root = useRef<HTMLDivElement>(null);
  const wanted = marks.join('\n');
  const { part, body, isWhole } = useMemo(() => {
    const { charsMax, elementsMax } = consoleNoteLimits;
    const found = bodyOf(note, charsMax);
    const tokens = withoutTitle(parseNote(found.text), noteName(note.path));
    return {
      part: found,
      ...renderTokens(tokens, {
        note,
        vault,
        marks: foldedMarks(marks),
        anchors: found.anchors,
        isEmbedded: false,
        elementsMax,
        Embed: EmbeddedNote,
        Picture: VaultPicture,
        // Of an earlier version only the text is shown.
        Block: note.facts === undefined ? undefined : BaseBlock,
      }),
    };
  }, [note, vault, wanted]);
  useEffect(() => {
    const show = () => {
      const id = subpath === '' ? undefined : elementIdOf(note, subpath);
      const target = id === undefined ? null : root.current?.querySelector(`[id="${id}"]`);
      target?.scrollIntoView({ block: 'start' });
    };
    // A link to the place where the address is already changes nothing, and still leads there.
    const again = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a') : null;
      if (link?.href === location.href) show();
    };
    show();
    document.addEventListener('click', again);
    return () => document.removeEventListener('click', again);
  }, [note.path, subpath]);
  return (
    <div ref={root} class={part.text.length > consoleNoteLimits.longChars ? 'long' : ''}>
      {body}
      {!isWhole && <p class="note-limit">{words.elementsCut}</p>}
      {part.text.length < part.chars && (
        <p class="note-limit">
          {words.charsCut(part.text.length, part.chars)} <ObsidianLink path={note.path} />
        </p>
      )}
    </div>
  );
}

/** Leaves out a first heading that repeats the name of the note, which the page shows above it. */
function withoutTitle(tokens: readonly Token[], name: string): readonly Token[] {
  const [open, text] = tokens;
  const isTitle = open?.type === 'heading_open' && open.tag === 'h1' && text?.content === name;
  return isTitle ? tokens.slice(3) : tokens;
}

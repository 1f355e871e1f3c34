import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { asFailure } from '../page/api.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { CanvasPicture } from './canvas-picture.tsx';
import { EmbedContext } from './embed-book.ts';
import { noteAddress } from './note-address.ts';
import { partOf } from './note-part.ts';
import { parseNote } from './parse-note.ts';
import { type EmbedProps, renderTokens } from './render-tokens.ts';
import type { ShownNote } from './shown-note.ts';
import { VaultPicture } from './vault-picture.tsx';

const refusals = {
  itself: words.embedsItself,
  deep: words.embedTooDeep,
  many: words.moreEmbeds(consoleNoteLimits.embedsMax),
};

/** A note, section, block or canvas inside another note, fetched from the server. */
export function EmbeddedNote(props: EmbedProps) {
  const { path, subpath } = props;
  const { book, around } = useContext(EmbedContext);
  const [refusal, setRefusal] = useState<keyof typeof refusals | undefined>(undefined);
  const [note, setNote] = useState<ShownNote | undefined>(undefined);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    const refused = book.take(path, around);
    setRefusal(refused);
    if (refused !== undefined) return undefined;
    let isGone = false;
    book.note(path).then(
      (answer) => isGone || setNote(answer),
      (error: unknown) => isGone || setFailure(asFailure(error)?.message ?? ''),
    );
    return () => {
      isGone = true;
      book.leave();
    };
  }, [book, path, around.length]);
  if (refusal !== undefined) return <EmbedFrame {...props}>{said(refusals[refusal])}</EmbedFrame>;
  if (failure !== '') return <EmbedFrame {...props}>{said(failure)}</EmbedFrame>;
  if (note === undefined) return <EmbedFrame {...props} />;
  return (
    <EmbedFrame {...props}>
      {note.kind === 'canvas' ? (
        <CanvasPicture note={note} book={book} />
      ) : (
        <EmbeddedText note={note} subpath={subpath} />
      )}
    </EmbedFrame>
  );
}

function said(sentence: string) {
  return <p class="note-limit">{sentence}</p>;
}

function EmbedFrame({
  path,
  subpath,
  alias,
  children,
}: EmbedProps & { readonly children?: ComponentChildren }) {
  const { vault } = useContext(EmbedContext);
  const name =
    alias || `${noteName(path)}${subpath.startsWith('#^') ? '' : subpath.replaceAll('#', ' › ')}`;
  return (
    <div class="embed">
      <p class="embed-name">
        <a href={noteAddress({ vault, path, subpath })} aria-label={words.embedOf(name)}>
          <bdi>{name}</bdi>
        </a>
      </p>
      {children}
    </div>
  );
}

function EmbeddedText({ note, subpath }: { readonly note: ShownNote; readonly subpath: string }) {
  const { book, around, vault } = useContext(EmbedContext);
  const { embedCharsMax } = consoleNoteLimits;
  const drawn = useMemo(() => {
    const part = partOf(note, subpath, embedCharsMax);
    if (part === undefined) return undefined;
    const { body, isWhole, elements } = renderTokens(parseNote(part.text), {
      note,
      vault,
      marks: [],
      anchors: part.anchors,
      isEmbedded: true,
      elementsMax: book.elementsMax,
      Embed: EmbeddedNote,
      Picture: VaultPicture,
    });
    book.drew(elements);
    return { part, body, isWhole };
  }, [book, note, subpath, vault]);
  const inner = useMemo(
    () => ({ book, around: [...around, note.path], vault }),
    [book, around, note.path, vault],
  );
  if (drawn === undefined) return said(words.noSubpath(subpath));
  const { part, body, isWhole } = drawn;
  return (
    <EmbedContext.Provider value={inner}>
      {body}
      {part.text.length < part.chars && said(words.embedCut(part.text.length, part.chars))}
      {!isWhole && said(words.elementsCut)}
    </EmbedContext.Provider>
  );
}

import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { asFailure } from '../page/api.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { CanvasPicture } from './canvas-picture.tsx';
import { EmbedContext, type EmbedRefusal } from './embed-book.ts';
import { noteAddress } from './note-address.ts';
import { partOf } from './note-part.ts';
import { parseNote } from './parse-note.ts';
import { type BlockProps, type EmbedProps, renderTokens } from './render-tokens.ts';
import type { ShownNote } from './shown-note.ts';
import { VaultPicture } from './vault-picture.tsx';

const refusals = {
  itself: words.embedsItself,
  deep: words.embedTooDeep,
  many: words.moreEmbeds(consoleNoteLimits.embedsMax),
};

/** A note, section, block, canvas or base inside another note. */
export function EmbeddedNote(props: EmbedProps) {
  return isBase(props.path) ? <EmbeddedBase {...props} /> : <EmbeddedFile {...props} />;
}

/** Whether a file is a base. */
function isBase(path: string): boolean {
  return /\.base$/i.test(path);
}

/** A base inside a note, which is its `this`. */
function EmbeddedBase(props: EmbedProps) {
  const { path, subpath } = props;
  const { around, Base } = useContext(EmbedContext);
  const refusal = usePlace(path);
  if (refusal === undefined) return <EmbedFrame {...props} />;
  return (
    <EmbedFrame {...props}>
      {refusal !== 'none' ? (
        said(refusals[refusal])
      ) : (
        <Base
          path={path}
          {...selfOf(around)}
          {...(subpath.length > 1 ? { view: subpath.slice(1) } : {})}
        />
      )}
    </EmbedFrame>
  );
}

/** A code block that is a base, in the note around it. */
export function BaseBlock({ text }: BlockProps) {
  const { around, Base } = useContext(EmbedContext);
  const refusal = usePlace('');
  if (refusal === undefined) return null;
  if (refusal !== 'none') return said(refusals[refusal]);
  return <Base path={around.at(-1) ?? ''} block={text} />;
}

function selfOf(around: readonly string[]): { readonly self?: string } {
  const self = around.at(-1);
  return self === undefined ? {} : { self };
}

/** Takes a place in the book for as long as a part is shown; undefined until that is decided. */
function usePlace(path: string): EmbedRefusal | 'none' | undefined {
  const { book, around } = useContext(EmbedContext);
  const [refusal, setRefusal] = useState<EmbedRefusal | 'none' | undefined>(undefined);
  useEffect(() => {
    const refused = book.take(path, around);
    setRefusal(refused ?? 'none');
    return refused === undefined ? () => book.leave() : undefined;
  }, [book, path, around.length]);
  return refusal;
}

function EmbeddedFile(props: EmbedProps) {
  const { path, subpath } = props;
  const { book } = useContext(EmbedContext);
  const refusal = usePlace(path);
  const [note, setNote] = useState<ShownNote | undefined>(undefined);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    if (refusal !== 'none') return undefined;
    let isGone = false;
    book.note(path).then(
      (answer) => isGone || setNote(answer),
      (error: unknown) => isGone || setFailure(asFailure(error)?.message ?? ''),
    );
    return () => {
      isGone = true;
    };
  }, [book, path, refusal]);
  if (refusal !== undefined && refusal !== 'none')
    return <EmbedFrame {...props}>{said(refusals[refusal])}</EmbedFrame>;
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
  const { book, around, vault, Base } = useContext(EmbedContext);
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
      Block: BaseBlock,
    });
    book.drew(elements);
    return { part, body, isWhole };
  }, [book, note, subpath, vault]);
  const inner = useMemo(
    () => ({ book, around: [...around, note.path], vault, Base }),
    [book, around, note.path, vault, Base],
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

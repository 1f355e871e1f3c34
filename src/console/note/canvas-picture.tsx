import { useContext, useMemo } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { element } from './allowed-elements.ts';
import { type CanvasBox, type CanvasShape, canvasShape } from './canvas-shape.ts';
import { type EmbedBook, EmbedContext } from './embed-book.ts';
import { isPicture, targetOfLink, webTarget } from './link-target.ts';
import { noteAddress } from './note-address.ts';
import { parseNote } from './parse-note.ts';
import { renderLink } from './render-link.ts';
import { renderText } from './render-text.ts';
import { type EmbedProps, renderTokens } from './render-tokens.ts';
import type { ShownNote } from './shown-note.ts';

/** How wide the picture is on most screens, and how large its text is to be there, in pixels. */
const usualWidth = 460;
const textSize = 11.5;
/** About how many elements a box has. */
const boxElements = 20;

/**
 * A canvas as a picture: its boxes with their titles, and the lines between them. With `book` it stands
 * inside a note, and has as much room as the book still has.
 */
export function CanvasPicture({
  note,
  book,
}: {
  readonly note: ShownNote;
  readonly book?: EmbedBook;
}) {
  const { shape, elementsMax } = useMemo(() => {
    const most = book?.elementsMax ?? consoleNoteLimits.canvasElementsMax;
    const found = canvasShape(note.text, Math.floor(Math.max(0, most) / boxElements));
    book?.drew((found?.boxes.length ?? 0) * boxElements);
    return { shape: found, elementsMax: most };
  }, [note.text, book]);
  if (shape === undefined) {
    return (
      <>
        <p class="note-limit">{words.canvasBroken}</p>
        <pre class="plain">{note.text.slice(0, consoleNoteLimits.embedCharsMax)}</pre>
      </>
    );
  }
  const { boxes, boxCount, edgeCount } = shape;
  return (
    <figure class="canvas">
      <figcaption>
        {words.canvas(boxCount, edgeCount)}{' '}
        {boxes.length < boxCount && words.canvasCut(boxes.length, boxCount)}
      </figcaption>
      <Drawing note={note} shape={shape} elementsMax={elementsMax} />
    </figure>
  );
}

function Drawing({
  note,
  shape,
  elementsMax,
}: {
  readonly note: ShownNote;
  readonly shape: CanvasShape;
  readonly elementsMax: number;
}) {
  const { boxes, edges, x, y, width, height } = shape;
  const share = Math.min(consoleNoteLimits.boxCharsMax, Math.floor(elementsMax / boxes.length));
  const unit = Math.max(1, width / usualWidth);
  const fontSize = `${textSize * unit}px`;
  return element(
    'div',
    { class: 'wide', tabIndex: 0 },
    <svg viewBox={`${x} ${y} ${width} ${height}`} style={{ fontSize }}>
      <title>{words.canvas(shape.boxCount, shape.edgeCount)}</title>
      {boxes.map((box) => (
        <g key={box.id} class={`canvas-box ${box.holds.type} ${colorOf(box)}`}>
          <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={6 * unit} />
          <foreignObject x={box.x} y={box.y} width={box.width} height={box.height}>
            <div class="canvas-text" dir="auto" style={{ fontSize }}>
              <BoxText box={box} note={note} elementsMax={share} />
            </div>
          </foreignObject>
        </g>
      ))}
      {edges.map(({ d, label, x: labelX, y: labelY }, at) => (
        <g key={at} class="canvas-edge">
          <path d={d} />
          {label !== '' && (
            <text x={labelX} y={labelY} text-anchor="middle">
              {label.slice(0, 80)}
            </text>
          )}
        </g>
      ))}
    </svg>,
  );
}

function colorOf({ color }: CanvasBox): string {
  return color === undefined ? '' : `color-${color}`;
}

function BoxText({
  box,
  note,
  elementsMax,
}: {
  readonly box: CanvasBox;
  readonly note: ShownNote;
  readonly elementsMax: number;
}) {
  const { vault } = useContext(EmbedContext);
  const { holds } = box;
  switch (holds.type) {
    case 'group':
      return <b>{renderText(holds.label, [])}</b>;
    case 'file': {
      const target = targetOfLink(holds.path + holds.subpath, note.targets);
      const name = noteName(holds.path);
      return (
        <>
          <b>{renderLink(target, { vault, children: name, text: name })}</b>
          <br />
          <small>
            {isPicture(holds.path)
              ? words.pictureIn(folderOf(holds.path))
              : `${folderOf(holds.path)} ${holds.subpath}`}
          </small>
        </>
      );
    }
    case 'link': {
      const target = webTarget(holds.address);
      const shown = holds.address.slice(0, 200);
      const host = target.kind === 'web' ? target.host : '';
      return (
        <>
          <b>{host}</b>
          <br />
          {renderLink(target, { vault, children: shown, text: shown })}
          <br />
          <small>{words.onTheWeb}</small>
        </>
      );
    }
    case 'text':
      return <CardText text={holds.text} note={note} elementsMax={elementsMax} />;
  }
}

function CardText({
  text,
  note,
  elementsMax,
}: {
  readonly text: string;
  readonly note: ShownNote;
  readonly elementsMax: number;
}) {
  const { vault } = useContext(EmbedContext);
  return useMemo(() => {
    const { body } = renderTokens(parseNote(text), {
      note,
      vault,
      marks: [],
      anchors: new Map(),
      isEmbedded: true,
      elementsMax,
      Embed: EmbedAsLink,
      Picture: EmbedAsLink,
      Block: undefined,
    });
    return <>{body}</>;
  }, [text, note, vault, elementsMax]);
}

/** In a box, only the name of what is embedded is shown. */
function EmbedAsLink({ path, subpath }: EmbedProps) {
  const { vault } = useContext(EmbedContext);
  return <a href={noteAddress({ vault, path, subpath })}>{noteName(path)}</a>;
}

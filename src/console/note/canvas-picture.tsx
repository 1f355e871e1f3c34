import type { ShownNote } from './shown-note.ts';

/** A canvas as a picture: its boxes with their titles, and the lines between them. */
export function CanvasPicture({
  note,
}: {
  readonly note: ShownNote;
  readonly vault?: string | undefined;
}) {
  return <pre>{note.text}</pre>;
}

/** What a column, a sort or a group is about: a property of the note or the file, or a formula. */
export interface PropertyId {
  readonly kind: 'file' | 'note' | 'formula';
  /** Everything after the first dot, dots and spaces included. */
  readonly name: string;
}

/** Reads a property id: `file.x`, `note.x`, `formula.x`, or the bare name of a note's property. */
export function propertyId(text: string): PropertyId {
  const parts = /^(file|note|formula|property)\.(.+)$/s.exec(text);
  const name = parts?.[2] ?? text;
  switch (parts?.[1]) {
    case 'file':
      return { kind: 'file', name };
    case 'formula':
      return { kind: 'formula', name };
    default:
      return { kind: 'note', name };
  }
}

/** The full text of a property id. */
export function idText({ kind, name }: PropertyId): string {
  return `${kind}.${name}`;
}

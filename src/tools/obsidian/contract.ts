import type { z } from 'zod';
import { filled, noteInput } from '../define/note-input.ts';

interface Told {
  readonly change?: number | null | undefined;
  readonly version?: string | undefined;
}

/**
 * How a tool tells what it has read or changed: as the contract shows it, without the number of the
 * change and the version of the note, which no tool of this toolset takes.
 */
export const contractData = {
  text: ({ change: _change, version: _version, ...data }: Told): string => JSON.stringify(data),
};

/** The contract's own words. */
const Name = filled('Note name (without .md extension) or exact path');

/** The arguments of a tool of the contract that is about one note; see `noteInput`. */
export function seedNoteInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const { published, input } = noteInput(shape);
  return { published: published.extend({ name: Name }), input };
}

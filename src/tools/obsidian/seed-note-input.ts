import type { z } from 'zod';
import { filled, noteInput } from '../define/note-input.ts';

/** The contract's own words. */
const Name = filled('Note name (without .md extension) or exact path');

/** The arguments of a tool of the contract that is about one note; see `noteInput`. */
export function seedNoteInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const { published, input } = noteInput(shape);
  return { published: published.extend({ name: Name }), input };
}

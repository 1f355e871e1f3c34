import type { z } from 'zod';
import { filled, noteInput } from '../define/note-input.ts';

// The contract: this toolset takes the place of the program `obsidian-mcp`. Tools that both have
// keep the arguments and the answers of that program.

interface Answer {
  readonly change?: number | string | null | undefined;
  readonly version?: string | undefined;
}

/**
 * The text of an answer as the contract shows it: without the number of the change and the version
 * of the note, because no tool of this toolset takes them as an argument.
 */
export const contractData = {
  text: ({ change: _change, version: _version, ...data }: Answer): string => JSON.stringify(data),
};

/** The description is that of the contract. */
const Name = filled('Note name (without .md extension) or exact path');

/** The arguments of a tool of the contract that is about one note, as `noteInput` makes them. */
export function contractNoteInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const { published, input } = noteInput(shape);
  return { published: published.extend({ name: Name }), input };
}

import { z } from 'zod';
import type { NoteName } from '../../engine/vault/note-name.ts';
import { filled } from '../define/note-input.ts';

/** The exact path of a file. */
export const NotePath = filled('Path from the root of the vault, e.g. "devlog/topic.md"');

/** The path for operations that take a `NoteName`: it must be exactly this file. */
export function exactly(path: string): NoteName {
  return { path, exact: true };
}

/** The warnings that an answer to any change may have. */
export const warningsShape = { warnings: z.array(z.string()).readonly().optional() };

import { z } from 'zod';
import type { NoteName } from '../../engine/vault/note-name.ts';
import { filled } from '../define/note-input.ts';

/** Which file, exactly: nothing is looked for by name. */
export const NotePath = filled('Path from the root of the vault, e.g. "devlog/topic.md"');

/** The same for the engine. */
export function exactly(path: string): NoteName {
  return { path, exact: true };
}

/** What every change may have to say. */
export const warningsShape = { warnings: z.array(z.string()).readonly().optional() };

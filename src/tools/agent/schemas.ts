import { z } from 'zod';
import { filled } from '../note-input.ts';

/** Which file, exactly: nothing is looked for by name. */
export const NotePath = filled('Path from the root of the vault, e.g. "devlog/topic.md"');

/** What every change may have to say. */
export const warningsShape = { warnings: z.array(z.string()).readonly().optional() };

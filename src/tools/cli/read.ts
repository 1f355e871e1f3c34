import { z } from 'zod';
import { readNote } from '../../engine/operations/read/read-note.ts';
import { defineTool } from '../define/define-tool.ts';
import { NoteName } from './schemas.ts';

export const readTool = defineTool({
  name: 'read',
  title: 'Read a note',
  description: 'Prints a note exactly as it is on disk.',
  effect: 'read',
  input: z.object({ name: NoteName }),
  output: z.object({ path: z.string(), text: z.string(), version: z.string() }),
  record: ['name'],
  positional: ['name'],
  run: (vault, request) => readNote(vault, request),
  text: ({ text }, paint) => paint.content(text),
});

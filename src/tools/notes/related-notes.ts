import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { relatedNotes } from '../../engine/operations/read/related-notes.ts';
import { defineTool } from '../define/define-tool.ts';
import { countOr, noteInput, noteOf } from '../define/note-input.ts';
import { commonGround } from '../wording/common-ground.ts';

export const relatedNotesTool = defineTool({
  name: 'related_notes',
  title: 'Related notes',
  description: 'Notes that have most in common with one: links, tags, rare words.',
  effect: 'read',
  existing: 'name',
  ...noteInput({ limit: countOr(10, 'At most', { min: 1, max: limits.relatedMax }) }),
  output: z.object({
    path: z.string(),
    /** Closest first, each with what it has in common. */
    related: z.record(z.string(), z.string()),
  }),
  record: ['name', 'path', 'limit'],
  run: async (vault, { limit, ...which }) => {
    const { path, notes } = await relatedNotes(vault, { name: noteOf(which), limit });
    return {
      path,
      related: Object.fromEntries(notes.map((note) => [note.path, commonGround(note.common)])),
    };
  },
});

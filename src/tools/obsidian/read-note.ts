import { z } from 'zod';
import { vaultFolder } from '../../base/vault-path.ts';
import { randomNote, readNote } from '../../engine/operations/read/read-note.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, noteOf, optionalText } from '../define/note-input.ts';
import { contractData, contractNoteInput } from './contract.ts';
import { contentShape, shownContent } from './shown-content.ts';

const output = z.object({ path: z.string(), ...contentShape, version: z.string() });

export const readNoteTool = defineTool({
  name: 'obsidian_read_note',
  title: 'Read note',
  description: 'Read the content of a note; a long one comes in parts',
  effect: 'read',
  existing: 'name',
  ...contractNoteInput({
    offset: count('Lines to skip'),
    skip: count('Characters to skip in the first line read'),
    limit: count('Lines to read', { min: 1 }),
  }),
  output,
  record: ['name', 'path', 'offset', 'skip', 'limit'],
  run: async (vault, { offset = 0, skip = 0, limit, ...which }) => {
    const note = await readNote(vault, { name: noteOf(which) });
    const { path, version } = note;
    return { path, ...shownContent(vault, note, { offset, skip, limit }), version };
  },
  ...contractData,
});

export const randomNoteTool = defineTool({
  name: 'obsidian_random_note',
  title: 'Read random note',
  description: 'Read a random note',
  effect: 'read',
  input: z.object({ folder: optionalText('Only in this folder') }),
  output,
  record: ['folder'],
  run: async (vault, { folder = '' }) => {
    const note = await randomNote(vault, { folder: vaultFolder(folder) });
    return { path: note.path, ...shownContent(vault, note), version: note.version };
  },
  ...contractData,
});

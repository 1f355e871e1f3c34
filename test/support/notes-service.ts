import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import type { ToolAnswer, ToolsetVault } from './toolset-service.ts';
import { openToolset } from './toolset-service.ts';

export type NotesAnswer = ToolAnswer;

/** A vault in memory behind the notes toolset, without auto-context. */
export type NotesVault = ToolsetVault;

/** Opens one; each answer is held to the output schema of its tool. */
export function openNotes(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<Parameters<typeof notesToolset>[0]> = {},
): Promise<NotesVault> {
  const { context: _, ...toolset } = notesToolset({
    tagPolicy: 'enforce',
    history: true,
    contextEveryMs: 0,
    ...options,
  });
  return openToolset(files, toolset);
}

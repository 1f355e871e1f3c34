import type { AnyTool } from '../define/define-tool.ts';
import type { Toolset } from '../define/toolset.ts';
import { listProposalsTool } from '../wording/list-proposals.ts';
import { nextSteps } from '../wording/next-step.ts';
import { appendNoteTool, appendSectionTool } from './append-note.ts';
import { type ContextOptions, notesContext } from './context.ts';
import { createNoteTool } from './create-note.ts';
import { dailyNoteTool } from './daily-note.ts';
import { deleteNoteTool } from './delete-note.ts';
import { notesElsewhere } from './elsewhere.ts';
import { getFrontmatterTool } from './get-frontmatter.ts';
import { getLinksTool, relatedNotesTool } from './get-links.ts';
import { insertNoteTool } from './insert-note.ts';
import { notesIntroduction } from './instructions.ts';
import { listChangesTool } from './list-changes.ts';
import { listNotesTool } from './list-notes.ts';
import { listVaultTool } from './list-vault.ts';
import { mergeConflictTool } from './merge-conflict.ts';
import { notesVoice } from './notes-voice.ts';
import { notesPrompts } from './prompts.ts';
import { queryNotesTool } from './query-notes.ts';
import { readNoteTool } from './read-note.ts';
import { readSectionTool } from './read-section.ts';
import { renameNoteTool } from './rename-note.ts';
import { replaceNoteTool } from './replace-note.ts';
import { searchNotesTool } from './search-notes.ts';
import { setFrontmatterTool } from './set-frontmatter.ts';
import { listTasksTool, setTaskTool } from './tasks.ts';
import { undoChangeTool } from './undo-change.ts';
import { updateNoteTool } from './update-note.ts';
import { writeAttachmentTool } from './write-attachment.ts';

/** The options of the notes toolset. */
interface NotesOptions extends ContextOptions {
  /** Whether list_changes and undo_change are served. */
  readonly history: boolean;
  /** Whether the owner has named a folder from which attachments may be added; not unless given. */
  readonly attachFrom?: boolean;
}

/** Where to go on after a failure. */
const notesAdvice = nextSteps({
  search: 'search_notes',
  read: 'read_note',
  list: 'list_notes',
  append: 'append_note',
  create: 'create_note',
  folders: 'list_vault with what "folders"',
  changes: 'list_changes',
  property: 'set_frontmatter',
  daily: 'daily_note',
  tasks: 'list_tasks',
});

/** The tools with which a model reads and writes notes. */
export function notesToolset(options: NotesOptions): Toolset {
  return {
    name: 'notes',
    tools: notesTools(options),
    forProposers: [listProposalsTool],
    voice: notesVoice,
    elsewhere: notesElsewhere,
    advice: notesAdvice,
    prompts: notesPrompts(options),
    ...(options.contextPlace === 'off' ? {} : { context: notesContext(options) }),
    ...notesIntroduction(options),
  };
}

function notesTools({ tagPolicy, history, attachFrom = false }: NotesOptions): readonly AnyTool[] {
  return [
    searchNotesTool,
    listNotesTool,
    listVaultTool,
    readNoteTool,
    readSectionTool,
    getFrontmatterTool,
    getLinksTool,
    relatedNotesTool,
    listTasksTool,
    queryNotesTool,
    createNoteTool(tagPolicy),
    appendNoteTool(tagPolicy),
    appendSectionTool(tagPolicy),
    insertNoteTool(tagPolicy),
    replaceNoteTool(tagPolicy),
    updateNoteTool(tagPolicy),
    dailyNoteTool(tagPolicy),
    setFrontmatterTool(tagPolicy),
    setTaskTool,
    writeAttachmentTool({ attachFrom }),
    renameNoteTool,
    deleteNoteTool,
    mergeConflictTool,
    ...(history ? [listChangesTool, undoChangeTool] : []),
  ];
}

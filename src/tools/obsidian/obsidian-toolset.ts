import type { AnyTool } from '../define/define-tool.ts';
import type { Toolset } from '../define/toolset.ts';
import { appendNoteTool, prependNoteTool } from './add-to-note.ts';
import { commandsTool, openNoteTool, recentsTool, runCommandTool, tabsTool } from './app.ts';
import { bookmarkAddTool, bookmarksTool } from './bookmarks.ts';
import { createNoteTool, uniqueNoteTool } from './create-note.ts';
import { dailyAppendTool, dailyPrependTool, dailyReadTool } from './daily.ts';
import { deleteNoteTool } from './delete-note.ts';
import { fileInfoTool, outlineTool, wordCountTool } from './file-info.ts';
import { filesTool, folderInfoTool, foldersTool } from './files.ts';
import { historyDiffTool, historyReadTool, historyRestoreTool, historyTool } from './history.ts';
import { obsidianIntroduction } from './introduction.ts';
import { backlinksTool, deadEndsTool, linksTool, orphansTool, unresolvedTool } from './links.ts';
import { moveNoteTool, renameNoteTool } from './move-note.ts';
import { obsidianVoice } from './obsidian-voice.ts';
import { propertiesTool, propertyRemoveTool, propertySetTool } from './properties.ts';
import { randomNoteTool, readNoteTool } from './read-note.ts';
import { searchTool } from './search.ts';
import { aliasesTool, tagsTool } from './tags.ts';
import { taskSetTool, tasksTool } from './tasks.ts';
import { templateInsertTool, templateReadTool, templatesTool } from './templates.ts';
import { vaultInfoTool, vaultsTool } from './vault-info.ts';

/** What whoever starts a server tells this toolset. */
export interface ObsidianOptions {
  /** The names of all vaults that are served; the one of the call unless given. */
  readonly vaults?: readonly string[];
}

/** Tools that work like the commands of Obsidian's own command line, mostly without the app. */
export function obsidianToolset(options: ObsidianOptions = {}): Toolset {
  return {
    name: 'obsidian',
    tools: obsidianTools(options),
    voice: obsidianVoice,
    failures: 'errors',
    ...obsidianIntroduction,
  };
}

function obsidianTools({ vaults }: ObsidianOptions): readonly AnyTool[] {
  return [
    createNoteTool,
    readNoteTool,
    appendNoteTool,
    prependNoteTool,
    deleteNoteTool,
    moveNoteTool,
    renameNoteTool,
    openNoteTool,
    fileInfoTool,
    searchTool,
    dailyReadTool,
    dailyAppendTool,
    dailyPrependTool,
    propertiesTool,
    propertySetTool,
    propertyRemoveTool,
    tagsTool,
    aliasesTool,
    linksTool,
    backlinksTool,
    unresolvedTool,
    orphansTool,
    deadEndsTool,
    outlineTool,
    wordCountTool,
    tasksTool,
    taskSetTool,
    templatesTool,
    templateReadTool,
    templateInsertTool,
    filesTool,
    foldersTool,
    folderInfoTool,
    vaultInfoTool,
    vaultsTool(vaults),
    bookmarksTool,
    bookmarkAddTool,
    randomNoteTool,
    uniqueNoteTool,
    historyTool,
    historyReadTool,
    historyDiffTool,
    historyRestoreTool,
    commandsTool,
    runCommandTool,
    tabsTool,
    recentsTool,
  ];
}

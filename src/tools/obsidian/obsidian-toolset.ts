import type { AnyTool } from '../define/define-tool.ts';
import type { Toolset, Voice } from '../define/toolset.ts';
import { listProposalsTool } from '../wording/list-proposals.ts';
import { nextSteps } from '../wording/next-step.ts';
import { failureText, plainPaint } from '../wording/plain-voice.ts';
import { commandsTool, openNoteTool, recentsTool, runCommandTool, tabsTool } from './app.ts';
import { baseCreateTool, baseQueryTool, basesTool, baseViewsTool } from './bases.ts';
import { bookmarkAddTool, bookmarksTool } from './bookmarks.ts';
import { dailyAppendTool, dailyPrependTool, dailyReadTool } from './daily.ts';
import { fileInfoTool, outlineTool, wordCountTool } from './file-info.ts';
import { historyDiffTool, historyReadTool, historyRestoreTool, historyTool } from './history.ts';
import { obsidianIntroduction } from './introduction.ts';
import { backlinksTool, deadEndsTool, linksTool, orphansTool, unresolvedTool } from './links.ts';
import { deleteNoteTool, moveNoteTool, renameNoteTool } from './move-note.ts';
import { propertiesTool, propertyRemoveTool, propertySetTool } from './properties.ts';
import { randomNoteTool, readNoteTool } from './read-note.ts';
import { searchTool } from './search.ts';
import { aliasesTool, tagsTool } from './tags.ts';
import { taskSetTool, tasksTool } from './tasks.ts';
import { templateInsertTool, templateReadTool, templatesTool } from './templates.ts';
import { filesTool, folderInfoTool, foldersTool, vaultInfoTool, vaultsTool } from './vault.ts';
import { appendNoteTool, createNoteTool, prependNoteTool, uniqueNoteTool } from './write-note.ts';

/**
 * A result is the text `{"success":true,"data":{…}}`; a failure is a sentence that says what to do.
 */
const obsidianVoice: Voice = {
  result: (tool, value) => {
    const data = tool.text?.(value, plainPaint) ?? JSON.stringify(value);
    return [{ type: 'text', text: `{"success":true,"data":${data}}` }];
  },
  failure: (error) => [{ type: 'text', text: failureText(error) }],
};

/** Where to go on after a failure. */
const obsidianAdvice = nextSteps({
  search: 'obsidian_search',
  read: 'obsidian_read_note',
  list: 'obsidian_files',
  folders: 'obsidian_folders',
  property: 'obsidian_property_set',
  daily: 'obsidian_daily_read',
});

const setProperty = 'Set it with obsidian_property_set, property "description".';

/** What the toolset needs to know about the server. */
interface ObsidianOptions {
  /** The names of all vaults that are served; absent when the call's own vault is the only one. */
  readonly vaults?: readonly string[];
  /** Whether a note with the tag `claude` and without a description is refused. */
  readonly refusesUndescribed?: boolean;
}

/** Tools that work like the commands of Obsidian's own command line, mostly without the app. */
export function obsidianToolset(options: ObsidianOptions = {}): Toolset {
  return {
    name: 'obsidian',
    tools: obsidianTools(options),
    forProposers: [listProposalsTool],
    voice: obsidianVoice,
    failures: 'errors',
    advice: obsidianAdvice,
    ...obsidianIntroduction,
  };
}

function obsidianTools({
  vaults,
  refusesUndescribed = false,
}: ObsidianOptions): readonly AnyTool[] {
  const description = { isRefused: refusesUndescribed, how: setProperty };
  return [
    createNoteTool(description),
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
    propertySetTool(description),
    propertyRemoveTool(description),
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
    basesTool,
    baseViewsTool,
    baseQueryTool,
    baseCreateTool(description),
    templatesTool,
    templateReadTool,
    templateInsertTool(description),
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

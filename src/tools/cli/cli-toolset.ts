import type { AnyTool, Paint } from '../define/define-tool.ts';
import type { Toolset } from '../define/toolset.ts';
import { baseTool, queryTool } from './bases.ts';
import { batchTool } from './batch.ts';
import { conflictsListTool, conflictsMergeTool, conflictsShowTool } from './conflicts.ts';
import { attachTool, createTool, dailyTool, templateTool, upsertTool } from './create.ts';
import { deleteTool } from './delete.ts';
import {
  appendTool,
  insertTool,
  prependTool,
  replaceSectionTool,
  replaceTool,
  updateTool,
} from './edit.ts';
import { graphTool } from './graph.ts';
import { historyTool, showTool } from './history.ts';
import {
  backlinksTool,
  linksTool,
  linkTool,
  orphansTool,
  relatedTool,
  unresolvedTool,
} from './links.ts';
import { cliToolsetOf } from './load-cli-tool.ts';
import { propertiesTool, renamePropertyTool, setTool, unsetTool } from './properties.ts';
import { factsTool, readTool, sectionTool } from './read.ts';
import { recentTool } from './recent.ts';
import {
  moveFolderTool,
  moveTool,
  renameBlockTool,
  renameHeadingTool,
  renameTool,
} from './rename.ts';
import { searchTool } from './search.ts';
import { addTagsTool, removeTagsTool, renameTagTool, tagsTool } from './tags.ts';
import { tasksTool, taskTool } from './tasks.ts';
import { redoTool, undoTool } from './undo.ts';
import { checkTool, duplicatesTool, infoTool, listTool } from './vault.ts';

/** A group of commands under one title of the help. */
export interface ToolGroup {
  readonly title: string;
  readonly tools: readonly AnyTool[];
}

const reading: readonly AnyTool[] = [
  infoTool,
  listTool,
  readTool,
  sectionTool,
  factsTool,
  searchTool,
  recentTool,
  tasksTool,
  queryTool,
  baseTool,
  linksTool,
  backlinksTool,
  graphTool,
  relatedTool,
  tagsTool,
  propertiesTool,
  unresolvedTool,
  orphansTool,
  duplicatesTool,
  conflictsListTool,
  conflictsShowTool,
  checkTool,
];

const writing: readonly AnyTool[] = [
  createTool,
  upsertTool,
  appendTool,
  prependTool,
  updateTool,
  replaceTool,
  insertTool,
  replaceSectionTool,
  taskTool,
  setTool,
  unsetTool,
  renamePropertyTool,
  addTagsTool,
  removeTagsTool,
  renameTagTool,
  linkTool,
  renameTool,
  moveTool,
  moveFolderTool,
  renameHeadingTool,
  renameBlockTool,
  deleteTool,
  dailyTool,
  templateTool,
  attachTool,
];

/** Every command that is a tool, in the order of the help. */
export const cliToolGroups: readonly ToolGroup[] = [
  { title: 'Reading', tools: reading },
  { title: 'Writing', tools: [...writing, conflictsMergeTool, batchTool(writing)] },
  { title: 'History', tools: [historyTool, showTool, undoTool, redoTool] },
];

/**
 * The commands of the command line that are tools. Results are text for people, in these colours.
 */
export function cliToolset(paint: Paint): Toolset {
  return cliToolsetOf(
    cliToolGroups.flatMap((group) => group.tools),
    paint,
  );
}

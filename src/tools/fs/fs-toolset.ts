import type { Toolset } from '../define/toolset.ts';
import { batchStatTool, existsTool, listTool, statTool, walkTool } from './list.ts';
import { removeTool, renameTool, rmdirTool, trashLocalTool } from './move.ts';
import {
  hashTool,
  readBinaryRangeTool,
  readBinaryTool,
  readTextTool,
  thumbnailTool,
} from './read.ts';
import { searchTool } from './search.ts';
import {
  appendBinaryTool,
  appendTool,
  copyTool,
  mkdirTool,
  writeBinaryTool,
  writeTool,
} from './write.ts';

/**
 * The methods of the remote protocol that read and change the files of a vault. Thumbnails and
 * search are left out where this machine does not have them.
 */
export function fsToolset({
  thumbnails,
  search,
}: {
  readonly thumbnails: boolean;
  readonly search: boolean;
}): Toolset {
  return {
    name: 'fs',
    tools: [
      statTool,
      existsTool,
      listTool,
      walkTool,
      readTextTool,
      readBinaryTool,
      readBinaryRangeTool,
      ...(thumbnails ? [thumbnailTool] : []),
      writeTool,
      writeBinaryTool,
      appendTool,
      appendBinaryTool,
      mkdirTool,
      removeTool,
      rmdirTool,
      renameTool,
      copyTool,
      trashLocalTool,
      batchStatTool,
      hashTool,
      ...(search ? [searchTool] : []),
    ],
    // The remote protocol sends values and no text of them.
    voice: { result: () => [], failure: () => [] },
  };
}

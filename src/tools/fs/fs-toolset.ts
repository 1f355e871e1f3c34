import type { Toolset } from '../define/toolset.ts';
import { appendTool } from './append.ts';
import { appendBinaryTool } from './append-binary.ts';
import { batchStatTool } from './batch-stat.ts';
import { copyTool } from './copy.ts';
import { existsTool } from './exists.ts';
import { fsVoice } from './fs-voice.ts';
import { hashTool } from './hash.ts';
import { listTool } from './list.ts';
import { mkdirTool } from './mkdir.ts';
import { readBinaryTool } from './read-binary.ts';
import { readBinaryRangeTool } from './read-binary-range.ts';
import { readTextTool } from './read-text.ts';
import { removeTool } from './remove.ts';
import { renameTool } from './rename.ts';
import { rmdirTool } from './rmdir.ts';
import { searchTool } from './search.ts';
import { statTool } from './stat.ts';
import { thumbnailTool } from './thumbnail.ts';
import { trashLocalTool } from './trash-local.ts';
import { walkTool } from './walk.ts';
import { writeTool } from './write.ts';
import { writeBinaryTool } from './write-binary.ts';

/** What there is beside the files themselves. */
export interface FsOptions {
  readonly thumbnails: boolean;
  readonly search: boolean;
}

/** The methods of the remote protocol that need no connection: a vault as plain files. */
export function fsToolset({ thumbnails, search }: FsOptions): Toolset {
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
    voice: fsVoice,
  };
}

import { writeFileSync } from 'node:fs';
import { limits } from '../src/base/limits.ts';
import { paintFor } from '../src/cli/shell/terminal.ts';
import { agentToolset } from '../src/tools/agent/agent-toolset.ts';
import { cliToolset } from '../src/tools/cli/cli-toolset.ts';
import { fsToolset } from '../src/tools/fs/fs-toolset.ts';
import { notesToolset } from '../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../src/tools/obsidian/obsidian-toolset.ts';
import { describeTools } from '../src/tools/service/describe-tools.ts';

/** The text of `docs/tools.md`, generated from the definitions of all tools. */
export function toolsDocument(): string {
  const notes = {
    tagPolicy: 'enforce',
    history: true,
    contextEveryMs: limits.contextEveryMs,
  } as const;
  return describeTools([
    cliToolset(paintFor({ isTTY: false }, {})),
    notesToolset(notes),
    obsidianToolset(),
    agentToolset({ sync: true, publish: true }),
    fsToolset({ thumbnails: true, search: true }),
  ]);
}

export function main(): void {
  writeFileSync(new URL('../docs/tools.md', import.meta.url), toolsDocument());
}

import { readFileSync, writeFileSync } from 'node:fs';
import { limits } from '../src/base/limits.ts';
import { paintFor } from '../src/cli/shell/terminal.ts';
import { agentToolset } from '../src/tools/agent/agent-toolset.ts';
import { cliToolset } from '../src/tools/cli/cli-toolset.ts';
import type { AnyTool } from '../src/tools/define/define-tool.ts';
import { fsToolset } from '../src/tools/fs/fs-toolset.ts';
import { notesToolset } from '../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../src/tools/obsidian/obsidian-toolset.ts';
import { describeTools } from '../src/tools/service/describe-tools.ts';
import { main as writeMap } from './write-map.ts';

const notes = notesToolset({
  tagPolicy: 'enforce',
  history: true,
  contextEveryMs: limits.contextEveryMs,
});
const obsidian = obsidianToolset();
const agent = agentToolset({ sync: true, publish: true });

/** The text of `docs/tools.md`, generated from the definitions of all tools. */
export function toolsDocument(): string {
  return describeTools([
    cliToolset(paintFor({ isTTY: false }, {})),
    notes,
    obsidian,
    agent,
    fsToolset({ thumbnails: true, search: true }),
  ]);
}

/** The documents that have generated pieces: figures and lists of tools. */
export const filledDocuments = ['README.md', 'docs/mcp.md'] as const;

/**
 * A document with its generated pieces as they should be. A piece stands between
 * `<!-- generated: name -->` and `<!-- end -->`. Fails on a name that is not in `pieces`.
 */
export function filledDocument(text: string): string {
  return text.replace(
    /(<!-- generated: ([\w-]+) -->).*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const piece = pieces[name];
      if (piece === undefined) throw new Error(`There is no generated piece "${name}".`);
      return start + piece + end;
    },
  );
}

const historyTools = ['list_changes', 'undo_change'];

const pieces: Readonly<Record<string, string>> = {
  'notes-count': String(notes.tools.length),
  'obsidian-count': String(obsidian.tools.length),
  'agent-count': String(agent.tools.length),
  'notes-reading': listed((tool) => tool.effect === 'read'),
  'notes-writing': listed((tool) => tool.effect !== 'read'),
};

/** The names of tools of the notes toolset, those for the history aside. */
function listed(isMeant: (tool: AnyTool) => boolean): string {
  return notes.tools
    .filter((tool) => isMeant(tool) && !historyTools.includes(tool.name))
    .map(({ name }) => `\`${name}\``)
    .join(', ');
}

/** Writes everything in the documents that is generated; the map of the rooms included. */
export function main(): void {
  writeFileSync(new URL('../docs/tools.md', import.meta.url), toolsDocument());
  for (const name of filledDocuments) {
    const file = new URL(`../${name}`, import.meta.url);
    writeFileSync(file, filledDocument(readFileSync(file, 'utf8')));
  }
  writeMap();
}

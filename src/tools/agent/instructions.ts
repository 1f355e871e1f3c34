import { type Effect, type Right, rightTo } from '../../base/caller.ts';
import { proposingRule } from '../define/proposing.ts';
import type { Introduction } from '../define/toolset.ts';

/**
 * What a server with this toolset says about itself; a file of its own, so that no tool is loaded.
 */
export const agentIntroduction: Introduction = { instructions: agentInstructions };

/** The rules for a model that may use tools with these effects; the service adds the vault. */
function agentInstructions(effects: readonly Right[]): string {
  const may = (effect: Effect): boolean => rightTo(effect, effects) !== undefined;
  return [
    'Notes are Obsidian Markdown: properties as YAML between "---" lines at the top, [[links]], #tags.',
    'A path is the exact file from the root of the vault, with ".md". Nothing is found by name: look for notes with vault_search.',
    ...(may('write') ? writingRules : ['Nothing can be changed here.']),
    ...(may('destroy') ? ['Delete notes only when the user asks for it.'] : []),
    ...proposingRule(effects),
  ].join('\n');
}

const writingRules = [
  'note_upsert appends to a note that exists and creates one that does not; it never replaces text. Read before you append, so that nothing is said twice.',
  'Folders: devlog/<topic>.md has one note for each topic, entries are appended under "## YYYY-MM-DD"; adr/ADR-<NNN>-<title>.md has one note for each decision, and _index.md a table of them. adr_create and devlog_append write them: the server gives the number and the date.',
];

import { type Right, rightTo } from '../../base/caller.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { proposingRule } from '../define/proposing.ts';
import type { Introduction } from '../define/toolset.ts';

interface InstructionsOptions {
  readonly tagPolicy: TagPolicy;
  /** Whether `list_changes` and `undo_change` are served. */
  readonly history: boolean;
  /** Whether a first result has the notes with the tag `claude`; see `ContextOptions`. */
  readonly contextPlace?: 'glued' | 'item' | 'off';
}

/** What a client learns about the notes toolset before it uses a tool. */
export function notesIntroduction(options: InstructionsOptions): Introduction {
  return { instructions: (effects) => notesInstructions(options, effects) };
}

/**
 * The basic rules for a model that works with notes. A model that may only read gets no rules about
 * writing. The service adds the names of the vaults.
 */
function notesInstructions(options: InstructionsOptions, effects: readonly Right[]): string {
  return [
    'Notes are Obsidian Markdown: properties as YAML between "---" lines at the top, [[links]], #tags.',
    'Name a note by its name without ".md", or by its path when several share the name. Paths in answers are accepted by every tool. Attachments go by their file names: read_note shows images and sounds.',
    ...(rightTo('write', effects) !== undefined ? writingRules(options, effects) : readingRules),
    ...(options.contextPlace === 'off'
      ? []
      : [
          "One of your first results lists the notes with the tag 'claude' and says when to read each.",
        ]),
  ].join('\n');
}

const readingRules = ['Look for notes with search_notes. Nothing can be changed here.'];

function writingRules(options: InstructionsOptions, effects: readonly Right[]): readonly string[] {
  const newTags = options.tagPolicy === 'off' ? '' : 'creating new tags or ';
  return [
    'Look for notes with search_notes; read a note before you change it.',
    'Never rewrite a whole note to change a part of it: use replace_note, insert_note, append_note or append_section for the text and set_frontmatter for a property. update_note replaces the whole body.',
    'Rename and move with rename_note, which updates the links in all notes; never by creating and deleting. It takes attachments too, and so does delete_note.',
    `Ask the user before ${newTags}deleting notes.`,
    ...(options.history && rightTo('destroy', effects) !== undefined
      ? ['Every change can be undone: list_changes shows them, undo_change takes one back.']
      : []),
    ...proposingRule(effects),
  ];
}

import type { TagPolicy } from '../../engine/tag-rules.ts';

/** The base rules for a model that works with notes; the service adds which vault it is. */
export function notesInstructions(options: {
  readonly tagPolicy: TagPolicy;
  /** Whether `list_changes` and `undo_change` are served. */
  readonly history: boolean;
}): string {
  const newTags = options.tagPolicy === 'off' ? '' : 'creating new tags or ';
  return [
    'Notes are Obsidian Markdown: properties as YAML between "---" lines at the top, [[links]], #tags.',
    'Name a note by its name without ".md", or by its path when several share the name. Paths in answers are accepted by every tool.',
    'Look for notes with search_notes; read a note before you change it.',
    'Never rewrite a whole note to change a part of it: use replace_note, insert_note, append_note or append_section for the text and set_frontmatter for a property. update_note replaces the whole body.',
    'Rename and move with rename_note, which updates the links in all notes; never by creating and deleting.',
    `Ask the user before ${newTags}deleting notes.`,
    ...(options.history
      ? ['Every change can be undone: list_changes shows them, undo_change takes one back.']
      : []),
    "Notes with the tag 'claude' are written for you; your first result lists them and says when to read each.",
  ].join('\n');
}

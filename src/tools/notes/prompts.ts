import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import { checkMarkdown } from '../../engine/notes/find-note.ts';
import { listTagged } from '../../engine/operations/list/list-tags.ts';
import { readNote } from '../../engine/operations/read/read-note.ts';
import { openSection } from '../../engine/operations/read/read-section.ts';
import { tagName } from '../../engine/text/tag-name.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { frameContext } from '../define/frame-context.ts';
import type { Prompt } from '../define/toolset.ts';
import { fitItems } from '../wording/fit-answer.ts';
import type { ShownText } from '../wording/shown-text.ts';
import { cutLineClosing, limited, showText } from '../wording/shown-text.ts';
import type { ContextTextOptions } from './context.ts';
import { contextText } from './context.ts';

/** The prompts of the notes toolset: the context, a note or a section, the notes with a tag. */
export function notesPrompts(options: ContextTextOptions): readonly Prompt[] {
  return [
    {
      name: 'context',
      title: 'Personal notes',
      description: "The notes with the tag 'claude', when to read each, and the tag policy",
      arguments: [],
      run: async (vault) => {
        const { random } = vault.vault.parts;
        return frameContext(await contextText(vault, options), { random, beside: [] });
      },
    },
    {
      name: 'note',
      title: 'Note',
      description: 'The text of a note, or of one of its sections',
      arguments: [
        { name: 'name', description: 'Note name or path', required: true, kind: 'note' },
        { name: 'section', description: 'Heading, or "A > B"', required: false, kind: 'heading' },
      ],
      run: (vault, args) => {
        const name = args['name'] ?? '';
        const section = args['section']?.trim() ?? '';
        return section === '' ? noteText(vault, name) : sectionText(vault, { name, section });
      },
    },
    {
      name: 'tagged',
      title: 'Notes with a tag',
      description: 'The list of notes that have a tag, or one nested under it',
      arguments: [{ name: 'tag', description: 'Tag, # optional', required: true, kind: 'tag' }],
      run: (vault, args) => taggedList(vault, tagName(args['tag'] ?? '')),
    },
  ];
}

async function noteText(vault: BoundVault, name: string): Promise<string> {
  const note = await readNote(vault, { name });
  checkMarkdown(note.path);
  const shown = showText(vault, note, { start: 0, end: note.text.length });
  return `The note "${note.path}":\n\n${shown.text}${closingOf(shown)}`;
}

async function sectionText(
  vault: BoundVault,
  request: { readonly name: string; readonly section: string },
): Promise<string> {
  const { note, section } = await openSection(vault, request);
  const shown = showText(vault, note, section.content);
  const heading = oneLine(section.heading.text, limits.contextLineCharsMax);
  return `The section "${heading}" of the note "${note.path}":\n\n${shown.text}${closingOf(shown)}`;
}

/** The closing line of a text that does not fit; empty when it fits. */
function closingOf(shown: ShownText): string {
  if (!shown.shortened) return '';
  return shown.cut === undefined
    ? `[${limited}: go on with read_note, offset=${shown.last}.]`
    : cutLineClosing(shown, 'read_note, ');
}

async function taggedList(vault: BoundVault, tag: string): Promise<string> {
  const page = { limit: limits.searchResultsMax, offset: 0 };
  const { total, items } = await listTagged(vault, { tag, ...page });
  if (total === 0) {
    throw new VaultError('not_found', `No note has the tag #${tag}.`, { details: { tag } });
  }
  const lines = items.map(({ path }) => `- ${oneLine(path, limits.pathBytesMax)}`);
  const heading = `Notes with the tag #${tag} (${total}):`;
  const shown = fitItems(lines, { heading, tag });
  const rest =
    total > shown.length
      ? `\n… and ${total - shown.length} more: search_notes with query "${tag}", mode "tag", offset ${shown.length}.`
      : '';
  return `${heading}\n\n${shown.join('\n')}${rest}`;
}

import { rightTo } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { oneLine, quotedLine } from '../../base/one-line.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import type { PersonalNote } from '../../engine/operations/read/personal-notes.ts';
import { personalNotes } from '../../engine/operations/read/personal-notes.ts';
import type { TagRow } from '../../engine/ports/index-store.ts';
import { personalTag, visibleTags } from '../../engine/tags/allowed-tags.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { ToolsetContext } from '../define/toolset.ts';

/** The options of the context (`ToolsetContext`) of the notes toolset. */
export interface ContextOptions {
  readonly tagPolicy: TagPolicy;
  /** After this time without a call, a connection gets the context again; 0 means never. */
  readonly contextEveryMs: number;
  /** Where the context stands: behind the first result's text unless given; `off` for nowhere. */
  readonly contextPlace?: 'glued' | 'item' | 'off';
  /** Whether a tag in the text of a note counts too, not only one in its property `tags`. */
  readonly contextBodyTags?: boolean;
}

/** The options that decide what the context says. */
export type ContextTextOptions = Pick<ContextOptions, 'tagPolicy' | 'contextBodyTags'>;

/**
 * The text that the notes toolset gives each connection once: the personal notes, which are those
 * with the tag `claude`, and the tag policy.
 */
export function notesContext(options: ContextOptions): ToolsetContext {
  return {
    everyMs: options.contextEveryMs,
    asItem: options.contextPlace === 'item',
    text: async (vault) => {
      // On a large vault that is read for the first time, a later result gets it.
      const isRead = await vault.waitForIndex('facts', { filesMax: limits.contextFilesMax });
      if (!isRead) return undefined;
      return contextText(vault, options);
    },
  };
}

/** The text of the context. Fails with `timeout` while the index is not ready. */
export async function contextText(
  vault: BoundVault,
  { tagPolicy, contextBodyTags = false }: ContextTextOptions,
): Promise<string> {
  const mayWrite = rightTo('write', vault.caller.scopes.effects) !== undefined;
  const found = await personalNotes(vault, { bodyTags: contextBodyTags });
  const parts = [`## Your personal notes\n\n${notesPart(found, { mayWrite })}`];
  // A caller that may not write needs no rules about tags.
  if (tagPolicy !== 'off' && mayWrite) {
    const tags = await vault.ask('facts', visibleTags(vault));
    parts.push(`## Tag policy\n\n${tagPart(tags, tagPolicy)}`);
  }
  return parts.join('\n\n');
}

function notesPart(
  { total, notes }: { total: number; notes: readonly PersonalNote[] },
  options: { mayWrite: boolean },
): string {
  if (total === 0) {
    // The first two sentences are the seed's (Q7). Alone they read as a failure, and as an order.
    return `No personal notes found. Create notes with tag '${personalTag}' to use auto-context. (Optional: only if the user asks for it.)`;
  }
  const lines = notes.map((note) => noteLine(note, options));
  const more = total - notes.length;
  if (more > 0) {
    lines.push(`… and ${more} more: search_notes with query "${personalTag}", mode "tag".`);
  }
  return `${lines.join('\n')}\n\nUse read_note() to access full content when needed.`;
}

/**
 * One note of the list. Name and description are quoted: they are words of the note. A note without
 * a description is shown with a request to add one.
 */
function noteLine(
  { name, description }: PersonalNote,
  { mayWrite }: { mayWrite: boolean },
): string {
  const request = mayWrite
    ? 'No description yet: set it with set_frontmatter, key "description"; say when to read this note, not what is in it.'
    : 'No description.';
  const line = `- ${quotedLine(name, limits.contextNameCharsMax)} — `;
  if (description === undefined) return oneLine(line + request, limits.contextLineCharsMax);
  return line + quotedLine(description.trim(), limits.contextLineCharsMax - line.length);
}

/** The rules about new tags, with the tags that the vault has. */
function tagPart(tags: readonly TagRow[], policy: Exclude<TagPolicy, 'off'>): string {
  return `${tagsInUse(tags)} Ask the user before creating new tags, and pass those they want in \`new_tags\`.${consequence[policy]}`;
}

const consequence: Readonly<Record<Exclude<TagPolicy, 'off'>, string>> = {
  warn: '',
  enforce: ' Others are refused, in text too.',
  strict: ' Others are refused, in text too.',
};

function tagsInUse(tags: readonly TagRow[]): string {
  if (tags.length === 0) return 'The vault has no tags yet.';
  const common = [...tags].sort((a, b) => b.files - a.files).slice(0, limits.contextTagsMax);
  const named = common.map(({ tag }) => quotedLine(tag.slice(1), limits.contextLineCharsMax));
  const rest = tags.length > common.length ? ` (of ${tags.length}; list_vault lists all)` : '';
  return `Use only tags that the vault has: ${named.join(', ')}${rest}.`;
}

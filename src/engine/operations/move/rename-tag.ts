import { VaultError } from '../../../base/vault-error.ts';
import { renameInAllBases } from '../../moves/keep-bases.ts';
import { checkAllRead, seenPaths, visitTexts } from '../../moves/unread-files.ts';
import { fileKind } from '../../ports/file-kind.ts';
import { tagName } from '../../text/tag-name.ts';
import type { Draft } from '../../vault/draft.ts';

interface RenameTagRequest {
  /** With or without `#`. */
  readonly tag: string;
  readonly newTag: string;
  readonly force?: boolean;
}

/** What renaming a tag did. */
export interface RenamedTag {
  readonly notes: number;
  readonly count: number;
  /** The number of files whose bases name the new tag now; absent for none. */
  readonly bases?: number;
}

/**
 * Renames a tag and those nested under it throughout the vault, in texts, properties and bases. Notes that
 * the caller may not see keep the tag: unlike links, their tags lead nowhere else by that. Fails
 * with `not_found` when no note has the tag, with `unavailable` when some notes cannot be read and
 * `force` is not set, and with `invalid_input` for a text that cannot be a tag.
 */
export async function renameTag(draft: Draft, request: RenameTagRequest): Promise<RenamedTag> {
  const from = tagName(request.tag).replace(/\/+$/, '');
  const to = tagName(request.newTag);
  if (/^\/|\/\/|\/$/.test(to)) {
    throw new VaultError('invalid_input', 'A nested tag has a name on each side of every "/".');
  }
  // The bases first: then no note that this draft has changed is looked through for them.
  const kept = await renameInAllBases(draft, { tag: { from, to } });
  const notesWithTag = (await draft.filesWithTag(from)).filter((path) => fileKind(path) === 'note');
  const paths = await seenPaths(draft, notesWithTag);
  let notes = 0;
  let count = 0;
  const unread = await visitTexts(draft, paths, async (texts, turns) => {
    for (const { path, text } of texts) {
      await turns.next();
      const found = await draft.vault.work('renameTag', text, { from, to });
      if (found.count === 0) continue;
      await draft.write(path, found.text);
      notes += 1;
      count += found.count;
    }
  });
  const force = request.force ?? false;
  await checkAllRead(draft, { what: 'tags', unread: [...unread, ...kept.unread], force });
  if (count === 0) {
    throw new VaultError('not_found', `No note of the vault has the tag "#${from}".`, {
      details: { tag: from },
    });
  }
  return { notes, count, ...(kept.bases === 0 ? {} : { bases: kept.bases }) };
}

import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { filesNaming } from '../../moves/links-into.ts';
import { checkAllRead, visitTexts, warnOfOuterVault } from '../../moves/unread-files.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { NewSubpath, NotePart } from '../../ports/note-work.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';

interface RenamePartRequest {
  readonly name: NoteName;
  readonly force?: boolean;
  readonly version?: VersionStart;
}

/** What renaming a part of a note did. */
export interface RenamedPart {
  readonly path: VaultPath;
  /** The number of links that were rewritten, or replaced along with the text that they were in. */
  readonly links: number;
  /** The number of files with such links. */
  readonly notes: number;
}

/**
 * Renames a part of a note and, in the same change, rewrites the subpaths of all links to it. Fails
 * with `unavailable` when some notes cannot be read and `force` is not set, and with `invalid_input`
 * when the part or a link cannot have the new name.
 */
export async function renamePart(
  draft: Draft,
  request: RenamePartRequest,
  part: NotePart,
): Promise<RenamedPart> {
  const { vault } = draft;
  const { path: target, text: own } = await readMarkdown(draft, request);
  const rename = (subpaths: readonly string[]) =>
    vault.work('renamePart', own, { path: target, part, subpaths });
  const { edits } = await rename([]);
  const { paths, files } = await filesNaming(draft, target);
  const asked = new Set<string>();
  const changed = new Map<string, NewSubpath>();
  let links = 0;
  let notes = 0;
  let misled = 0;
  const unread = await visitTexts(draft, paths, async (texts, turns) => {
    const linking = new Map<VaultPath, readonly string[]>();
    for (const { path, text } of texts) {
      await turns.next();
      linking.set(path, await vault.work('subpathsTo', text, { path, target, files }));
    }
    const unknown = new Set(
      Array.from(linking.values())
        .flat()
        .filter((each) => !asked.has(each)),
    );
    for (const subpath of unknown) asked.add(subpath);
    if (unknown.size > 0) {
      for (const [old, put] of (await rename(Array.from(unknown))).subpaths) changed.set(old, put);
    }
    for (const { path, text } of texts) {
      const isTarget = path === target;
      if (!isTarget && !linking.get(path)?.some((subpath) => changed.has(subpath))) continue;
      await turns.next();
      const change = { path, target, files, subpaths: changed, edits: isTarget ? edits : [] };
      const found = await vault.work('renameInLinks', text, change);
      if (found === undefined) throw unwritable(draft, path);
      misled += found.misled;
      links += found.rewritten;
      if (found.rewritten > 0) notes += 1;
      if (found.text !== text) await draft.write(path, found.text);
    }
  });
  await checkAllRead(draft, { what: 'links', unread, force: request.force ?? false });
  warnOfOuterVault(draft);
  if (misled > 0) {
    draft.warn(
      `${misled} links now lead to another heading: "${target}" has several headings with that text, and links lead to the first.`,
    );
  }
  return { path: target, links, notes };
}

function unwritable(draft: Draft, path: VaultPath): VaultError {
  const where = draft.vault.sees(path) ? `"${path}"` : 'a note';
  return new VaultError(
    'invalid_input',
    `A link in ${where} cannot contain the new text; choose another text.`,
    { details: draft.vault.sees(path) ? { path } : {} },
  );
}

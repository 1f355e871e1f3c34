import { VaultError } from '../../../base/vault-error.ts';
import type { VersionStart } from '../../../base/version.ts';
import { findBlockId } from '../../../markdown/facts/heading-match.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import type { RenamedPart } from './rename-heading.ts';
import { renameInLinks } from './rename-heading.ts';

interface RenameBlockRequest {
  readonly name: NoteName;
  /** The block's id, with or without `^`. */
  readonly block: string;
  readonly newBlock: string;
  readonly force?: boolean;
  readonly version?: VersionStart;
}

/**
 * Gives a block another id, and rewrites every link to it. Fails with `not_found` when the note has
 * no such block, with `already_exists` when another block has the new id, with `invalid_input` when
 * it cannot be an id, and as `renameInLinks` does.
 */
export async function renameBlock(draft: Draft, request: RenameBlockRequest): Promise<RenamedPart> {
  const { path, text } = await readMarkdown(draft, request);
  const facts = scanNote(text);
  const block = findBlockId(facts, request.block);
  if (block === undefined) {
    const candidates = facts.blockIds.slice(0, 20).map(({ id }) => id);
    throw new VaultError('not_found', `"${path}" has no block with that id.`, {
      details: { path, candidates },
    });
  }
  const id = request.newBlock.replace(/^#?\^/, '');
  if (!/^[A-Za-z0-9-]+$/.test(id)) {
    throw new VaultError('invalid_input', 'The id of a block has letters, digits and "-" only.');
  }
  const taken = findBlockId(facts, id);
  if (taken !== undefined && taken !== block) {
    throw new VaultError('already_exists', `"${path}" already has a block "^${taken.id}".`);
  }
  const old = block.id.toLowerCase();
  const counted = await renameInLinks(draft, {
    path,
    edits: id === block.id ? [] : [{ range: block.idRange, text: id }],
    force: request.force ?? false,
    subpathOf: ({ subpath }) => {
      const caret = subpath.lastIndexOf('#^');
      if (caret === -1) return undefined;
      const linked = subpath.slice(caret + 2).trim();
      if (linked.toLowerCase() !== old) return undefined;
      return `${subpath.slice(0, caret)}#^${id}`;
    },
  });
  return { path, ...counted };
}

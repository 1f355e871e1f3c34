import { groupedNumber } from '../../../base/grouped-number.ts';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { extensionOf, fileNameOf, foldName } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { writeLink } from '../../links/write-link.ts';
import { namesAround } from '../../moves/rewrite-links.ts';
import { newAttachmentPath } from '../../new-notes/attachment-path.ts';
import { newPath } from '../../new-notes/new-path.ts';
import { findMarkdown } from '../../notes/find-note.ts';
import { kindsFor, madeExtensions, mediaKind } from '../../ports/media-kind.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { appendNote } from './append-note.ts';
import { countedPath, keepLinksOfOthers } from './create-note.ts';

interface WriteAttachmentRequest {
  /** A name, which goes into the vault's folder for attachments, or a path. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The note that gets the embed, on a line of its own at its end. */
  readonly note?: NoteName;
  /** Whether the attachment of this name is given these bytes; otherwise a new one is made. */
  readonly replace?: boolean;
  /** The version that a replaced attachment must still have. */
  readonly version?: VersionStart;
}

/**
 * Adds a picture, sound, film or PDF to the vault; a number is added to a name that is taken. Its
 * extension must be one of `madeExtensions`, and its first bytes those of such a file. `embed` is the
 * link that shows it in a note, in the vault's own style. Fails with `invalid_input`, with
 * `too_large`, and as `newPath`, `Draft.find` and `appendNote` do.
 */
export async function writeAttachment(
  draft: Draft,
  request: WriteAttachmentRequest,
): Promise<{ readonly path: VaultPath; readonly embed: string; readonly replaced: boolean }> {
  const { name, bytes, replace = false } = request;
  const note = request.note === undefined ? undefined : await findMarkdown(draft, request.note);
  const path = replace ? await replaced(draft, request) : await added(draft, { name, bytes, note });
  const embed = await embedOf(draft, { path, note });
  if (note !== undefined) await appendNote(draft, { name: { path: note }, text: embed });
  return { path, embed, replaced: replace };
}

function checkContent(name: string, bytes: Uint8Array): void {
  const kinds = kindsFor(extensionOf(name));
  if (kinds === undefined) {
    throw new VaultError(
      'invalid_input',
      `An attachment has one of these extensions: ${madeExtensions.join(', ')}.`,
    );
  }
  if (bytes.length > limits.attachmentBytesMax) {
    throw new VaultError(
      'too_large',
      `An attachment has at most ${groupedNumber(limits.attachmentBytesMax)} bytes.`,
    );
  }
  const kind = mediaKind(bytes);
  if (kind !== undefined && kinds.includes(kind)) return;
  const is = kind === undefined ? 'no file of a kind that can be added' : `a ${kind} file`;
  throw new VaultError(
    'invalid_input',
    `The first bytes are those of ${is}, and the name says ${extensionOf(name)}; both must agree.`,
  );
}

async function added(
  draft: Draft,
  asked: Pick<WriteAttachmentRequest, 'name' | 'bytes'> & { readonly note: VaultPath | undefined },
): Promise<VaultPath> {
  const wanted = await newAttachmentPath(draft.vault, asked.name, asked.note);
  const checked = await newPath(draft, wanted);
  checkContent(checked, asked.bytes);
  const path = await countedPath(draft, checked);
  await keepLinksOfOthers(draft, path);
  await draft.create(path, asked.bytes);
  return path;
}

async function replaced(
  draft: Draft,
  { name, bytes, version }: WriteAttachmentRequest,
): Promise<VaultPath> {
  const path = await draft.find(name);
  // The name may have been that of a note: `photo.png` finds `photo.png.md`.
  checkContent(path, bytes);
  await draft.expect(path, version);
  await draft.put(path, bytes);
  draft.overwrites(path);
  return path;
}

/** The link that shows the attachment in this note, or in any note when none is named. */
async function embedOf(
  draft: Draft,
  { path, note }: { readonly path: VaultPath; readonly note: VaultPath | undefined },
): Promise<string> {
  const settings = await draft.vault.vault.settings();
  const byName = await draft.byName(namesAround(foldName(fileNameOf(path))));
  const link = { source: note ?? path, target: path, subpath: '', embed: true };
  const isAnywhere = note === undefined && settings.newLinkFormat === 'relative';
  return writeLink(
    link,
    isAnywhere ? { ...settings, newLinkFormat: 'absolute' } : settings,
    byName,
  );
}

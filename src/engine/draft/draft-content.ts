import { limits } from '../../base/limits.ts';
import { isSameBytes } from '../../base/same-bytes.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { fileKind } from '../ports/file-kind.ts';
import { decodeText } from '../text/scan-file.ts';
import type { DraftFile, NewContent } from './draft-files.ts';

const encoder = new TextEncoder();

/**
 * The content that a file would have after the change; it must have been read (`DraftDisk.load`).
 */
export function contentOf(file: DraftFile): NewContent {
  if (file.after !== undefined) return file.after;
  const { bytes = new Uint8Array(), version = '' as Version } = file.found ?? {};
  return { bytes, version };
}

/**
 * The text of a file. Fails with `invalid_input` when the bytes are not UTF-8: writing the text
 * back would change them.
 */
export function textOf(path: VaultPath, bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text.includes('\ufffd') && !isSameBytes(encoder.encode(text), bytes)) {
    throw new VaultError(
      'invalid_input',
      `"${path}" is not UTF-8 text; convert it first, or it would be damaged.`,
      { details: { path } },
    );
  }
  return text;
}

/** Fails with `too_large` when a note would have more than `limits.noteBytesMax` bytes. */
export function checkNoteSize(path: VaultPath, bytes: Uint8Array): void {
  if (fileKind(path) === 'attachment' || bytes.length <= limits.noteBytesMax) return;
  throw new VaultError(
    'too_large',
    `"${path}" would have ${bytes.length} bytes; a note has at most ${limits.noteBytesMax}.`,
    { details: { path } },
  );
}

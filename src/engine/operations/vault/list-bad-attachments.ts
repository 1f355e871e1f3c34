import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { extensionOf } from '../../../base/vault-path.ts';
import type { FileRow } from '../../ports/index-store.ts';
import type { MediaKind } from '../../ports/media-kind.ts';
import { kindsFor, mediaHeadBytes, mediaKind } from '../../ports/media-kind.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { Turns } from '../../vault/turns.ts';

/** An attachment that cannot be shown, and why. */
export interface BadAttachment {
  readonly path: VaultPath;
  readonly reason: string;
}

/**
 * Lists the pictures, sounds, films and PDFs that are not what their names say, are cut off, or are
 * too large to be shown, by their sizes and their first and last bytes: nothing is decoded, so a file
 * that is damaged in the middle is not found.
 */
export async function listBadAttachments(vault: BoundVault): Promise<readonly BadAttachment[]> {
  const bad: BadAttachment[] = [];
  const turns = new Turns(vault);
  const page = { folder: '', kinds: ['attachment'], sort: 'path' } as const;
  for (let offset = 0, total = 1; offset < total; offset += limits.resultsMax) {
    const found = await vault.ask('names', (store) =>
      store.files(vault.view(), { ...page, limit: limits.resultsMax, offset }),
    );
    for (const file of found.items) {
      await turns.next();
      const reason = await reasonFor(vault, file);
      if (reason !== undefined) bad.push({ path: file.path, reason });
    }
    total = found.total;
  }
  return bad;
}

/** What is wrong with a file; undefined when nothing is, or its kind is none that we know. */
async function reasonFor(
  vault: BoundVault,
  { path, size }: Pick<FileRow, 'path' | 'size'>,
): Promise<string | undefined> {
  const kinds = kindsFor(extensionOf(path));
  if (kinds === undefined || (await vault.stat(path))?.present !== true) return undefined;
  const { disk } = vault.vault.parts;
  const head = await disk.readEnd(path, { from: 0, bytesMax: mediaHeadBytes });
  if (head === undefined) return undefined;
  const kind = mediaKind(head.bytes);
  if (kind === undefined || !kinds.includes(kind)) return 'its content is not what its name says';
  if (isCutOff(kind, head.bytes, size)) return 'it is cut off';
  const isShrunk = kind === 'png' && head.bytes[pngInterlacedAt] !== 1;
  const pixelsMax = isShrunk ? limits.thumbnailPixelsMax : limits.thumbnailWholePixelsMax;
  if (pixelsIn(kind, head.bytes) > pixelsMax) return 'it has too many pixels to be shown';
  const isPicture = ['png', 'jpg', 'gif', 'webp'].includes(kind);
  if (isPicture && size > limits.thumbnailSourceBytesMax) return 'it is too large to be shown';
  if (kind !== 'png' && kind !== 'jpg') return undefined;
  const endBytes = kind === 'png' ? pngEndBytes : jpegEndBytes;
  const part = { from: Math.max(0, size - endBytes), bytesMax: 2 * endBytes };
  const end = (await disk.readEnd(path, part))?.bytes ?? new Uint8Array();
  const isWhole = kind === 'png' ? latin1(end).includes('IEND') : !isInsideScan(end);
  return isWhole ? undefined : 'it is cut off';
}

const pngEndBytes = 32;
const jpegEndBytes = 4_096;
const pngInterlacedAt = 28;

/**
 * Whether a JPEG with these last bytes ends among its pixels. There, the byte 0xff is followed by a zero, or by
 * the number of a restart. A JPEG that is not cut off has its end marker after them, and many have
 * other data behind it, such as a film.
 */
function isInsideScan(end: Uint8Array): boolean {
  let isInside: boolean | undefined;
  for (let at = end.indexOf(0xff); at >= 0; at = end.indexOf(0xff, at + 1)) {
    const next = end[at + 1] ?? 0;
    // Where a scan begins, what came before does not count. Its head says how long it is.
    const [high, low, parts = 0] = end.subarray(at + 2);
    if (next === 0xda && high === 0 && low === 6 + 2 * parts) isInside = true;
    else if (next !== 0 && (next < 0xd0 || next > 0xd7)) isInside = false;
    else isInside ??= true;
  }
  return isInside === true;
}

/** Whether a file is shorter than its first bytes say. */
function isCutOff(kind: MediaKind, head: Uint8Array, size: number): boolean {
  if (kind !== 'webp' && kind !== 'wav') return false;
  return viewOf(head).getUint32(4, true) > size - 8;
}

/** The pixels that the first bytes state at a fixed place; 0 where they do not. */
function pixelsIn(kind: MediaKind, head: Uint8Array): number {
  const view = viewOf(head);
  if (kind === 'png' && head.length >= 24) return view.getUint32(16) * view.getUint32(20);
  if (kind === 'gif' && head.length >= 10) return view.getUint16(6, true) * view.getUint16(8, true);
  return 0;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

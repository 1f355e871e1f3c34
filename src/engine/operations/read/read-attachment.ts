import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { extensionOf } from '../../../base/vault-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { MediaKind } from '../../ports/media-kind.ts';
import { kindsFor, mediaHeadBytes, mediaKind, mediaTypes } from '../../ports/media-kind.ts';
import type { FileStat } from '../../ports/records.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { notFound } from '../../vault/not-found.ts';

/** A picture or a sound as an answer carries it. */
interface Media {
  readonly type: 'image' | 'audio';
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  /** Of a picture, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** A picture, sound, film or document of the vault. */
export interface ReadAttachment {
  readonly path: VaultPath;
  /** By its first bytes; undefined where they are not those of a kind that we know. */
  readonly kind: MediaKind | undefined;
  /** The size of the file. */
  readonly bytes: number;
  readonly media?: Media;
  /** Why it cannot be shown, to follow a semicolon; absent when it is shown. */
  readonly why?: string;
}

interface Room {
  /** How many bytes the answer has room for. */
  readonly bytesMax: number;
  /** How long making a picture smaller may take. */
  readonly ms: number;
}

const oneAlone: Room = {
  bytesMax: limits.shownMediaBytesMax,
  ms: limits.shownPicturesMs,
};

const pictures: readonly (MediaKind | undefined)[] = ['png', 'jpg', 'gif', 'webp'];
const sounds: readonly (MediaKind | undefined)[] = ['mp3', 'm4a', 'wav', 'ogg', 'flac'];

/**
 * Reads a picture, sound, film or document: a picture is made smaller and turned upright, a sound is
 * read as it is. One that is too large, damaged, or of a kind that cannot be shown is answered with
 * the reason. Undefined for a note, and for an attachment that may be text. Fails with `not_found`.
 */
export async function readAttachment(
  vault: BoundVault,
  path: VaultPath,
  room: Room = oneAlone,
): Promise<ReadAttachment | undefined> {
  if (fileKind(path) !== 'attachment') return undefined;
  const stat = await vault.stat(path);
  if (stat === undefined) throw notFound(path);
  const about = { path, bytes: stat.size };
  if (!stat.present) return { ...about, kind: undefined, why: 'it is not downloaded' };
  const kind = await kindOf(vault, path);
  if (kind === undefined) {
    if (kindsFor(extensionOf(path)) === undefined) return undefined;
    return { ...about, kind, why: 'its content is not what its name says' };
  }
  const found = { ...about, kind };
  if (pictures.includes(kind)) return { ...found, ...(await picture(vault, { path, stat, room })) };
  if (!sounds.includes(kind)) return { ...found, why: cannotBeShown[kind] ?? notShown };
  if (stat.size > room.bytesMax) {
    return { ...found, why: `sounds of more than ${room.bytesMax} bytes are not shown` };
  }
  const { bytes } = await vault.read(path, { bytesMax: room.bytesMax });
  return { ...found, media: { type: 'audio', mimeType: mediaTypes[kind], bytes } };
}

const notShown = 'this kind of file cannot be shown';

const cannotBeShown: Partial<Record<MediaKind, string>> = {
  avif: 'only PNG, JPEG, GIF and WebP pictures can be shown',
  heic: 'only PNG, JPEG, GIF and WebP pictures can be shown',
  bmp: 'only PNG, JPEG, GIF and WebP pictures can be shown',
  svg: 'only PNG, JPEG, GIF and WebP pictures can be shown',
};

async function kindOf(vault: BoundVault, path: VaultPath): Promise<MediaKind | undefined> {
  const { disk } = vault.vault.parts;
  const head = await disk.readEnd(path, { from: 0, bytesMax: mediaHeadBytes });
  return head && mediaKind(head.bytes);
}

/** The picture, smaller and upright, or why it cannot be shown. */
async function picture(
  vault: BoundVault,
  { path, stat, room }: { readonly path: VaultPath; readonly stat: FileStat; readonly room: Room },
): Promise<Pick<ReadAttachment, 'media' | 'why'>> {
  const { thumbnails } = vault.vault.parts;
  if (thumbnails === undefined) return { why: 'pictures cannot be made smaller here' };
  const { signal } = vault.caller;
  const read = async (): Promise<Uint8Array> => {
    const content = await vault.read(path, { bytesMax: limits.thumbnailSourceBytesMax });
    if (content.stat.mtimeMs === stat.mtimeMs) return content.bytes;
    throw new VaultError('conflict', `"${path}" changes while it is read; try again.`);
  };
  try {
    const { bytes, format, width, height } = await within(
      vault,
      room.ms,
      thumbnails.make(
        { path, mtimeMs: stat.mtimeMs, size: stat.size },
        { maxDim: limits.shownPictureSideMax, bytesMax: room.bytesMax, signal },
        read,
      ),
    );
    vault.hasRead(path, bytes);
    return { media: { type: 'image', mimeType: `image/${format}`, bytes, width, height } };
  } catch (error) {
    const why = error instanceof VaultError && !signal.aborted ? whyNot[error.code] : undefined;
    if (why === undefined) throw error;
    return { why };
  }
}

/** What a failure to make a picture smaller means for whoever wanted to see it. */
const whyNot: Partial<Record<VaultError['code'], string>> = {
  invalid_input: 'it is damaged, or of a rare kind, and cannot be shown',
  too_large: 'it has too many bytes or pixels to be shown',
  timeout: 'making it smaller took too long',
  unavailable: 'pictures cannot be made smaller here',
  conflict: 'it changes while it is read',
  busy: 'too many pictures are wanted at once; try again later',
};

/** Waits only so long; what is waited for goes on until its own limit. */
async function within<T>(vault: BoundVault, ms: number, work: Promise<T>): Promise<T> {
  let stop = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stop = vault.vault.parts.timers.after(ms, () =>
      reject(new VaultError('timeout', 'This takes too long.')),
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop();
    work.catch(() => undefined); // Nobody waits for it any more.
  }
}

/**
 * Reads the pictures that a note embeds in some of its lines (counted from 1), in the order of its
 * text, each once: at most `limits.shownPicturesMax`, which share the room of one answer. `more` is
 * how many others there are. One that the caller may not see is not there.
 */
export async function readEmbeddedPictures(
  vault: BoundVault,
  note: VaultPath,
  lines: { readonly first: number; readonly last: number },
): Promise<{ readonly pictures: readonly ReadAttachment[]; readonly more: number }> {
  const { items } = await vault.askLinks({ from: [note] }, (store) =>
    store.linkPage(vault.view(), note, { lead: true, limit: limits.resultsMax, offset: 0 }),
  );
  const paths = new Set<VaultPath>();
  for (const { embed, target, line } of items) {
    const isIn = line + 1 >= lines.first && line + 1 <= lines.last;
    if (embed && isIn && target !== undefined && isPicture(target)) paths.add(target);
  }
  const wanted = [...paths].slice(0, limits.shownPicturesMax);
  const shown: ReadAttachment[] = [];
  let left = limits.shownMediaBytesMax;
  const endMs = vault.vault.parts.clock.nowMs() + limits.shownPicturesMs;
  for (const [at, path] of wanted.entries()) {
    const bytesMax = Math.floor(left / (wanted.length - at));
    const ms = Math.max(0, endMs - vault.vault.parts.clock.nowMs());
    const found = await readAttachment(vault, path, { bytesMax, ms }).catch(unlessGone);
    if (found === undefined) continue;
    shown.push(found);
    left -= found.media?.bytes.length ?? 0;
  }
  return { pictures: shown, more: paths.size - wanted.length };
}

/** For `.catch`: a file that is gone by now is left out. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof VaultError) || error.code !== 'not_found') throw error;
}

/** Whether a file is one that is embedded to be seen, by its extension. */
function isPicture(path: VaultPath): boolean {
  return /^(?:png|jpe?g|gif|webp|avif|heic|heif|bmp|svg)$/.test(extensionOf(path));
}

/**
 * Reads the bytes of an attachment as they are, for a client that asks for the file itself, with its
 * type. Fails with `not_found`, and with `too_large` over `limits.resourceBlobBytesMax`.
 */
export async function readBlob(
  vault: BoundVault,
  path: VaultPath,
): Promise<{ readonly bytes: Uint8Array; readonly mimeType: string }> {
  const { bytes } = await vault.read(path, { bytesMax: limits.resourceBlobBytesMax });
  const kind = mediaKind(bytes);
  const mimeType = kind === undefined ? 'application/octet-stream' : mediaTypes[kind];
  return { bytes, mimeType };
}

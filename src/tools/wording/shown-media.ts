import { groupedNumber } from '../../base/grouped-number.ts';
import type { ReadAttachment } from '../../engine/operations/read/read-attachment.ts';
import type { Base64 } from '../../engine/ports/ports.ts';
import type { MediaContent } from '../define/outcome.ts';

/** The kind of an attachment, its size, and how it is shown or why it is not, as one sentence. */
export function attachmentSentence({ path, kind, bytes, media, why }: ReadAttachment): string {
  const is = `${kind === undefined ? 'unknown kind' : names[kind]}, ${groupedNumber(bytes)} bytes`;
  const { width, height } = media ?? {};
  const size = width === undefined ? 'shown' : `shown as ${width} x ${height} pixels`;
  return `${path}: ${is}; ${why ?? size}.`;
}

const names: Readonly<Record<NonNullable<ReadAttachment['kind']>, string>> = {
  png: 'PNG picture',
  jpg: 'JPEG picture',
  gif: 'GIF picture',
  webp: 'WebP picture',
  avif: 'AVIF picture',
  heic: 'HEIC picture',
  bmp: 'BMP picture',
  svg: 'SVG picture',
  pdf: 'PDF',
  mp3: 'MP3 sound',
  m4a: 'M4A sound',
  wav: 'WAV sound',
  ogg: 'Ogg sound',
  flac: 'FLAC sound',
  mp4: 'MP4 film',
  webm: 'WebM film',
};

/** What is shown of these attachments, as MCP carries it. */
export function mediaOf(base64: Base64, attachments: readonly ReadAttachment[]): MediaContent[] {
  return attachments.flatMap(({ media }) =>
    media === undefined
      ? []
      : [{ type: media.type, data: base64.encode(media.bytes), mimeType: media.mimeType }],
  );
}

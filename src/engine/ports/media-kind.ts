/** The kinds of pictures, sounds, films and documents that are told apart by their first bytes. */
export type MediaKind =
  | 'png'
  | 'jpg'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'bmp'
  | 'svg'
  | 'pdf'
  | 'mp3'
  | 'm4a'
  | 'wav'
  | 'ogg'
  | 'flac'
  | 'mp4'
  | 'webm';

/** How many bytes from the beginning of a file `mediaKind` looks at. */
export const mediaHeadBytes = 1_200;

/** The type of each kind, as HTTP and MCP name it. */
export const mediaTypes: Readonly<Record<MediaKind, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/**
 * The kinds that a file with each extension may have if clients make it. Other extensions are for
 * nobody to make: a page or a script (`svg`, `html`, `js`) would run where it is opened.
 */
const kindsOfExtension: Readonly<Record<string, readonly MediaKind[]>> = {
  png: ['png'],
  jpg: ['jpg'],
  jpeg: ['jpg'],
  gif: ['gif'],
  webp: ['webp'],
  avif: ['avif'],
  bmp: ['bmp'],
  pdf: ['pdf'],
  mp3: ['mp3'],
  m4a: ['m4a', 'mp4'],
  wav: ['wav'],
  ogg: ['ogg'],
  flac: ['flac'],
  mp4: ['mp4', 'm4a'],
  webm: ['webm'],
};

/** The extensions with which clients may make attachments. */
export const madeExtensions: readonly string[] = Object.keys(kindsOfExtension);

/**
 * The kind that a file with this extension must have by its first bytes; undefined for an extension
 * that clients may not make, or that nothing is known about.
 */
export function kindsFor(extension: string): readonly MediaKind[] | undefined {
  return Object.hasOwn(kindsOfExtension, extension) ? kindsOfExtension[extension] : undefined;
}

/**
 * The kind of a file by its first bytes (`mediaHeadBytes` are enough); undefined for anything else.
 * Nothing after them is looked at, so the rest may still be damaged.
 */
export function mediaKind(head: Uint8Array): MediaKind | undefined {
  const text = latin1(head.subarray(0, mediaHeadBytes));
  return signs.find(([, sign]) => sign.test(text))?.[0];
}

const signs: readonly (readonly [MediaKind, RegExp])[] = [
  ['png', /^\x89PNG\r\n.\n/s],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
  ['wav', /^RIFF.{4}WAVE/s],
  ['avif', /^.{4}ftyp(?:avif|avis)/s],
  ['heic', /^.{4}ftyp(?:heic|heix|hevc|hevx|heim|heis|mif1|msf1)/s],
  ['m4a', /^.{4}ftyp(?:M4A |M4B )/s],
  ['mp4', /^.{4}ftyp(?:isom|iso[2-9]|mp4[12]|mp71|avc1|dash|M4V |MSNV)/s],
  // The size of the file and four zeros; then where the pixels begin.
  ['bmp', /^BM.{4}\0{4}/s],
  ['pdf', /^%PDF-\d\.\d/],
  ['flac', /^fLaC/],
  ['ogg', /^OggS\0/],
  // Matroska, with the document type a few bytes later.
  ['webm', /^.\x45\xdf\xa3.{0,60}webm/s],
  // Either a tag, or a frame of MPEG audio layer 3: eleven bits, a version, the layer.
  ['mp3', /^(?:ID3[^ -~]|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/],
  // A file in UTF-8 or ASCII whose first element is `svg`.
  [
    'svg',
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,500}?-->\s*)?(?:<!DOCTYPE svg[^>]{0,300}>\s*)?<svg[\s>]/s,
  ],
];

/** Each byte as the character with its number. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

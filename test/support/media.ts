import { makePng } from './make-png.ts';
import { pictures } from './pictures.ts';

/** One small file of each kind, all made here or in `pictures.ts`. */
export const media: Readonly<Record<string, Uint8Array>> = {
  'dot.png': makePng({ width: 8, height: 8 }),
  'photo.jpg': bytesOf(pictures.orientation6Jpeg),
  'moving.gif': bytesOf(pictures.animatedGif),
  'lossy.webp': bytesOf(pictures.lossyWebp),
  'tone.wav': makeWav(400),
  'page.pdf': makePdf('Hello'),
  // Of these, only the beginning: nothing in Vaultdoor decodes them.
  'new.avif': boxed('avif'),
  'phone.heic': boxed('heic'),
  'voice.m4a': boxed('M4A '),
  'film.mp4': boxed('isom'),
  'film.webm': text(
    '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm',
  ),
  'song.mp3': text(`ID3\x03\0\0\0\0\0\0\xff\xfb\x90\x64${'\0'.repeat(400)}`),
  'bird.ogg': text(`OggS\0\x02${'\0'.repeat(60)}`),
  'bird.flac': text(`fLaC\0\0\0\x22${'\0'.repeat(60)}`),
  'old.bmp': text(`BM\x46\0\0\0\0\0\0\0\x36\0\0\0${'\0'.repeat(56)}`),
  'plan.svg': text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
};

/** The files as base64, for arguments. */
export function base64Of(name: string): string {
  return Buffer.from(media[name] ?? []).toString('base64');
}

function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}

function text(latin1: string): Uint8Array {
  return Buffer.from(latin1, 'latin1');
}

/** The first box of a file of the ISO family, which names its kind. */
function boxed(brand: string): Uint8Array {
  return text(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}mif1${'\0'.repeat(40)}`);
}

/** A tone of so many samples, eight bits each, 8,000 in a second. */
function makeWav(samples: number): Uint8Array {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples, 40);
  const tone = Uint8Array.from({ length: samples }, (_, at) => 128 + 60 * Math.sin(at / 3));
  return Buffer.concat([head, tone]);
}

/** One page with one line of text. */
function makePdf(line: string): Uint8Array {
  const stream = `BT /F1 24 Tf 20 20 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 60] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const places: number[] = [];
  for (const [at, object] of objects.entries()) {
    places.push(file.length);
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  return text(
    `${file}xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}

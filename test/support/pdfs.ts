import { readFileSync } from 'node:fs';

const media = new URL('../media/pdf/', import.meta.url);

/** A PDF of `test/media`. */
export function pdf(name: string): Uint8Array {
  return readFileSync(new URL(name, media));
}

/** One of them with bytes changed and the end cut off; for each number always the same. */
export function damagedPdf(round: number): Uint8Array {
  const names = ['ghostscript.pdf', 'libreoffice.pdf', 'tex.pdf', 'encrypted.pdf', 'old-cjk.pdf'];
  const bytes = Uint8Array.from(pdf(names[round % names.length] ?? ''));
  for (let at = round; at < bytes.length; at += 97 + 13 * (round % 50)) bytes[at] = round % 256;
  return bytes.subarray(0, bytes.length - (round % 7) * 50);
}

/** A PDF whose page draws a form that draws ten others, and so on: reading it takes years. */
export function endlessPdf(): Uint8Array {
  const depth = 20;
  const forms = Array.from({ length: depth }, (_, at) => {
    const next = at + 1 < depth ? `${at + 5} 0 R` : '';
    const inner = next === '' ? 'BT /F1 9 Tf (x) Tj ET' : '/X Do '.repeat(10);
    const resources = next === '' ? '' : `/Resources << /XObject << /X ${next} >> >>`;
    return `${at + 4} 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources} /Length ${inner.length} >>\nstream\n${inner}\nendstream\nendobj\n`;
  });
  const content = '/X Do';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents ${depth + 4} 0 R /Resources << /XObject << /X 4 0 R >> >> >>`,
  ].map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`);
  const page = `${depth + 4} 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`;
  const text = `%PDF-1.4\n${objects.join('')}${forms.join('')}${page}trailer\n<< /Root 1 0 R >>\n%%EOF\n`;
  return Buffer.from(text);
}

/** A PDF of so many pages; on the tenth stands "leaf10". */
export function longPdf(count: number): Uint8Array {
  const pages = Array.from({ length: count }, (_, at) => {
    const stream = `BT /F1 12 Tf (leaf${at + 1}) Tj ET`;
    const [page, content] = [4 + 2 * at, 5 + 2 * at];
    return `${page} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n${content} 0 obj\n<< /Length ${stream.length} >>\nstream\n${stream}\nendstream\nendobj\n`;
  });
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`);
  const trailer = 'trailer\n<< /Root 1 0 R >>\n%%EOF\n';
  return Buffer.from(`%PDF-1.4\n${objects.join('')}${pages.join('')}${trailer}`);
}

/** A PDF of one page with this content stream, deflated. */
export function pdfWith(stream: Uint8Array): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R >>',
  ].map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`);
  const head = `%PDF-1.4\n${objects.join('')}4 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`;
  const tail = '\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(tail)]);
}

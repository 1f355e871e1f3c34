import type { PdfText } from '../../engine/ports/documents.ts';
import { readPdfText } from './pdf-text.ts';

/** What the worker that reads PDFs can be asked to do. */
export interface PdfWorker {
  /** Fails as `readPdfText` does. */
  read(bytes: Uint8Array): Promise<PdfText>;
}

/** Loads the library. Fails when it is not beside the program. */
export async function openPdfWorker(): Promise<PdfWorker> {
  const library = await import('./pdf-library.ts');
  return { read: (bytes) => readPdfText(library, bytes) };
}

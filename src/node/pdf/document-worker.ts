import { VaultError } from '../../base/vault-error.ts';
import type { DocumentKind, DocumentPages } from '../../engine/ports/documents.ts';
import { drawingText } from '../../markdown/scan/drawing.ts';
import { readPdfText } from './pdf-text.ts';

/** What the worker that reads documents can be asked to do. */
export interface DocumentWorker {
  /** Fails as `DocumentReader.read` does, for as long as it takes. */
  read(kind: DocumentKind, bytes: Uint8Array): Promise<DocumentPages>;
}

export const documentWorker: DocumentWorker = {
  read: async (kind, bytes) => {
    if (kind === 'drawing') return { pages: [textOn(bytes)], count: 1 };
    // Fails when the library is not beside the program.
    return readPdfText(await import('./pdf-library.ts'), bytes);
  },
};

function textOn(drawing: Uint8Array): string {
  const text = drawingText(new TextDecoder().decode(drawing));
  if (text !== undefined) return text;
  const message = 'The drawing is damaged, or is no drawing: its text cannot be read.';
  throw new VaultError('invalid_input', message);
}

import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { DocumentPages } from '../../engine/ports/documents.ts';

/** What is used of the library `pdfjs-dist`, and what it is given. */
type PdfLibrary = Pick<typeof import('pdfjs-dist'), 'getDocument' | 'VerbosityLevel'> &
  Pick<typeof import('./pdf-cmaps.ts'), 'CMapTables'>;
type PdfDocument = Awaited<ReturnType<PdfLibrary['getDocument']>['promise']>;

/**
 * Reads the text of a PDF with the given library, in this thread, for as long as it takes. Fails with
 * `invalid_input` for a file that is damaged, encrypted or no PDF.
 */
export async function readPdfText(library: PdfLibrary, bytes: Uint8Array): Promise<DocumentPages> {
  const task = library.getDocument({
    data: bytes,
    isEvalSupported: false,
    // Text needs neither fonts nor pictures, and nothing is fetched.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    CMapReaderFactory: library.CMapTables,
    stopAtErrors: false,
    verbosity: library.VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    const count = document.numPages;
    const pages: string[] = [];
    let left: number = limits.pdfTextCharsMax;
    for (let page = 1; page <= Math.min(count, limits.pdfPagesMax) && left > 0; page++) {
      const text = (await pageText(document, page)).slice(0, left);
      left -= text.length;
      pages.push(text);
    }
    return { pages, count };
  } catch (error) {
    throw refusal(error);
  } finally {
    await task.destroy();
  }
}

/** The text of a page, line by line; empty for a page that is damaged. */
async function pageText(document: PdfDocument, number: number): Promise<string> {
  let text = '';
  try {
    const page = await document.getPage(number);
    const reader = page.streamTextContent().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const item of value.items) {
        if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
      }
      if (text.length > limits.pdfTextCharsMax) {
        await reader.cancel();
        break;
      }
    }
    page.cleanup();
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw error;
  }
  // A form feed would end the page (`pageBreak`).
  return text.replaceAll('\f', ' ').trim().replace(brokenWord, '');
}

/** The hyphen and the line break inside a word that was broken at the end of a line. */
const brokenWord = /(?<=\p{Ll})-\n(?=\p{Ll})/gu;

function refusal(error: unknown): VaultError {
  const name = error instanceof Error ? error.name : '';
  const message =
    name === 'PasswordException'
      ? 'The PDF is encrypted: its text can be read only with its password.'
      : 'The PDF is damaged, or is no PDF: its text cannot be read.';
  return new VaultError('invalid_input', message, { cause: error });
}

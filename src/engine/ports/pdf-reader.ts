/** The text of a PDF, page by page. */
export interface PdfText {
  /** The text of the pages from the first on; empty for a page without text, such as a scan. */
  readonly pages: readonly string[];
  /** How many pages the file has. More than `pages` when it has more than `limits.pdfPagesMax`. */
  readonly count: number;
}

/** Reads the text of PDFs, in another thread. */
export interface PdfReader {
  /**
   * Fails with `invalid_input` for a file that is damaged, encrypted or no PDF, `too_large` over the
   * limits, `timeout`, and `cancelled` when the signal is aborted.
   */
  read(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText>;
  close(): Promise<void>;
}

import { extensionOf, type VaultPath } from '../../base/vault-path.ts';
import type { View } from './view.ts';

/** The kinds of attachments whose text is found. */
export type DocumentKind = 'pdf' | 'drawing';

const kinds: Readonly<Record<string, DocumentKind>> = { pdf: 'pdf', excalidraw: 'drawing' };

/** The extensions of attachments whose text is found. */
export const documentExtensions: readonly string[] = Object.keys(kinds);

/** What kind of document a path names, by its extension; undefined for any other file. */
export function documentKind(path: string): DocumentKind | undefined {
  const extension = extensionOf(path);
  return Object.hasOwn(kinds, extension) ? kinds[extension] : undefined;
}

/** A document whose text the index does not have. */
export interface LackingDocument {
  readonly path: VaultPath;
  /** See `FileStat.stamp`. */
  readonly stamp: string;
}

/** The text of a document, or why it cannot be read. A drawing is one page. */
export interface DocumentRecord extends LackingDocument {
  readonly pages: readonly string[];
  readonly problem?: string;
}

/** A document as the index has it. */
export interface DocumentText {
  readonly path: VaultPath;
  readonly text: string;
  readonly problem?: string;
}

/**
 * The part of the index that has the text of PDFs and drawings. They are attachments in every other
 * respect: they have no facts, nothing waits for their text, and `IndexStore.dump` leaves it out.
 */
export interface DocumentStore {
  /** Documents on this disk that have not been read since they last changed, at most `limit`. */
  lackingDocuments(view: View, limit: number): Promise<readonly LackingDocument[]>;
  /** Stores the text of a document, unless the file has another stamp by now or is gone. */
  putDocument(document: DocumentRecord): Promise<void>;
  /**
   * The texts of those of these files that are documents and were read, with `pageBreak` between pages, and
   * what is wrong with them. Of each at most `charsMax` characters.
   */
  documentTexts(
    view: View,
    paths: readonly VaultPath[],
    charsMax: number,
  ): Promise<readonly DocumentText[]>;
}

/** Stands before each page but the first: the line on which it begins has this sign first. */
export const pageBreak = '\n\f';

/** The text of a document, page by page. */
export interface DocumentPages {
  /** The text of the pages from the first on; empty for a page without text, such as a scan. */
  readonly pages: readonly string[];
  /** How many pages the file has. More than `pages` when it has more than `limits.pdfPagesMax`. */
  readonly count: number;
}

/** Reads the text of PDFs and drawings, in another thread. */
export interface DocumentReader {
  /**
   * Fails with `invalid_input` for a file that is damaged, encrypted or none of its kind, `too_large`
   * over the limits, `timeout`, and `cancelled` when the signal is aborted.
   */
  read(kind: DocumentKind, bytes: Uint8Array, signal: AbortSignal): Promise<DocumentPages>;
  close(): Promise<void>;
}

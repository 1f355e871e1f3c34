import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { extensionOf, type VaultPath } from '../../base/vault-path.ts';
import type {
  DocumentPages,
  DocumentReader,
  DocumentRecord,
  LackingDocument,
} from '../ports/documents.ts';
import { documentKind } from '../ports/documents.ts';
import type { Disk } from '../ports/ports.ts';
import { wholeVault } from '../ports/view.ts';
import type { IndexKeeper } from './index-keeper.ts';
import type { Looked } from './keeper-ports.ts';

/** How many documents are asked for at a time. */
const documentsAtOnce = 16;

interface DocumentTextsParts {
  readonly keeper: Pick<IndexKeeper, 'ask' | 'wait' | 'onLooked'>;
  readonly disk: Disk;
  readonly reader: DocumentReader;
}

/**
 * Reads the text of PDFs and drawings into the index: in the background, one after the other, once the
 * text of all notes is there. Nothing waits for it. A file that cannot be read is stored without text
 * and with the reason, which `check` lists; it is read again when it changes.
 */
export class DocumentTexts {
  readonly #parts: DocumentTextsParts;
  readonly #left = new AbortController();
  readonly #stopListening: () => void;
  /** Files that could not be opened, with their stamps: they are not tried again at once. */
  readonly #skipped = new Set<string>();
  #isWanted = false;
  #running: Promise<void> | undefined;

  /** Begins to read, and to listen to what changes. */
  constructor(parts: DocumentTextsParts) {
    this.#parts = parts;
    this.#stopListening = parts.keeper.onLooked((looked) => {
      if (looked === 'all') this.#skipped.clear(); // What could not be opened may be there again.
      if (concernsDocuments(looked)) this.#run();
    });
    this.#run();
  }

  /**
   * Reads a document for a caller, who does not wait for what is read in the background. Fails as
   * `DocumentReader.read` does.
   */
  readNow(path: VaultPath, bytes: Uint8Array, signal: AbortSignal): Promise<DocumentPages> {
    return this.#parts.reader.read(documentKind(path) ?? 'pdf', bytes, signal);
  }

  /** Resolves when nothing is being read. */
  async settle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#left.abort();
    await this.settle();
    await this.#parts.reader.close();
  }

  #run(): void {
    this.#isWanted = true;
    this.#running ??= this.#work()
      // What is left is tried again after the next change, or by the next start.
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
        if (this.#isWanted && !this.#left.signal.aborted) this.#run();
      });
  }

  async #work(): Promise<void> {
    const { keeper } = this.#parts;
    const { signal } = this.#left;
    this.#isWanted = false;
    await keeper.wait('text', { waitMs: Number.POSITIVE_INFINITY, signal });
    for (;;) {
      const max = documentsAtOnce + this.#skipped.size;
      const lacking = await keeper.ask((store) => store.lackingDocuments(wholeVault, max));
      const next = lacking.filter((document) => !this.#skipped.has(keyOf(document)));
      if (next.length === 0) return;
      for (const document of next) await this.#read(document);
    }
  }

  async #read(document: LackingDocument): Promise<void> {
    const { keeper } = this.#parts;
    const record = await this.#recordOf(document);
    if (record === undefined) this.#skipped.add(keyOf(document));
    else await keeper.ask((store) => store.putDocument(record));
  }

  /** What is stored of a document; undefined when it cannot be opened, or is another file by now. */
  async #recordOf(document: LackingDocument): Promise<DocumentRecord | undefined> {
    const { disk, reader } = this.#parts;
    const { signal } = this.#left;
    try {
      const { bytes, stat } = await disk.read(document.path, { bytesMax: limits.pdfBytesMax });
      if (stat.stamp !== document.stamp) return undefined;
      const kind = documentKind(document.path) ?? 'pdf';
      const { pages, count } = await reader.read(kind, bytes, signal);
      const isCut = pages.length < count;
      return { ...document, pages, ...(isCut ? { problem: onlyBeginning(pages.length) } : {}) };
    } catch (error) {
      if (signal.aborted || !(error instanceof VaultError)) throw error;
      const { code, message } = error;
      // The vault, or the reader, is away: all others would fail, too.
      if (code === 'vault_not_found' || code === 'unavailable') throw error;
      if (!isOfFile(code)) return undefined;
      return { ...document, pages: [], problem: message };
    }
  }
}

/** Whether a failure is that of the file itself, and not of the disk or of the reader. */
function isOfFile(code: string): boolean {
  return ['invalid_input', 'too_large', 'timeout'].includes(code);
}

function onlyBeginning(pages: number): string {
  return `The PDF is long: only the text of its first ${pages} pages can be searched.`;
}

function concernsDocuments(looked: Looked): boolean {
  // A path without an extension may be a folder that has come or was renamed.
  return (
    looked === 'all' ||
    looked.some((path) => extensionOf(path) === '' || documentKind(path) !== undefined)
  );
}

function keyOf({ path, stamp }: LackingDocument): string {
  return `${stamp} ${path}`;
}

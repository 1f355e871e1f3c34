import { limits } from '../../base/limits.ts';
import type { ClientDocuments } from '../ports/client-documents.ts';
import type { Client } from './client.ts';
import { readClientDocument } from './client-document.ts';

/** What came of looking for a document; `isPassing`: it may help to try again soon. */
type FoundDocument =
  | { readonly client: Client }
  | { readonly message: string; readonly isPassing: boolean };

/** A document that was good, and when it was fetched; or why there is none. */
interface Kept {
  readonly good?: {
    readonly client: Client;
    readonly fetchedMs: number;
    readonly freshUntilMs: number;
  };
  readonly failed?: {
    readonly atMs: number;
    readonly message: string;
    readonly isPassing: boolean;
  };
}

/**
 * Clients that are known by a document, with the documents that were fetched last. They are kept in
 * memory alone. Ids must have been checked by `documentHost`.
 */
export class DocumentClients {
  readonly #documents: ClientDocuments;
  readonly #nowMs: () => number;
  /** The least recently fetched comes first. */
  readonly #kept = new Map<string, Kept>();
  readonly #fetching = new Map<string, Promise<FoundDocument>>();

  constructor(documents: ClientDocuments, nowMs: () => number) {
    this.#documents = documents;
    this.#nowMs = nowMs;
  }

  /** The client with this id if its document is here and fresh; fetches nothing. */
  kept(id: string): Client | undefined {
    const good = this.#kept.get(id)?.good;
    return good !== undefined && this.#isWithin(good.fetchedMs, good.freshUntilMs)
      ? good.client
      : undefined;
  }

  /** The client with this id; fetches its document where that is needed. Never rejects. */
  async find(id: string): Promise<FoundDocument> {
    const client = this.kept(id);
    if (client !== undefined) return { client };
    const failed = this.#kept.get(id)?.failed;
    if (failed && this.#isWithin(failed.atMs, failed.atMs + limits.clientDocumentFailedMs)) {
      return this.#afterFailure(id, failed);
    }
    const running = this.#fetching.get(id);
    if (running !== undefined) return running;
    if (this.#fetching.size >= limits.clientFetchesMax) {
      return { message: 'Too many documents are being fetched now.', isPassing: true };
    }
    const fetching = this.#fetch(id).finally(() => this.#fetching.delete(id));
    this.#fetching.set(id, fetching);
    return fetching;
  }

  async #fetch(id: string): Promise<FoundDocument> {
    const fetched = await this.#documents.fetch(id);
    const nowMs = this.#nowMs();
    const good = this.#kept.get(id)?.good;
    if ('message' in fetched) {
      const failed = { atMs: nowMs, message: fetched.message, isPassing: true };
      this.#keep(id, good === undefined ? { failed } : { good, failed });
      return this.#afterFailure(id, failed);
    }
    const read = readClientDocument(id, fetched.json);
    if ('message' in read) {
      // The host works and says something else than before: the old document no longer holds.
      const failed = { atMs: nowMs, message: read.message, isPassing: false };
      this.#keep(id, { failed });
      return failed;
    }
    const ageMs = Math.min(
      Math.max(fetched.maxAgeMs ?? limits.clientDocumentAgeMs, limits.clientDocumentAgeMinMs),
      limits.clientDocumentAgeMaxMs,
    );
    const { client } = read;
    this.#keep(id, { good: { client, fetchedMs: nowMs, freshUntilMs: nowMs + ageMs } });
    return { client };
  }

  /** The old document, as long as it may stand in for one that cannot be fetched; or the failure. */
  #afterFailure(id: string, failed: NonNullable<Kept['failed']>): FoundDocument {
    const good = this.#kept.get(id)?.good;
    const usableUntilMs = (good?.freshUntilMs ?? 0) + limits.clientDocumentStaleMs;
    return good !== undefined && this.#isWithin(good.fetchedMs, usableUntilMs)
      ? { client: good.client }
      : { message: failed.message, isPassing: failed.isPassing };
  }

  #keep(id: string, kept: Kept): void {
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= limits.clientDocumentsMax) break;
      this.#kept.delete(oldest);
    }
  }

  /** Whether it is now between these times. When the clock was set back, nothing kept holds. */
  #isWithin(fromMs: number, untilMs: number): boolean {
    const nowMs = this.#nowMs();
    return nowMs >= fromMs && nowMs < untilMs;
  }
}

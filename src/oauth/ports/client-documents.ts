/**
 * What came of fetching the document of a client. `message` is for the owner: it says what is wrong,
 * in one sentence without the address.
 */
export type FetchedDocument =
  | { readonly json: unknown; readonly maxAgeMs?: number }
  | { readonly message: string };

/** Fetches the documents that clients publish at the https address that is their id. */
export interface ClientDocuments {
  /** Never rejects, and ends within `limits.clientDocumentMs`. */
  fetch(url: string): Promise<FetchedDocument>;
}

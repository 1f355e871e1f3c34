import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientDocuments } from '../../src/oauth/ports/client-documents.ts';
import type { EnteredClient, OAuthBook } from '../../src/oauth/ports/oauth-book.ts';
import type { OAuthCrypto } from '../../src/oauth/ports/oauth-crypto.ts';

/** The hashes and the randomness that clients need; passphrases and passkeys are not their business. */
export const clientCrypto: OAuthCrypto = {
  random: (bytes) => randomBytes(bytes),
  sha256: (data) => createHash('sha256').update(data).digest(),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest(),
  isEqual: (one, other) => one.length === other.length && timingSafeEqual(one, other),
  scrypt: () => Promise.reject(new Error('Clients have no passphrases.')),
  verify: () => false,
};

/** The part of an `OAuthBook` that clients use, in memory. */
export function memoryClientBook(
  key = new Uint8Array(32).fill(7),
): Pick<OAuthBook, 'key' | 'clients' | 'changeClients'> {
  let clients: readonly EnteredClient[] = [];
  return {
    key: async () => key,
    clients: async () => clients,
    changeClients: async (decide) => {
      const { keep, answer } = decide(clients);
      clients = keep ?? clients;
      return answer;
    },
  };
}

/** Documents in memory that count how often each was fetched. */
export interface MemoryDocuments extends ClientDocuments {
  readonly fetched: string[];
  answer: ClientDocuments['fetch'];
}

/** Documents that nobody publishes, until `answer` is set. */
export function memoryDocuments(): MemoryDocuments {
  const fetched: string[] = [];
  const documents: MemoryDocuments = {
    fetched,
    answer: async () => ({ message: 'Nothing is there.' }),
    fetch: (url) => {
      fetched.push(url);
      return documents.answer(url);
    },
  };
  return documents;
}

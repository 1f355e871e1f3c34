import type { ClientDocuments } from '../../src/oauth/ports/client-documents.ts';

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

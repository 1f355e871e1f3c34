import type { EnteredClient, Grant, OAuthBook } from '../../src/oauth/ports/oauth-book.ts';

/** A book that is kept in memory. */
export function memoryOAuthBook(key = new Uint8Array(32).fill(7)): OAuthBook {
  const grants = new Map<string, Grant>();
  let clients: readonly EnteredClient[] = [];
  return {
    key: async () => key,
    grants: async () => Array.from(grants.values()),
    grant: async (id) => grants.get(id),
    grantOf: async (sha256) =>
      Array.from(grants.values()).find(({ pairs }) =>
        pairs.some(({ access, refresh }) => access === sha256 || refresh === sha256),
      ),
    change: async (id, decide) => {
      const { keep, answer } = decide(grants.get(id));
      if (keep === 'forget') grants.delete(id);
      else if (keep !== undefined) grants.set(id, keep);
      return answer;
    },
    clients: async () => clients,
    changeClients: async (decide) => {
      const { keep, answer } = decide(clients);
      if (keep !== undefined) clients = keep;
      return answer;
    },
  };
}

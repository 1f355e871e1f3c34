import type { EnteredClient, Grant, OAuthBook } from '../../src/oauth/ports/oauth-book.ts';

/** A book that is kept in memory. What it gives out and what it keeps are copies. */
export function memoryOAuthBook(): OAuthBook {
  const grants = new Map<string, Grant>();
  let clients: readonly EnteredClient[] = [];
  return {
    key: async () => new Uint8Array(32).fill(7),
    grants: async () => structuredClone(Array.from(grants.values())),
    grant: async (id) => structuredClone(grants.get(id)),
    grantOf: async (sha256) =>
      structuredClone(
        Array.from(grants.values()).find(({ pairs }) =>
          pairs.some(({ access, refresh }) => access === sha256 || refresh === sha256),
        ),
      ),
    change: async (id, decide) => {
      const { keep, answer } = decide(structuredClone(grants.get(id)));
      if (keep === 'forget') grants.delete(id);
      else if (keep !== undefined) grants.set(id, structuredClone(keep));
      return answer;
    },
    clients: async () => structuredClone(clients),
    changeClients: async (decide) => {
      const { keep, answer } = decide(structuredClone(clients));
      if (keep !== undefined) clients = structuredClone(keep);
      return answer;
    },
  };
}

import { expect, vi } from 'vitest';
import { HttpProcess } from '../support/http-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { ContractDoor } from './contract-case.ts';
import { connectionOf, type Era } from './sdk-client.ts';
import { serverArgs } from './server-args.ts';
import { startSdkClient } from './stdio-door.ts';

/**
 * The built program twice: the SDK's own client speaks to `vaultdoor bridge`, one process for each
 * connection, and those to one `vaultdoor serve --bridge`.
 */
export function bridgeDoor(era: Era): ContractDoor {
  return {
    name: `stdio-bridge ${era}`,
    async open(folder, options) {
      const args = ['--bridge-port', '0', ...serverArgs(options)];
      const server = await HttpProcess.start({ folder, args });
      // Once it knows the whole vault: what a case asks for then never meets half of it.
      const indexed = vi.waitFor(() => search(server.bridgeUrl), { timeout: 30_000 });
      const home = tempFolder();
      const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
      const url = ['--url', server.bridgeUrl];
      const start = { folder: home, env, program: 'bridge', args: url } as const;
      const user = { era, ...(options.person && { person: options.person }) };
      return {
        async connect() {
          const [client] = await Promise.all([startSdkClient(start, user), indexed]);
          return connectionOf(client);
        },
        // Killed at the end of the test: how it leaves by itself is tested elsewhere.
        close: async () => undefined,
      };
    },
  };
}

/** A plain call, which needs the whole index and belongs to no connection. */
async function search(url: string): Promise<void> {
  const answer = await fetch(`${url}/bridge/v1/tools/search_notes/call`, {
    method: 'POST',
    body: '{"arguments":{"query":"anything"}}',
    headers: { 'content-type': 'application/json' },
  });
  expect(await answer.json()).toMatchObject({ success: true });
}

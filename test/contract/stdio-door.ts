import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { bundle } from '../support/run-cli.ts';
import { type StdioStart, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { ContractDoor } from './contract-case.ts';
import { type Era, newSdkClient, type SdkUser, sdkConnection } from './sdk-client.ts';
import { serverArgs } from './server-args.ts';

/** The built program over stdio, with the SDK's own client: a process for each connection. */
export function stdioDoor(era: Era): ContractDoor {
  return {
    name: `mcp-stdio ${era}`,
    async open(folder, options) {
      // One state and one cache for all connections, as they are for one user.
      const home = tempFolder();
      const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
      const start = { folder, env, args: serverArgs(options) };
      const user = { era, ...(options.person && { person: options.person }) };
      return {
        connect: async () => sdkConnection(await startSdkClient(start, user)),
        close: async () => undefined,
      };
    },
  };
}

/** Starts the program and connects the SDK's client to it. */
export async function startSdkClient(start: StdioStart, user: SdkUser): Promise<Client> {
  const client = newSdkClient(user);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bundle, start.program ?? 'stdio', ...(start.args ?? [])],
    env: stdioEnv(start),
    stderr: 'ignore',
  });
  const { onFinished = onTestFinished } = start;
  onFinished(() => client.close());
  await client.connect(transport);
  return client;
}

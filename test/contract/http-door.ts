import {
  type Client,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { HttpProcess } from '../support/http-process.ts';
import type { ContractDoor } from './contract-case.ts';
import { type Era, newSdkClient, type SdkUser, sdkConnection } from './sdk-client.ts';
import { serverArgs } from './server-args.ts';

/** The built program over HTTP, with the SDK's own client: one process for all connections. */
export function httpDoor(era: Era): ContractDoor {
  return {
    name: `mcp-http ${era}`,
    async open(folder, options) {
      const program = await HttpProcess.start({ folder, args: serverArgs(options) });
      const user = { era, ...(options.person && { person: options.person }) };
      return {
        connect: async () => sdkConnection(await connectSdkClient(program.url, user)),
        // Killed at the end of the test: how it leaves by itself is tested elsewhere.
        close: async () => undefined,
      };
    },
  };
}

/** The SDK's client, connected to a server that runs. */
export async function connectSdkClient(
  url: string,
  user: SdkUser,
  options: StreamableHTTPClientTransportOptions = {},
): Promise<Client> {
  const client = newSdkClient(user);
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  return client;
}

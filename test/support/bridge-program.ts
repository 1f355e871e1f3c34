import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { type Era, newSdkClient } from '../contract/sdk-client.ts';
import { bundle } from './run-cli.ts';
import { StdioProcess, stdioEnv } from './stdio-process.ts';
import { tempFolder } from './temp-folder.ts';

/** How `vaultdoor bridge` is started: a folder that keeps its cache, and what it is told. */
export interface BridgeStart {
  readonly home?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function startOf({ home = tempFolder(), args = [], env = {} }: BridgeStart) {
  const folders = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  return { folder: home, program: 'bridge', args, env: { ...folders, ...env } } as const;
}

/** The built program as `vaultdoor bridge`, spoken to in lines. */
export function bridgeProcess(start: BridgeStart): StdioProcess {
  return new StdioProcess(startOf(start));
}

/** A client of the SDK in front of it, and how often it was told that the tools are others. */
export class BridgeClient {
  readonly sdk: Client;
  told = 0;

  private constructor(sdk: Client) {
    this.sdk = sdk;
  }

  static async start(start: BridgeStart, era: Era = '2025-11-25'): Promise<BridgeClient> {
    const client = new BridgeClient(newSdkClient({ era }));
    const { sdk } = client;
    sdk.setNotificationHandler('notifications/tools/list_changed', () => {
      client.told += 1;
    });
    const given = startOf(start);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bundle, 'bridge', ...given.args],
      env: stdioEnv(given),
      stderr: 'ignore',
    });
    onTestFinished(() => sdk.close());
    await sdk.connect(transport);
    // Clients of this era hear only what they ask for.
    if (era === '2026-07-28') await sdk.listen({ toolsListChanged: true });
    return client;
  }

  async names(): Promise<readonly string[]> {
    return (await this.sdk.listTools()).tools.map(({ name }) => name);
  }

  /** What a model is given: `ok` or `failed`, and the texts. */
  async said(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const result = await this.sdk.callTool({ name, arguments: args });
    const texts = result.content.map((piece) => (piece.type === 'text' ? piece.text : piece.type));
    return `${result.isError === true ? 'failed' : 'ok'}: ${texts.join()}`;
  }
}

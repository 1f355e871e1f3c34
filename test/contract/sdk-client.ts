import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { vi } from 'vitest';
import type { Answer, Connection } from './contract-case.ts';

/** The two eras of the protocol, by a version of each. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** Who uses the client: the era it speaks, and the person behind it, where it can ask one. */
export interface SdkUser {
  readonly era: Era;
  readonly person?: 'agrees' | 'declines';
}

/** The SDK's own client, not connected yet. */
export function newSdkClient({ era, person }: SdkUser): Client {
  const options: ClientOptions = {
    ...(era === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: era } } }),
    ...(person === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
  };
  const client = new Client({ name: 'contract', version: '1.0.0' }, options);
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', (request) => {
      if (person === 'declines') return { action: 'decline' };
      return { action: 'accept', content: agreeing(request.params) };
    });
  }
  return client;
}

/** A connected client as a connection of the contract, once the server knows the whole vault. */
export async function sdkConnection(client: Client): Promise<Connection> {
  // The list of notes needs the whole index: what a case asks for then never meets half of it.
  await vi.waitFor(() => client.listResources(), { timeout: 30_000 });
  return connectionOf(client);
}

/** A connected client as a connection of the contract, as it is. */
export function connectionOf(client: Client): Connection {
  return {
    call: async (name, args) => answerOf(await client.callTool({ name, arguments: { ...args } })),
    list: async () => (await client.listTools()).tools,
    async prompt(name, args) {
      const { messages } = await client.getPrompt({ name, arguments: { ...args } });
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('');
    },
    instructions: async () => client.getInstructions() ?? '',
    close: () => client.close(),
  };
}

/** What the client was given, as a model sees it. */
export function answerOf(result: {
  readonly content: readonly { readonly type: string }[];
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}): Answer {
  const texts = result.content.map((piece) => ('text' in piece ? String(piece.text) : ''));
  return {
    failed: result.isError === true,
    text: texts.join(''),
    pieces: texts.length,
    ...(result.structuredContent === undefined ? {} : { structured: result.structuredContent }),
  };
}

/** "Yes" to every question of a form. */
function agreeing(params: object): Record<string, boolean> {
  const { requestedSchema } = params as { requestedSchema?: { properties?: object } };
  const names = Object.keys(requestedSchema?.properties ?? {});
  return Object.fromEntries(names.map((name) => [name, true]));
}

import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished, vi } from 'vitest';
import { bundle } from '../support/run-cli.ts';
import { type StdioStart, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Answer, Connection, ContractDoor, DoorOptions } from './contract-case.ts';

/** The two eras of the protocol, by a version of each. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** The built program over stdio, with the SDK's own client: a process for each connection. */
export function stdioDoor(era: Era): ContractDoor {
  return {
    name: `mcp-stdio ${era}`,
    async open(folder, options) {
      // One state and one cache for all connections, as they are for one user.
      const home = tempFolder();
      const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
      const start = { folder, env, args: stdioArgs(options) };
      return {
        connect: () =>
          connectSdk(start, { era, ...(options.person && { person: options.person }) }),
        close: async () => undefined,
      };
    },
  };
}

/** The options as the command line spells them. */
export function stdioArgs(options: DoorOptions): string[] {
  const { tagPolicy, historyTools = true, hide = [], readOnly = false } = options;
  const { contextEveryMinutes } = options;
  return [
    ...(tagPolicy === undefined ? [] : ['--tag-policy', tagPolicy]),
    ...(historyTools ? [] : ['--no-history-tools']),
    ...hide.flatMap((glob) => ['--hide', glob]),
    ...(readOnly ? ['--read-only'] : []),
    ...(contextEveryMinutes === undefined ? [] : ['--context-every', String(contextEveryMinutes)]),
  ];
}

/** Starts the program and connects the SDK's client to it. */
export async function startSdkClient(
  start: StdioStart,
  options: { readonly era: Era; readonly person?: 'agrees' | 'declines' },
): Promise<Client> {
  const { era, person } = options;
  const clientOptions: ClientOptions = {
    ...(era === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: era } } }),
    ...(person === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
  };
  const client = new Client({ name: 'contract', version: '1.0.0' }, clientOptions);
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', (request) => {
      if (person === 'declines') return { action: 'decline' };
      return { action: 'accept', content: agreeing(request.params) };
    });
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bundle, 'stdio', ...(start.args ?? [])],
    env: stdioEnv(start),
    stderr: 'ignore',
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** "Yes" to every question of a form. */
function agreeing(params: object): Record<string, boolean> {
  const { requestedSchema } = params as { requestedSchema?: { properties?: object } };
  const names = Object.keys(requestedSchema?.properties ?? {});
  return Object.fromEntries(names.map((name) => [name, true]));
}

async function connectSdk(
  start: StdioStart,
  options: { readonly era: Era; readonly person?: 'agrees' | 'declines' },
): Promise<Connection> {
  const client = await startSdkClient(start, options);
  // The list of notes needs the whole index: what a case asks for then never meets half of it.
  await vi.waitFor(() => client.listResources(), { timeout: 30_000 });
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

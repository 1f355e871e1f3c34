import { setTimeout } from 'node:timers/promises';
import { record } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';

/** A connection to an MCP server. */
export interface Exchange {
  /** Sends a request and answers its result. Fails with `unavailable` and the reason. */
  readonly request: (method: string, params: object) => Promise<unknown>;
  readonly notify: (method: string) => Promise<void>;
}

/** What a server answered to the first call. */
export interface FirstCall {
  /** How many tools the client gets. */
  readonly tools: number;
  /** How many notes it can read; absent when its tools do not count notes. */
  readonly notes?: number;
}

/** For each toolset, a tool that reads, and the field of its answer that counts notes. */
const readingCalls: readonly {
  readonly name: string;
  readonly args: object;
  readonly counts?: string;
}[] = [
  { name: 'list_notes', args: { limit: 1 }, counts: 'total' },
  { name: 'obsidian_vault_info', args: {}, counts: 'notes' },
  { name: 'vault_search', args: { query: 'the' } },
];

/**
 * Does what an MCP client does first: greets the server, asks for its tools, and reads with one of
 * them. A vault that is still being indexed is asked again; `onWait` gets what it says meanwhile.
 * Fails with `unavailable` and the reason.
 */
export async function firstCall(
  { request, notify }: Exchange,
  { version, onWait }: { readonly version: string; readonly onWait: (says: string) => void },
): Promise<FirstCall> {
  const endMs = performance.now() + limits.firstCallMs;
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'vaultdoor-setup', version },
  });
  await notify('notifications/initialized');
  const { tools } = record(await request('tools/list', {}));
  const names = Array.isArray(tools) ? tools.map((tool) => record(tool)['name']) : [];
  const call = readingCalls.find(({ name }) => names.includes(name));
  if (call === undefined) {
    throw new VaultError('unavailable', 'The server offers no tool that reads notes.');
  }
  for (;;) {
    const answer = record(await request('tools/call', { name: call.name, arguments: call.args }));
    const text = textIn(answer['content']);
    if (answer['isError'] !== true) {
      const notes = call.counts === undefined ? undefined : numberIn(text, call.counts);
      return { tools: names.length, ...(notes === undefined ? {} : { notes }) };
    }
    if (!text.includes('still being indexed') || performance.now() > endMs) {
      throw new VaultError('unavailable', text);
    }
    onWait(text);
    await setTimeout(limits.firstCallAgainMs);
  }
}

/** The first text of a tool's answer. Context from notes may stand behind it. */
function textIn(content: unknown): string {
  const [first] = Array.isArray(content) ? content : [];
  return String(record(first)['text'] ?? '').split('\n\n---\n', 1)[0] ?? '';
}

function numberIn(text: string, field: string): number | undefined {
  try {
    const value = record(JSON.parse(text))[field];
    return typeof value === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';

/** What a tool of the agent toolset answers; throws what the client throws, and on a failure. */
export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const result = await client.callTool({ name, arguments: { ...args } });
  if (result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
  return result.structuredContent as Readonly<Record<string, unknown>>;
}

/** The memory that a process has, in KiB; undefined where the system does not say. */
export function memoryKib(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** The lines of a text that occur other than once, of those that should: how often each does. */
export function notOnce(text: string, lines: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map(lines.map((line) => [line, 0]));
  for (const line of text.split('\n')) {
    const count = counts.get(line);
    if (count !== undefined) counts.set(line, count + 1);
  }
  return Object.fromEntries([...counts].filter(([, count]) => count !== 1));
}

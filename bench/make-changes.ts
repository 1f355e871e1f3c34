import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { seededRandom } from './random.ts';

const changesPerSession = 50;
const atOnce = 4;
const names = ['claude-ai', 'cursor-vscode', 'claude-code', 'Visual Studio Code'];

/** Lets clients append lines to notes of a served vault, in sessions of fifty changes each. */
export async function makeChanges(
  url: string,
  { vault, changes }: { readonly vault: string; readonly changes: number },
): Promise<void> {
  const notes = readdirSync(vault, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(vault, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const random = seededRandom(1);
  let left = changes;
  const work = async (): Promise<void> => {
    while (left > 0) {
      const count = Math.min(left, changesPerSession);
      left -= count;
      const client = new Client({ name: random.pick(names), version: '1.0.0' });
      const transport = new StreamableHTTPClientTransport(new URL(url));
      await client.connect(transport);
      for (let number = 1; number <= count; number++) {
        const args = { path: random.pick(notes), text: `Line ${number}: the river has noticed.` };
        const answer = await client.callTool({ name: 'append_note', arguments: args });
        if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
      }
      await transport.terminateSession();
      await client.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

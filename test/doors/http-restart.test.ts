import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { connectSdkClient } from '../contract/http-door.ts';
import { type Era, eras } from '../contract/sdk-client.ts';
import { firstRows, isQuick } from '../support/counts.ts';
import { callTool, notOnce } from '../support/http-clients.ts';
import { HttpProcess } from '../support/http-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The server once more: the same vault, state and port. */
function startAgain(program: HttpProcess): Promise<HttpProcess> {
  const { VAULT_PATH: folder = '' } = program.env;
  const { port } = new URL(program.url);
  return HttpProcess.start({ folder, env: program.env, args: ['--port', port] });
}

/** A client that tries again for as long as a restart may take on a busy machine. */
function connect(program: HttpProcess, era: Era): Promise<Client> {
  const reconnectionOptions = {
    initialReconnectionDelay: 100,
    maxReconnectionDelay: 500,
    reconnectionDelayGrowFactor: 2,
    maxRetries: 100,
  };
  return connectSdkClient(program.url, { era }, { reconnectionOptions });
}

/** Nobody listens, the connection broke, or the server is leaving: nothing else is forgiven. */
const absent = /fetch failed|terminated|is stopping|no longer kept/;

/** Tries again as long as nobody is there. */
async function persist<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!absent.test(String(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const path = 'Log.md';

/** Appends a line and tries again whatever happened. */
function append(client: Client, line: string): Promise<unknown> {
  return persist(() => callTool(client, 'note_upsert', { path, content: line }));
}

/** Appends a line and tries again where it is not there: an unanswered call may have been made. */
function appendWithCare(client: Client, line: string): Promise<unknown> {
  return persist(async () => {
    const { content } = await callTool(client, 'note_read', { path });
    if (String(content).split('\n').includes(line)) return;
    await callTool(client, 'note_upsert', { path, content: line });
  });
}

const writers = Array.from({ length: 8 }, (_, n) => n);
const linesOf = (who: number): string[] => Array.from({ length: 25 }, (_, n) => `${who}: ${n}`);

/** What is written when the server is ended and started again meanwhile. */
async function writeThrough(
  era: Era,
  write: (client: Client, line: string) => Promise<unknown>,
  end: (program: HttpProcess) => Promise<unknown>,
): Promise<string> {
  const folder = tempFolder({ [path]: '' });
  const text = (): string => readFileSync(join(folder, path), 'utf8');
  const program = await HttpProcess.start({ folder });
  const clients = await Promise.all(writers.map(() => connect(program, era)));
  const written = Promise.all(
    clients.map(async (client, who) => {
      for (const line of linesOf(who)) await write(client, line);
    }),
  );
  const isUnderWay = (): void => expect(text().split('\n').length).toBeGreaterThan(30);
  await vi.waitFor(isUnderWay, { timeout: 30_000, interval: 5 });
  await end(program);
  expect(text().split('\n').length).toBeLessThan(allLines.length);
  await startAgain(program);
  await written;
  return text();
}

const allLines = writers.flatMap(linesOf);

describe.each(firstRows(1, eras))('clients of %s that try again', (era) => {
  it('do not notice a restart: all that was not answered was not done', async () => {
    const text = await writeThrough(era, append, async (program) => {
      expect(await program.stop()).toEqual({ code: 0, signal: null });
    });
    expect(notOnce(text, allLines)).toEqual({});
  });

  it.skipIf(isQuick)(
    'do not notice kill -9, calls under way aside, of which they are told',
    async () => {
      const text = await writeThrough(era, appendWithCare, (program) => program.stop('SIGKILL'));
      expect(notOnce(text, allLines)).toEqual({});
    },
  );
});

describe('after a restart', () => {
  it('a client hears of changes once it has subscribed again', async () => {
    const folder = tempFolder({ 'A.md': 'one' });
    const program = await HttpProcess.start({ folder });
    const client = await connect(program, '2025-11-25');
    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      told.push(params.uri);
    });
    const uri = 'vault:///A.md';
    // It may have to wait for the index.
    const subscribe = (): Promise<unknown> =>
      vi.waitFor(() => client.subscribeResource({ uri }), { timeout: 30_000 });
    await subscribe();
    await callTool(client, 'note_upsert', { path: 'A.md', content: 'two' });
    await vi.waitFor(() => expect(told).toEqual([uri]), { timeout: 20_000 });
    await program.stop();
    await startAgain(program);
    await subscribe();
    // Its stream comes back a moment later.
    await vi.waitFor(
      async () => {
        await callTool(client, 'note_upsert', { path: 'A.md', content: 'more' });
        expect(told.length).toBeGreaterThan(1);
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  it('a session that its client has ended stays ended', async () => {
    const folder = tempFolder({ 'A.md': 'one' });
    const program = await HttpProcess.start({ folder });
    const { url } = program;
    const ended = new StreamableHTTPClientTransport(new URL(url));
    const client = new Client({ name: 'leaves', version: '1' });
    await client.connect(ended);
    const { sessionId: id = '' } = ended;
    await ended.terminateSession();
    await program.stop();
    await startAgain(program);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mcp-session-id': id },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(response.status).toBe(404);
  });
});

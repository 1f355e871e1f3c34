import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { connectSdkClient } from '../contract/http-door.ts';
import { callTool, memoryKib, notOnce } from '../support/http-clients.ts';
import { HttpProcess } from '../support/http-process.ts';
import { RawClient } from '../support/raw-http.ts';
import { legacyHello } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const hundred = Array.from({ length: 100 }, (_, n) => n);
const user = { era: '2025-11-25' } as const;

/** What one of them does in a round: reads, searches, and appends to a shared note and its own. */
async function work(client: Client, who: number, round: number): Promise<void> {
  const [read, found] = await Promise.all([
    callTool(client, 'note_read', { path: 'Start.md' }),
    callTool(client, 'vault_search', { query: '^moss \\d', path_filter: 'Start.md' }),
    callTool(client, 'note_upsert', { path: 'Shared.md', content: `${who} in round ${round}` }),
    callTool(client, 'note_upsert', { path: `own/${who}.md`, content: `round ${round}` }),
  ]);
  expect(read).toEqual({ content: 'moss 1\n', exists: true });
  expect(found['results']).toEqual([{ path: 'Start.md', line: 1, text: 'moss 1' }]);
}

const rounds = [1, 2];
const sharedLines = hundred.flatMap((who) => rounds.map((round) => `${who} in round ${round}`));

function expectAllThere(folder: string): void {
  const text = (path: string): string => readFileSync(join(folder, path), 'utf8');
  expect(notOnce(text('Shared.md'), sharedLines)).toEqual({});
  const own = rounds.map((round) => `round ${round}`);
  const lost = hundred.filter((who) => Object.keys(notOnce(text(`own/${who}.md`), own)).length > 0);
  expect(lost).toEqual([]);
}

it('a hundred sessions read, search and append at once, and nothing is lost', async () => {
  const folder = tempFolder({ 'Start.md': 'moss 1\n', 'Shared.md': '' });
  const program = await HttpProcess.start({ folder });
  const { pid } = program.child;
  const clients = await Promise.all(hundred.map(() => connectSdkClient(program.url, user)));
  for (const round of rounds) {
    await Promise.all(clients.map((client, who) => work(client, who, round)));
  }
  expectAllThere(folder);
  console.info(`a hundred sessions, after their work: ${memoryKib(pid)} KiB`);
  expect(await program.stop()).toEqual({ code: 0, signal: null });
  expectAllThere(folder);
});

/** How many sessions the server holds open. */
const sessionsMax = 1_000;

it('a session costs kilobytes; the one that is idle longest makes room, and can go on', async () => {
  const program = await HttpProcess.start({
    folder: tempFolder({ 'A.md': 'x' }),
    args: ['--log-level', 'debug'],
  });
  const { url, child } = program;
  const ids: string[] = [];
  const beginMany = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) ids.push(await begin(url));
  };
  await beginMany(100); // Whatever is loaded for the first ones is there then.
  const before = memoryKib(child.pid);
  await beginMany(sessionsMax - 100);
  const after = memoryKib(child.pid);
  expect(program.stderr).not.toContain('ends=room');
  await beginMany(1);
  await program.says(() => program.stderr.includes('ends=room'));
  expect(await call(url, ids[0])).toMatchObject({ content: 'x', exists: true });

  for (const id of ids) {
    await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
  }
  await program.says(() => /ends=deleted sessions=0$/m.test(program.stderr));
  const ended = memoryKib(child.pid);
  if (before === undefined || after === undefined) return;
  const each = Math.round((after - before) / (sessionsMax - 100));
  console.info(
    `a session: ${each} KiB (100: ${before} KiB, ${sessionsMax}: ${after} KiB, all ended: ${ended} KiB)`,
  );
  expect(each).toBeLessThan(500); // A connection of its own to the index would be megabytes.
});

it('clients that never read what they are sent slow nobody', async () => {
  // As long as a note may be, of what JSON makes longer.
  const folder = tempFolder({
    'Start.md': 'moss 1\n',
    'Shared.md': '',
    'Long.md': '"'.repeat(1 << 20),
  });
  const program = await HttpProcess.start({ folder });
  const { hostname: host, port } = new URL(program.url);
  const stuck = await Promise.all(
    hundred.slice(0, 20).map(async (n) => {
      const id = await begin(program.url);
      const client = new RawClient({ host, port: Number(port) });
      client.socket.pause();
      const head = `Host: ${host}:${port}\r\nmcp-session-id: ${id}\r\n`;
      const params = { name: 'note_read', arguments: { path: 'Long.md' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params });
      const type = 'Content-Type: application/json\r\nAccept: text/event-stream, application/json';
      client.send(
        `POST /mcp HTTP/1.1\r\n${head}${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const listener = new RawClient({ host, port: Number(port) });
      listener.socket.pause();
      listener.send(`GET /mcp HTTP/1.1\r\n${head}Accept: text/event-stream\r\n\r\n`);
      return [client, listener];
    }),
  );
  const clients = await Promise.all(hundred.map(() => connectSdkClient(program.url, user)));
  for (const round of rounds) {
    await Promise.all(clients.map((client, who) => work(client, who, round)));
  }
  expectAllThere(folder);
  // They are still there, and have not read anything.
  expect(
    stuck.flat().filter(({ socket, received }) => socket.destroyed || received !== ''),
  ).toEqual([]);
  console.info(`with clients that do not read: ${memoryKib(program.child.pid)} KiB`);
  for (const client of stuck.flat()) client.leave();
  expect(await program.stop()).toEqual({ code: 0, signal: null });
});

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Begins a session as a client that then goes away, and answers its id. */
async function begin(url: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: legacyHello });
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

/** Reads the note A in a session. */
async function call(url: string, id = ''): Promise<unknown> {
  const params = { name: 'note_read', arguments: { path: 'A.md' } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json', 'mcp-session-id': id },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const answer = (await response.json()) as { result?: { structuredContent?: unknown } };
  return answer.result?.structuredContent;
}

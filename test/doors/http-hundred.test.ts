import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { connectSdkClient } from '../contract/http-door.ts';
import { counted, isQuick } from '../support/counts.ts';
import { callTool, memoryKib, notOnce } from '../support/http-clients.ts';
import { HttpProcess } from '../support/http-process.ts';
import { RawClient } from '../support/raw-http.ts';
import { legacyHello } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const user = { era: '2025-11-25' } as const;
const files = { 'Start.md': 'moss 1\n', 'Shared.md': '' };
const rounds = [1, 2];

/** What a client does in a round: reads, searches, and appends to a shared note and its own. */
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

/** So many sessions work at once; all that they have written must be there, once. */
async function workAtOnce(program: HttpProcess, folder: string, sessions: number): Promise<void> {
  const all = Array.from({ length: sessions }, (_, who) => who);
  const clients = await Promise.all(all.map(() => connectSdkClient(program.url, user)));
  for (const round of rounds) {
    await Promise.all(clients.map((client, who) => work(client, who, round)));
  }
  const text = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const shared = all.flatMap((who) => rounds.map((round) => `${who} in round ${round}`));
  expect(notOnce(text('Shared.md'), shared)).toEqual({});
  const own = rounds.map((round) => `round ${round}`);
  expect(all.map((who) => notOnce(text(`own/${who}.md`), own))).toEqual(all.map(() => ({})));
}

/** How many sessions work at the same time. */
const many = counted({ quick: 10, full: 100 });

it(`${many} sessions read, search and append at once, and nothing is lost`, async () => {
  const folder = tempFolder(files);
  const program = await HttpProcess.start({ folder });
  await workAtOnce(program, folder, many);
  console.info(`${many} sessions, after their work: ${memoryKib(program.child.pid)} KiB`);
  expect(await program.stop()).toEqual({ code: 0, signal: null });
}, 180_000);

/** How many sessions the server holds open for one address without a token. */
const sessionsMax = limits.sessionsPerAddressMax;

it.skipIf(isQuick)(
  'a session costs kilobytes; the one that is idle longest makes room, and can go on',
  async () => {
    const program = await HttpProcess.start({
      folder: tempFolder({ 'A.md': 'x' }),
      args: ['--log-level', 'debug'],
    });
    const { url, child } = program;
    const ids: string[] = [];
    const beginMany = async (count: number): Promise<void> => {
      const some = Array.from({ length: count }, () => begin(url));
      ids.push(...(await Promise.all(some)));
    };
    await beginMany(100); // Whatever is loaded for the first ones is there then.
    const before = memoryKib(child.pid);
    for (let n = 100; n < sessionsMax; n += 100) await beginMany(100);
    const after = memoryKib(child.pid);
    expect(program.stderr).not.toContain('ends=room');
    await beginMany(1);
    await program.says(() => program.stderr.includes('ends=room'));
    expect(await call(url, ids[0])).toMatchObject({ content: 'x', exists: true });

    const end = (id: string): Promise<Response> =>
      fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
    while (ids.length > 0) await Promise.all(ids.splice(0, 100).map(end));
    await program.says(() => /ends=deleted sessions=0$/m.test(program.stderr));
    const ended = memoryKib(child.pid);
    if (before === undefined || after === undefined) return;
    const each = Math.round((after - before) / (sessionsMax - 100));
    console.info(
      `a session: ${each} KiB (100: ${before} KiB, ${sessionsMax}: ${after} KiB, all ended: ${ended} KiB)`,
    );
    expect(each).toBeLessThan(500); // A connection of its own to the index would be megabytes.
  },
);

it('clients that never read what they are sent slow nobody', async () => {
  // As long as a note may be, of what JSON makes longer.
  const folder = tempFolder({ ...files, 'Long.md': '"'.repeat(1 << 20) });
  const program = await HttpProcess.start({ folder });
  const { hostname: host, port } = new URL(program.url);
  const params = { name: 'note_read', arguments: { path: 'Long.md', limit: 1 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const stuck: RawClient[] = [];
  for (let n = 0; n < 20; n++) {
    const lines = [`Host: ${host}:${port}`, `mcp-session-id: ${await begin(program.url)}`];
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const listen = ['GET /mcp HTTP/1.1', ...lines, 'Accept: text/event-stream', '', ''];
    const ask = ['POST /mcp HTTP/1.1', ...lines, ...type, '', body];
    for (const request of [listen, ask]) {
      const client = new RawClient({ host, port: Number(port) });
      client.socket.pause();
      stuck.push(client.send(request.join('\r\n')));
    }
  }
  await workAtOnce(program, folder, counted({ quick: 5, full: 20 }));
  console.info(`with clients that do not read: ${memoryKib(program.child.pid)} KiB`);
  expect(stuck.filter(({ received }) => received !== '')).toEqual([]); // As it was meant.
  for (const client of stuck) client.leave();
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

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSdkClient } from '../contract/stdio-door.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Embedding goes on in the background, on machines that may be busy. */
const patience = { timeout: 30_000, interval: 100 };
const onlyWords = expect.stringContaining('only words were searched for');

/** An endpoint that takes cats, and nothing else, for the same; and what it was sent. */
async function startEndpoint() {
  const seen = { isGone: false, sent: [] as string[] };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { input } = JSON.parse(body) as { input: string[] };
    seen.sent.push(...input);
    if (seen.isGone) return void request.socket.destroy();
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
    response.end(JSON.stringify({ data }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(seen, { address: `http://127.0.0.1:${port}` });
}

function vectorOf(text: string): number[] {
  const isCat = /kitten|feline/.test(text);
  return Array.from({ length: 32 }, (_, at) =>
    at === 0 ? (isCat ? 20 : 0) : 1 + ((text.length * (at + 3)) % 7),
  );
}

function vaultOfCats(): string {
  const others = Array.from({ length: 30 }, (_, at) => [`Other/${at}.md`, 'word '.repeat(at + 1)]);
  return tempFolder({ 'Sofa.md': 'Our feline friend sleeps.\n', ...Object.fromEntries(others) });
}

async function start(folder: string, env: Record<string, string>, args: readonly string[]) {
  const all = ['--context', 'off', ...args];
  const client = await startSdkClient({ folder, env, args: all }, { era: '2025-11-25' });
  const search = async (query: string): Promise<{ paths: string[]; hint?: string }> => {
    const { content } = await client.callTool({ name: 'search_notes', arguments: { query } });
    const [piece] = content;
    const answer = JSON.parse(piece?.type === 'text' ? piece.text : '{}');
    return { ...answer, paths: answer.hits.map(({ path }: { path: string }) => path) };
  };
  return { client, search };
}

it('notes are found by meaning where the cache cannot be written, and the answer says when they are not', async () => {
  const endpoint = await startEndpoint();
  const home = tempFolder({ file: 'no folder' });
  const env = { XDG_CACHE_HOME: join(home, 'file', 'cache'), XDG_STATE_HOME: home };
  const embed = ['--embed', endpoint.address, '--embed-model', 'cats'];
  const { client, search } = await start(vaultOfCats(), env, embed);
  await vi.waitFor(async () => {
    const { paths, hint } = await search('kitten');
    expect([paths, hint]).toEqual([['Sofa.md'], undefined]);
  }, patience);
  endpoint.isGone = true;
  expect(await search('purring')).toMatchObject({ paths: [], hint: onlyWords });
  expect(await search('feline')).toMatchObject({ paths: ['Sofa.md'], hint: onlyWords });
  await client.close();
});

it('a second process shares the vectors, and one with another model leaves them alone', async () => {
  const endpoint = await startEndpoint();
  const home = tempFolder();
  const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  const folder = vaultOfCats();
  const embed = ['--embed', endpoint.address, '--embed-model'];
  const first = await start(folder, env, [...embed, 'cats']);
  await vi.waitFor(async () => {
    const { paths, hint } = await first.search('kitten');
    expect([paths, hint]).toEqual([['Sofa.md'], undefined]);
  }, patience);
  const before = endpoint.sent.length;
  const second = await start(folder, env, [...embed, 'cats']);
  await vi.waitFor(async () => {
    expect((await second.search('kitten')).paths).toEqual(['Sofa.md']);
  }, patience);
  const other = await start(folder, env, [...embed, 'dogs']);
  expect(await other.search('kitten')).toMatchObject({ paths: [], hint: onlyWords });
  expect((await first.search('kitten')).paths).toEqual(['Sofa.md']);
  expect(new Set(endpoint.sent.slice(before))).toEqual(new Set(['kitten'])); // No note again.
  await first.client.close();
  await second.client.close();
  // The other one goes on alone: its model decides now.
  await vi.waitFor(async () => {
    const { paths, hint } = await other.search('kitten');
    expect([paths, hint]).toEqual([['Sofa.md'], undefined]);
  }, patience);
  await other.client.close();
});

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The built program tells its owner that something waits.

/** A server on loopback, and the bodies that it was sent. */
async function receiver(): Promise<{ readonly bodies: string[]; readonly url: string }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

/** A program that adds what it was given to a file. */
function recorder(): { readonly file: string; readonly told: () => readonly unknown[] } {
  const folder = tempFolder();
  const file = join(folder, 'tell');
  const out = join(folder, 'out');
  const code = `const fs = require('fs');
fs.appendFileSync(${JSON.stringify(out)}, JSON.stringify([process.argv.slice(2), JSON.parse(fs.readFileSync(0))]) + '\\n');`;
  writeFileSync(file, `#!${process.execPath}\n${code}\n`);
  chmodSync(file, 0o755);
  const lines = (): string[] =>
    existsSync(out) ? readFileSync(out, 'utf8').trimEnd().split('\n') : [];
  return { file, told: () => lines().map((line) => JSON.parse(line) as unknown) };
}

it.skipIf(process.platform === 'win32')('of proposals, by HTTP and by a program', async () => {
  const { bodies, url } = await receiver();
  const { file, told } = recorder();
  const folder = join(tempFolder({ "Anna's notes/Diary.md": 'moss\n' }), "Anna's notes");
  const args = ['--propose', '--notify', url, '--notify-command', file];
  const client = new StdioProcess({ folder, args });
  await client.initialize({ clientInfo: { name: 'Claude\nCode', version: '2' } });
  const append = (text: string) =>
    client.request('tools/call', { name: 'append_note', arguments: { name: 'Diary', text } });
  await append('fern');
  await vi.waitFor(() => expect(bodies).toHaveLength(1), 10_000);
  await append('lichen'); // Within the same minute, of which the owner is told no more.
  const { code } = await client.end();
  expect(code).toBe(0);
  const command = `vaultdoor proposals --vault '${folder.replaceAll("'", "'\\''")}'`;
  const text = `1 new proposal of Claude Code/2 waits for you in "Anna's notes". Answer with:\n${command}`;
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
    {
      waiting: 1,
      questions: 0,
      proposals: 1,
      client: 'Claude Code/2',
      vaults: ["Anna's notes"],
      answers: [command],
      text,
    },
  ]);
  expect(told()).toEqual([[[text], expect.objectContaining({ waiting: 1 })]]);
  expect(bodies.join('')).not.toMatch(/Diary|fern|lichen|moss/);
  expect(client.stderr).not.toContain(url);
});

it('of a question, for which a client that leaves does not wait', async () => {
  const { bodies, url } = await receiver();
  const folder = tempFolder({ 'A.md': 'a\n', 'B.md': 'b\n', 'C.md': 'c\n' });
  const client = new StdioProcess({ folder, args: ['--brake', '1', '--notify', url] });
  await client.initialize();
  const remove = (name: string) =>
    client.request('tools/call', { name: 'delete_note', arguments: { name } });
  await remove('A');
  await remove('B');
  const waiting = remove('C');
  await vi.waitFor(() => expect(bodies).toHaveLength(1), 10_000);
  const told = { waiting: 1, questions: 1 };
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject(told);
  expect(await client.end()).toMatchObject({ code: 0 });
  expect(JSON.stringify(await waiting)).toContain('asked (q1)'); // Not that it was cancelled.
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressOf, ask, knock } from '../intrusion/knock.ts';
import { DaemonProcess, daemonHome } from '../support/daemon-process.ts';
import { HttpProcess } from '../support/http-process.ts';
import { frame, request } from '../support/remote-wire.ts';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Messages that are long enough to be read in a thread, and messages that nest too deep, through
// the built program.

const content = `${'Words of a long note, "quoted", with \\ and ä.\n'.repeat(60_000)}`;
const deep = '['.repeat(4_000_000) + ']'.repeat(4_000_000);
const tooDeep = 'The JSON nests deeper than 200 levels.';

describe('HTTP', () => {
  it('takes a long message, and refuses a deep one', async () => {
    const folder = tempFolder({ 'A.md': 'a' });
    const server = await HttpProcess.start({ folder });
    const address = addressOf(server.url);
    const params = { name: 'note_upsert', arguments: { path: 'Long.md', content } };
    const written = await ask(address, { method: 'tools/call', params });
    expect(written.line).toMatch(/^200 ok /);
    expect(readFileSync(join(folder, 'Long.md'), 'utf8')).toContain(content.trim());
    const refused = await knock(address, { body: deep });
    expect(refused.line).toBe(`400 -32600 ${tooDeep}`);
    const many = await knock(address, { body: `[${'1,'.repeat(3_000_000)}1]` });
    expect(many.line).toMatch(/^400 -32600 The JSON has more than \d+ values/);
  });
});

describe('stdio', () => {
  it('takes a long message, refuses a deep one, and answers in order', async () => {
    const folder = tempFolder({ 'A.md': 'a' });
    const server = new StdioProcess({ folder });
    await server.initialize();
    const body = content.slice(0, 2_000_000);
    server.write(`${deep}\n`);
    const written = await server.request('tools/call', {
      name: 'create_note',
      arguments: { name: 'Long', content: body },
    });
    expect(written.result).toMatchObject({ content: [{ type: 'text' }] });
    expect(written.result?.['isError']).toBeUndefined();
    expect(readFileSync(join(folder, 'Long.md'), 'utf8')).toContain(body.trim());
    expect(server.messages.find(({ error }) => error !== undefined)).toMatchObject({
      id: null,
      error: { code: -32600, message: tooDeep },
    });
    await server.end();
  });
});

describe('the remote protocol', () => {
  it('takes a long message, refuses a deep one, and keeps the order', async () => {
    const home = daemonHome();
    const daemon = await DaemonProcess.start({ home });
    const wire = await daemon.enter();
    wire.send(
      request(1, 'fs.write', { path: 'long.md', content }),
      request(2, 'fs.stat', { path: 'long.md' }),
      frame(deep),
      request(3, 'fs.write', { path: 'long.md', content: 'short' }),
      request(4, 'fs.readText', { path: 'long.md' }),
    );
    expect((await wire.reply(2)).result).toMatchObject({ size: Buffer.byteLength(content) });
    expect((await wire.reply(4)).result).toMatchObject({ content: 'short' });
    const refused = wire.frames.find(({ id }) => id === null);
    expect(refused).toMatchObject({ error: { code: -32700, message: tooDeep } });
    // The answer to what was read before the end still comes.
    wire.send(request(5, 'fs.write', { path: 'last.md', content }));
    const rest = await wire.drain();
    expect(rest.find(({ id }) => id === 5)).toMatchObject({ result: {} });
    await daemon.stop();
  });
});

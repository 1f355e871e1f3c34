import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bridgeCaller, freePort, openBridge, said } from '../../../test/support/bridge-client.ts';
import { TinyBridge, text, tool } from '../../../test/support/tiny-bridge.ts';
import { limits } from '../../base/limits.ts';
import { textsOf } from '../../tools/define/outcome.ts';

describe('a call', () => {
  it('is posted with its arguments, and its content comes back', async () => {
    const bridge = await TinyBridge.start([tool('utils/hélper +&?#')]);
    const service = openBridge(bridge.url);
    const args = { path: 'Ä.md', n: [1, null] };
    const outcome = await service.call(
      'utils/hélper +&?#',
      args,
      bridgeCaller({ client: 'cláude/1' }),
    );
    expect(textsOf(outcome.content)).toEqual([`utils/hélper +&?# ${JSON.stringify(args)}`]);
    const [posted] = bridge.seen.filter(({ method }) => method === 'POST');
    expect(posted).toMatchObject({
      path: '/bridge/v1/tools/utils%2Fh%C3%A9lper%20%2B%26%3F%23/call',
      body: JSON.stringify({ arguments: args }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'cl?ude/1 vaultdoor-bridge',
        'content-length': String(Buffer.byteLength(JSON.stringify({ arguments: args }))),
        host: `127.0.0.1:${bridge.port}`,
      },
    });
    expect(posted?.headers.origin).toBeUndefined();
  });

  it('whose answer nests too deep is not parsed', async () => {
    const bridge = await TinyBridge.start();
    bridge.onCall = () => ({ status: 200, body: '['.repeat(8_000_000) });
    const outcome = await openBridge(bridge.url).call('read_note', {}, bridgeCaller());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(textsOf(outcome.content)[0]).toContain('nests deeper');
  });

  it('names one session, which is that of the process', async () => {
    const bridge = await TinyBridge.start();
    for (const service of [openBridge(bridge.url), openBridge(bridge.url)]) {
      await said(service);
      await said(service);
    }
    const posted = bridge.seen.filter(({ method }) => method === 'POST');
    const sessions = posted.map(({ headers }) => headers['x-vaultdoor-session']);
    expect(sessions[0]).toMatch(/^[\w-]{16,64}$/);
    expect([sessions[1] === sessions[0], sessions[2] === sessions[0]]).toEqual([true, false]);
    expect(sessions[3]).toBe(sessions[2]);
  });

  it('carries no key where there is none, and both headers where there is one', async () => {
    const bridge = await TinyBridge.start();
    await said(openBridge(bridge.url));
    await said(openBridge(bridge.url, { key: 'obsi_k' }));
    const posted = bridge.seen.filter(({ method }) => method === 'POST');
    const keys = posted.map(({ headers }) => [
      headers.authorization,
      headers['x-obsiscripta-api-key'],
    ]);
    expect(keys).toEqual([
      [undefined, undefined],
      ['Bearer obsi_k', 'obsi_k'],
    ]);
  });

  it('of more than 1 MiB is not sent', async () => {
    const bridge = await TinyBridge.start();
    const service = openBridge(bridge.url);
    const call = (bytes: number) =>
      service.call('read_note', { text: 'x'.repeat(bytes) }, bridgeCaller());
    const overhead = '{"arguments":{"text":""}}'.length;
    expect(await call(1_048_576 - overhead)).toMatchObject({ ok: true });
    expect(await call(1_048_577 - overhead)).toMatchObject({ error: { code: 'too_large' } });
    expect(bridge.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('with half a character in its name asks for no such tool', async () => {
    const bridge = await TinyBridge.start();
    const service = openBridge(bridge.url);
    expect(await said(service, 'a\ud800')).toMatch(/^not_found: .*Tool not found/);
  });

  it('follows no redirect', async () => {
    const elsewhere = await TinyBridge.start();
    const bridge = await TinyBridge.start();
    const headers = { location: `${elsewhere.url}/bridge/v1/tools/read_note/call` };
    bridge.onCall = () => ({ status: 307, body: '', headers });
    expect(await said(openBridge(bridge.url, { key: 'k' }))).toMatch(
      /^unavailable: .*Redirects are not/,
    );
    expect(elsewhere.seen).toEqual([]);
  });

  it('may be answered with a byte order mark', async () => {
    const bridge = await TinyBridge.start();
    const body = { success: true, content: [{ type: 'text', text: 'é' }] };
    bridge.onCall = () => ({ status: 200, body: Buffer.from(`\ufeff${JSON.stringify(body)}`) });
    expect(await said(openBridge(bridge.url))).toBe('ok: é');
  });

  it('is not answered with more than memory should hold', async () => {
    const bridge = await TinyBridge.start();
    bridge.onCall = () => ({ status: 200, body: Buffer.alloc(limits.bridgeAnswerBytesMax + 1) });
    const service = openBridge(bridge.url);
    expect(await said(service)).toMatch(/^too_large: .*more than 32 MiB; ask for less/);
    bridge.onCall = () => text('next');
    expect(await said(service)).toBe('ok: next');
  });

  it('that takes too long ends, and the server is left', async () => {
    const bridge = await TinyBridge.start();
    let left = false;
    bridge.onCall = (_name, _args, request) =>
      new Promise(() => {
        request.socket.once('close', () => {
          left = true;
        });
      });
    const service = openBridge(bridge.url);
    expect(await said(service, 'read_note', bridgeCaller({ deadlineMs: 200 }))).toMatch(
      /^timeout: .* did not answer within 0.2 seconds. It may still carry out the call/,
    );
    await expect.poll(() => left).toBe(true);
  });

  it('that is cancelled ends, and the server is left', async () => {
    const bridge = await TinyBridge.start();
    const cancelling = new AbortController();
    let left = false;
    bridge.onCall = (_name, _args, request) =>
      new Promise(() => {
        request.socket.once('close', () => {
          left = true;
        });
        cancelling.abort();
      });
    const { signal } = cancelling;
    expect(await said(openBridge(bridge.url), 'read_note', bridgeCaller({ signal }))).toMatch(
      /^cancelled: /,
    );
    await expect.poll(() => left).toBe(true);
    expect(await said(openBridge(bridge.url), 'read_note', bridgeCaller({ signal }))).toMatch(
      /^cancelled: /,
    );
    expect(bridge.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('says what to start when nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await said(openBridge(url))).toBe(
      `unavailable: Nothing listens at ${url}. Start Obsidian with the plugin, or "vaultdoor serve --bridge --vault <folder>".`,
    );
  });

  it('says so when the connection breaks, and is not sent again', async () => {
    const bridge = await TinyBridge.start();
    bridge.onCall = (_name, _args, request) => {
      request.socket.destroy();
      return text('never');
    };
    expect(await said(openBridge(bridge.url))).toMatch(
      /^unavailable: The connection to .* broke before the answer was complete \(ECONNRESET\)/,
    );
    expect(bridge.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('says so when something else listens there', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    expect(await said(openBridge(`http://127.0.0.1:${port}`))).toMatch(
      /does not speak HTTP \(HPE_/,
    );
    expect(await said(openBridge(`https://127.0.0.1:${port}`))).toMatch(
      /does not speak HTTPS \((EPROTO|ERR_SSL_\w+)\)\. Check the address: https or http/,
    );
  });
});

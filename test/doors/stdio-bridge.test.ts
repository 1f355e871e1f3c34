import { describe, expect, it } from 'vitest';
import { eras } from '../contract/sdk-client.ts';
import { freePort } from '../support/bridge-client.ts';
import { BridgeClient, bridgeProcess } from '../support/bridge-program.ts';
import { firstRows } from '../support/counts.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { refusal, type TinyAnswer, TinyBridge, text, tool } from '../support/tiny-bridge.ts';

// The built program in front of a tiny Bridge v1 server, driven by the SDK's own client.

const often = ['--poll', '0.2'];
const at = (bridge: TinyBridge, ...more: readonly string[]): { args: readonly string[] } => ({
  args: ['--url', bridge.url, ...often, ...more],
});

describe.each(firstRows(1, eras))('the stdio bridge, for a client of %s', (era) => {
  it('lists and calls the tools of the server', async () => {
    const bridge = await TinyBridge.start([tool('b'), tool('utils/helper')]);
    const client = await BridgeClient.start(at(bridge), era);
    expect((await client.sdk.listTools()).tools).toEqual([tool('b'), tool('utils/helper')]);
    expect(await client.said('utils/helper', { path: 'Ä.md' })).toBe(
      'ok: utils/helper {"path":"Ä.md"}',
    );
  });

  it('is there before its server, and tells when that has come', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    await bridge.stop();
    const client = await BridgeClient.start(at(bridge), era);
    expect(await client.names()).toEqual([]);
    expect(await client.said('a')).toBe(
      `failed: Nothing listens at ${bridge.url}. Start Obsidian with the plugin, or "vaultdoor serve --bridge --vault <folder>".`,
    );
    await bridge.start();
    await expect.poll(() => client.told, { timeout: 10_000 }).toBe(1);
    expect(await client.names()).toEqual(['a']);
    expect(await client.said('a')).toBe('ok: a {}');
  });

  it('outlives a server that is stopped and comes back with other tools', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    const client = await BridgeClient.start(at(bridge), era);
    expect(await client.names()).toEqual(['a']);
    await bridge.stop();
    expect(await client.said('a')).toMatch(/^failed: Nothing listens at /);
    expect(await client.names()).toEqual(['a']);
    bridge.tools = [tool('b')];
    await bridge.start();
    await expect.poll(() => client.told, { timeout: 10_000 }).toBe(1);
    expect(await client.names()).toEqual(['b']);
    expect(await client.said('b')).toBe('ok: b {}');
  });

  it('hears news where the server tells them, long before it would ask', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const client = await BridgeClient.start({ args: ['--url', bridge.url, '--poll', '3600'] }, era);
    expect(await client.names()).toEqual(['a']);
    await expect.poll(() => bridge.streams, { timeout: 10_000 }).toBe(1);
    bridge.change([tool('b')]);
    await expect.poll(() => client.told, { timeout: 10_000 }).toBe(1);
    expect(await client.names()).toEqual(['b']);
  });

  it('knows its tools from the last time while the server is away', async () => {
    const home = tempFolder();
    const bridge = await TinyBridge.start([tool('a')]);
    const first = await BridgeClient.start({ home, ...at(bridge) }, era);
    expect(await first.names()).toEqual(['a']);
    await first.sdk.close();
    await bridge.stop();
    const second = await BridgeClient.start({ home, ...at(bridge) }, era);
    expect(await second.names()).toEqual(['a']);
    const elsewhere = { home, args: ['--url', `http://127.0.0.1:${await freePort()}`] };
    expect(await (await BridgeClient.start(elsewhere, era)).names()).toEqual([]);
  });

  it('gives up a call that takes too long, and says that it may still run', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.onCall = () => new Promise(() => undefined);
    const client = await BridgeClient.start(at(bridge, '--timeout', '0.5'), era);
    expect(await client.said('a')).toBe(
      `failed: The server at ${bridge.url} did not answer within 0.5 seconds. It may still carry out the call: check before you repeat it.`,
    );
    bridge.onCall = () => text('in time');
    expect(await client.said('a')).toBe('ok: in time');
  });

  it('passes a cancelled call on', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    let isLeft = false;
    const cancelling = new AbortController();
    bridge.onCall = (_name, _args, request) =>
      new Promise(() => {
        request.socket.once('close', () => {
          isLeft = true;
        });
        cancelling.abort('enough');
      });
    const client = await BridgeClient.start(at(bridge), era);
    const { signal } = cancelling;
    await expect(client.sdk.callTool({ name: 'a', arguments: {} }, { signal })).rejects.toThrow();
    await expect.poll(() => isLeft, { timeout: 10_000 }).toBe(true);
    bridge.onCall = () => text('next');
    expect(await client.said('a')).toBe('ok: next');
  });

  it.each<[string, TinyAnswer, string | RegExp]>([
    [
      'a failure of the tool',
      { json: { success: false, isError: true, content: [{ type: 'text', text: 'Error: no' }] } },
      'failed: Error: no',
    ],
    [
      'a refusal',
      refusal(400, 'Invalid request body', 'Unexpected end'),
      /^failed: The server at .* answered 400: Invalid request body: Unexpected end\.$/,
    ],
    ['a broken server', { status: 500, body: 'Oops' }, /^failed: .* answered 500. The call may/],
    [
      'an empty body',
      { status: 200, body: '' },
      /^failed: .* something that is not the result of a tool/,
    ],
    [
      'a body that is no JSON',
      { status: 200, body: '<html>' },
      /^failed: .* something that is not the result/,
    ],
    [
      'no content',
      { json: { success: true } },
      /^failed: .* something that is not the result of a tool/,
    ],
    ['an empty content', { json: { success: true, content: [] } }, 'ok: '],
    [
      'an image',
      {
        json: { success: true, content: [{ type: 'image', data: 'QQ==', mimeType: 'image/x' }] },
      },
      'ok: image',
    ],
  ])('answers %s', async (_what, answer, expected) => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.onCall = () => answer;
    const client = await BridgeClient.start(at(bridge), era);
    expect(await client.said('a')).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });
});

describe('the process of the bridge', () => {
  it('ends with its parent, when all that ran is answered', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    let release: (answer: TinyAnswer) => void = () => undefined;
    bridge.onCall = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const program = bridgeProcess(at(bridge));
    await program.initialize();
    const call = program.request('tools/call', { name: 'a', arguments: {} });
    await expect.poll(() => bridge.seen.some(({ method }) => method === 'POST')).toBe(true);
    program.child.stdin.end();
    release(text('late but there'));
    expect((await call).result).toMatchObject({ content: [{ text: 'late but there' }] });
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  it('ends on SIGTERM, also while its server is away', async () => {
    const program = bridgeProcess({ args: ['--url', `http://127.0.0.1:${await freePort()}`] });
    await program.initialize();
    program.child.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: 0, signal: null });
  });

  it('writes nothing but the protocol to stdout, and neither keys nor texts to the log', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.onCall = () => text('text of a note');
    const env = { OBSIDIAN_MCP_API_KEY: 'obsi_secret' };
    const program = bridgeProcess({ ...at(bridge, '--log-level', 'debug'), env });
    await program.initialize();
    await program.request('tools/call', { name: 'a', arguments: { q: 'argument text' } });
    await program.end();
    expect(program.rest).toBe('');
    expect(program.stderr).toMatch(/ info call tool=a /);
    expect(program.stderr).not.toMatch(/obsi_secret|text of a note|argument text/);
  });

  it('takes 200 calls at once', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    const client = await BridgeClient.start(at(bridge));
    const calls = Array.from({ length: 200 }, (_, n) => client.said('a', { n }));
    const answers = await Promise.all(calls);
    expect(answers).toEqual(answers.map((_, n) => `ok: a {"n":${n}}`));
  });
});

import { describe, expect, it } from 'vitest';
import { freePort } from '../support/bridge-client.ts';
import { BridgeClient, bridgeProcess } from '../support/bridge-program.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { refusal, TinyBridge, text, tool } from '../support/tiny-bridge.ts';

/** One line of what is known of the public stdio bridge, and what ours does there. */
interface Fact {
  readonly aspect: string;
  readonly ours: string;
  /** What the public one does that ours does better. */
  readonly better?: string;
  readonly holds: () => Promise<void>;
}

const often = ['--poll', '0.2'];
const atOf = (bridge: TinyBridge, ...more: readonly string[]) => ({
  args: ['--url', bridge.url, ...often, ...more],
});
const posts = (bridge: TinyBridge) => bridge.seen.filter(({ method }) => method === 'POST');

const facts: readonly Fact[] = [
  {
    aspect: 'start and environment',
    ours: 'it is told by options, or by the same variables; what is wrong there is logged and ignored',
    better: 'has no options',
    async holds() {
      const bridge = await TinyBridge.start();
      const env = { OBSIDIAN_MCP_PORT: String(bridge.port), OBSIDIAN_MCP_TRANSPORT: 'pigeon' };
      const program = bridgeProcess({ env });
      await program.initialize();
      await expect.poll(() => bridge.lists, { timeout: 10_000 }).toBeGreaterThan(0);
      await program.end();
      expect(program.stderr).toContain(' ignored variable=OBSIDIAN_MCP_TRANSPORT used=auto');
    },
  },
  {
    aspect: 'server info',
    ours: 'it has a name of its own, and tools that may change are all it has',
    async holds() {
      const bridge = await TinyBridge.start();
      const { sdk } = await BridgeClient.start(atOf(bridge));
      expect(sdk.getServerVersion()).toMatchObject({ name: 'vaultdoor-bridge' });
      expect(sdk.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
      expect(sdk.getInstructions()).toBeUndefined();
    },
  },
  {
    aspect: 'requests to v1',
    ours: 'the list and the calls are asked for as JSON, as no web page could, and with no key unless told',
    async holds() {
      const bridge = await TinyBridge.start([tool('a/b c')]);
      const client = await BridgeClient.start(atOf(bridge));
      await client.said('a/b c');
      const [posted] = posts(bridge);
      expect(posted?.path).toBe('/bridge/v1/tools/a%2Fb%20c/call');
      expect(posted?.headers).toMatchObject({
        host: `127.0.0.1:${bridge.port}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': '16',
      });
      for (const { headers } of bridge.seen) {
        expect(Object.keys(headers)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/^(origin|sec-|authorization|x-obsi)/)]),
        );
      }
    },
  },
  {
    aspect: 'startup order, retry, and a plugin that is down at the start',
    ours: 'the client is answered at once, and the server looked for as long as that takes',
    better: 'answers nothing before the plugin is up, and gives up after 12 minutes',
    async holds() {
      const bridge = await TinyBridge.start();
      await bridge.stop();
      const client = await BridgeClient.start(atOf(bridge));
      expect(await client.sdk.ping()).toBeDefined();
      await bridge.start();
      expect(await client.said('read_note')).toBe('ok: read_note {}');
    },
  },
  {
    aspect: 'retry after 4xx',
    ours: 'a list that is refused ends nothing: it may be there later',
    better: 'exits with 1 at once',
    async holds() {
      const bridge = await TinyBridge.start();
      bridge.instead = () => refusal(404, 'Not found');
      const client = await BridgeClient.start(atOf(bridge));
      expect(await client.names()).toEqual([]);
      bridge.instead = () => undefined;
      await expect.poll(() => client.told, { timeout: 10_000 }).toBe(1);
      expect(await client.names()).toEqual(['read_note']);
    },
  },
  {
    aspect: 'health body',
    ours: 'it is not asked for: the list says all there is to know',
    async holds() {
      const bridge = await TinyBridge.start();
      const client = await BridgeClient.start(atOf(bridge));
      await client.names();
      expect(bridge.seen.filter(({ path }) => path.includes('health'))).toEqual([]);
    },
  },
  {
    aspect: 'polling',
    ours: 'an unchanged list is no news, a changed one is',
    async holds() {
      const bridge = await TinyBridge.start();
      const client = await BridgeClient.start(atOf(bridge));
      await client.names();
      const before = bridge.lists;
      await expect.poll(() => bridge.lists, { timeout: 10_000 }).toBeGreaterThan(before + 2);
      expect(client.told).toBe(0);
      bridge.tools = [tool('read_note', 'In other words')];
      await expect.poll(() => client.told, { timeout: 10_000 }).toBe(1);
    },
  },
  {
    aspect: 'tools/list',
    ours: 'name, description and schema, which is always that of an object',
    async holds() {
      const bridge = await TinyBridge.start([{ name: 'a', inputSchema: { properties: {} } }]);
      const client = await BridgeClient.start(atOf(bridge));
      const inputSchema = { properties: {}, type: 'object' };
      const { tools } = await client.sdk.listTools();
      expect(tools).toEqual([{ name: 'a', description: '', inputSchema }]);
    },
  },
  {
    aspect: 'tools/call without arguments',
    ours: 'they are {}',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      const client = await BridgeClient.start(atOf(bridge));
      await client.sdk.callTool({ name: 'a' });
      expect(posts(bridge)[0]?.body).toBe('{"arguments":{}}');
    },
  },
  {
    aspect: 'tools/call of a name that is not in the list',
    ours: 'the list is asked for first; what is not there then is refused without a call',
    better: 'cannot call a new tool before its next poll',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      const client = await BridgeClient.start({ args: ['--url', bridge.url, '--poll', '3600'] });
      expect(await client.names()).toEqual(['a']);
      bridge.tools = [tool('a'), tool('new')];
      expect(await client.said('new')).toBe('ok: new {}');
      await expect(client.said('newer')).rejects.toThrow('There is no tool "newer"');
      expect(posts(bridge)).toHaveLength(1);
    },
  },
  {
    aspect: 'content mapping',
    ours: 'every item goes through as it is',
    better: 'drops annotations, and makes text of what it does not know',
    async holds() {
      const content = [
        { type: 'text', text: 'a', annotations: { priority: 1 }, _meta: { 'a/b': 1 }, more: 1 },
        { type: 'image', data: 'QQ==' },
        { type: 'audio', data: 'QQ==', mimeType: 'audio/x' },
        { type: 'resource', resource: { uri: 'a:b', text: 'c', more: {} } },
        { type: 'hologram', depth: [1, { cm: null }] },
      ];
      const bridge = await TinyBridge.start([tool('a')]);
      bridge.onCall = () => ({ json: { success: true, content } });
      // Not the SDK's client: it refuses what it does not know.
      const program = bridgeProcess(atOf(bridge));
      await program.initialize();
      const { result } = await program.request('tools/call', { name: 'a' });
      expect(result).toEqual({ content });
      await program.end();
    },
  },
  {
    aspect: 'timeout',
    ours: 'as long as one says; the server sees that nobody waits any more',
    better: 'ends every call after five seconds, and lets the tool run on',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      let isLeft = false;
      bridge.onCall = (_name, _args, request) =>
        new Promise(() => {
          request.socket.once('close', () => {
            isLeft = true;
          });
        });
      const client = await BridgeClient.start(atOf(bridge, '--timeout', '0.3'));
      expect(await client.said('a')).toMatch(/did not answer within 0.3 seconds/);
      await expect.poll(() => isLeft, { timeout: 10_000 }).toBe(true);
    },
  },
  {
    aspect: 'a plugin that dies and is started again',
    ours: 'the list stays, a call says what to start, the next one works; the same tools are no news',
    better: 'only says "fetch failed"',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      const client = await BridgeClient.start(atOf(bridge));
      expect(await client.names()).toEqual(['a']);
      await bridge.stop();
      expect(await client.said('a')).toMatch(/^failed: Nothing listens at .* Start Obsidian/);
      expect(await client.names()).toEqual(['a']);
      await bridge.start();
      expect(await client.said('a')).toBe('ok: a {}');
      const before = bridge.lists;
      await expect.poll(() => bridge.lists, { timeout: 10_000 }).toBeGreaterThan(before + 1);
      expect(client.told).toBe(0);
    },
  },
  {
    aspect: 'HTTP error on a call',
    ours: 'message and details reach the model, and what to do',
    better: 'drops the details',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      bridge.onCall = () => refusal(500, 'Internal server error', 'URI malformed');
      const client = await BridgeClient.start(atOf(bridge));
      expect(await client.said('a')).toBe(
        `failed: The server at ${bridge.url} answered 500: Internal server error: URI malformed. The call may have been carried out: check before you repeat it. The log of that server may say more.`,
      );
    },
  },
  {
    aspect: 'empty 2xx body',
    ours: 'it is said to be no result',
    better: 'fails with an error of its own code',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      bridge.onCall = () => ({ status: 204, body: '' });
      const client = await BridgeClient.start(atOf(bridge));
      expect(await client.said('a')).toMatch(/something that is not the result of a tool/);
    },
  },
  {
    aspect: 'auto mode',
    ours: 'v1 is all that is spoken, and no call is sent twice',
    better: 'tries /mcp first, and remembers for good what failed once',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      bridge.onCall = (_name, _args, request) => {
        request.socket.destroy();
        return text('never');
      };
      const env = { OBSIDIAN_MCP_TRANSPORT: 'auto' };
      const client = await BridgeClient.start({ ...atOf(bridge), env });
      expect(await client.said('a')).toMatch(/^failed: The connection to .* broke/);
      expect(posts(bridge)).toHaveLength(1);
      expect(bridge.seen.every(({ path }) => path.startsWith('/bridge/v1/'))).toBe(true);
    },
  },
  {
    aspect: 'a wrong key',
    ours: 'it is refused and told, and nothing is ever tried without it',
    better: 'silently goes on without authentication',
    async holds() {
      const bridge = await TinyBridge.start([tool('a')]);
      bridge.instead = () => refusal(401, 'Unauthorized');
      const env = { OBSIDIAN_MCP_API_KEY: 'obsi_wrong' };
      const client = await BridgeClient.start({ ...atOf(bridge), env });
      expect(await client.names()).toEqual([]);
      expect(await client.said('a')).toMatch(
        /^failed: .* answered 401: Unauthorized. Check the key/,
      );
      const keys = bridge.seen.map(({ headers }) => headers['x-obsiscripta-api-key']);
      expect(new Set(keys)).toEqual(new Set(['obsi_wrong']));
    },
  },
  {
    aspect: 'mcp mode',
    ours: 'it is refused at once, with a sentence',
    async holds() {
      const env = { OBSIDIAN_MCP_TRANSPORT: 'mcp', XDG_CACHE_HOME: tempFolder() };
      const result = await runCli(['bridge'], env);
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toMatch(/^vaultdoor: The bridge speaks Bridge v1 only: [^\n]+\.\n$/);
    },
  },
  {
    aspect: 'the end of stdin',
    ours: 'it ends, whether its server is there or not',
    better: 'stays alive as an orphan',
    async holds() {
      const bridge = await TinyBridge.start();
      const gone = { args: ['--url', `http://127.0.0.1:${await freePort()}`] };
      for (const start of [atOf(bridge), gone]) {
        const program = bridgeProcess(start);
        await program.initialize();
        expect(await program.end()).toEqual({ code: 0, signal: null });
      }
    },
  },
  {
    aspect: 'overlap',
    ours: 'the list is asked for once at a time, however slow the server',
    better: 'asks again while it is waiting',
    async holds() {
      const bridge = await TinyBridge.start();
      bridge.holdLists = true;
      const program = bridgeProcess(atOf(bridge));
      await program.initialize();
      await expect.poll(() => bridge.lists, { timeout: 10_000 }).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1_000)); // Five times the interval.
      expect(bridge.lists).toBe(1);
      await program.end();
    },
  },
];

describe('what is known of the public stdio bridge, and what ours does', () => {
  it.each(
    facts.map((fact) => {
      const better = fact.better === undefined ? '' : ` (better: that one ${fact.better})`;
      return [`${fact.aspect}: ${fact.ours}${better}`, fact] as const;
    }),
  )('%s', (_name, fact) => fact.holds());
});

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Answer } from '../contract/contract-case.ts';
import { connectSdkClient } from '../contract/http-door.ts';
import { answerOf, eras } from '../contract/sdk-client.ts';
import { splitContext } from '../contract/split-context.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { firstRows, isQuick } from '../support/counts.ts';
import { DaemonProcess, daemonHome } from '../support/daemon-process.ts';
import { HttpProcess } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The same calls by the same kinds of callers through every door: what is decided does not depend
// on the way in. The table of all decisions is in src/engine/decide/decide.test.ts.

/** What a caller is limited to. A call that the owner is asked about does not wait here. */
const limited = {
  'read-only': ['--read-only'],
  propose: ['--propose'],
  hidden: ['--hide', 'Secret/**'],
  brake: ['--brake', '0', '--timeout', 'delete_note=5', '--timeout', 'update_note=5'],
} as const;

type Limit = keyof typeof limited;
type Call = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;

interface Door {
  readonly name: string;
  open(folder: string, limit: Limit): Promise<Call>;
}

const [era] = eras;

type SdkClient = Awaited<ReturnType<typeof startSdkClient>>;

/** A call through the SDK's client. A failure may be an error of the protocol. */
function callOf(client: SdkClient): Call {
  return async (name, args) => {
    try {
      return answerOf(await client.callTool({ name, arguments: { ...args } }));
    } catch (error) {
      return { failed: true, text: String(error), pieces: 1 };
    }
  };
}

/** A server with these options, and a client with a token that has others. */
async function openWithToken(
  folder: string,
  options: { readonly args: readonly string[]; readonly token: readonly string[] },
): Promise<Call> {
  const home = tempFolder();
  const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  const create = ['token', 'create', 'x', '--vault', folder, '--json', ...options.token];
  const { token } = JSON.parse((await runCli(create, env)).stdout) as { token: string };
  const args = ['--auth', 'token', '--tools', 'notes', ...options.args];
  const { url } = await HttpProcess.start({ folder, env, args });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  return callOf(await connectSdkClient(url, { era }, { requestInit }));
}

const doors: readonly Door[] = [
  {
    name: 'MCP over stdio',
    open: async (folder, limit) =>
      callOf(await startSdkClient({ folder, args: limited[limit] }, { era })),
  },
  {
    name: 'MCP over HTTP with a token',
    async open(folder, limit) {
      // What a token can be limited to is said there; the rest is the server's.
      const isOfToken = limit === 'read-only' || limit === 'propose';
      const args = isOfToken ? [] : limited[limit];
      return openWithToken(folder, { args, token: isOfToken ? limited[limit] : [] });
    },
  },
  {
    name: 'a server that a program is attached to',
    async open(folder, limit) {
      const home = tempFolder();
      const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
      const server = await HttpProcess.start({ folder, env });
      const client = await startSdkClient(
        { folder, env, args: ['--attach', ...limited[limit]] },
        { era },
      );
      await server.says(() => server.stderr.includes('attached clients=1'));
      return callOf(client);
    },
  },
  {
    name: 'Bridge v1',
    async open(folder, limit) {
      const args = ['--bridge-port', '0', ...limited[limit]];
      const { bridgeUrl } = await HttpProcess.start({ folder, args });
      return async (tool, args) => {
        const response = await fetch(`${bridgeUrl}/bridge/v1/tools/${tool}/call`, {
          method: 'POST',
          body: JSON.stringify({ arguments: args }),
          headers: { 'content-type': 'application/json', 'user-agent': 'script' },
        });
        const body = (await response.json()) as Readonly<Record<string, unknown>>;
        const content = (body['content'] ?? []) as readonly { readonly text: string }[];
        const text = content.map((piece) => piece.text).join('') || JSON.stringify(body);
        return { failed: body['success'] !== true, text, pieces: content.length };
      };
    },
  },
];

const files = { 'A.md': 'text of A\n', 'B.md': 'text of B\n', 'Secret/S.md': 'hidden\n' };

interface Row {
  readonly call: readonly [tool: string, args: Readonly<Record<string, unknown>>];
  readonly fails?: true;
  readonly says: RegExp;
}

/** Bridge v1 answers a call of a tool that the server does not offer as if there were no such tool. */
const rows: Readonly<Record<Limit, readonly Row[]>> = {
  'read-only': [
    { call: ['read_note', { name: 'A' }], says: /text of A/ },
    {
      call: ['create_note', { name: 'New', content: 'x' }],
      fails: true,
      says: /Nothing can be changed here: this connection may only read\.|this server only reads/,
    },
    {
      call: ['delete_note', { name: 'A' }],
      fails: true,
      says: /Nothing can be deleted or undone here: this connection may only read\.|this server only reads/,
    },
  ],
  propose: [
    { call: ['read_note', { name: 'A' }], says: /text of A/ },
    {
      call: ['create_note', { name: 'New', content: 'x' }],
      says: /^Proposed p1; the owner decides\. Nothing has changed yet; do not repeat the call\./,
    },
    { call: ['delete_note', { name: 'A' }], says: /^Proposed p2; the owner decides\./ },
    { call: ['append_note', { name: 'A', text: 'more' }], says: /^Proposed p3;/ },
    {
      call: ['rename_note', { old_name: 'A', new_name: 'C', dry_run: true }],
      says: /rename to C\.md|"diff"/,
    },
    { call: ['append_note', { name: 'Nothing', text: 'x' }], fails: true, says: /Nothing/ },
  ],
  hidden: [
    { call: ['create_note', { name: 'New', content: 'x' }], says: /"created":true/ },
    { call: ['delete_note', { name: 'B' }], says: /"deleted":true/ },
    {
      call: ['create_note', { name: 'Secret/New', content: 'x' }],
      fails: true,
      says: /touch files that this connection may not see; ask someone who may\./,
    },
    { call: ['delete_note', { name: 'S' }], fails: true, says: /S/ },
  ],
  brake: [
    { call: ['append_note', { name: 'A', text: 'more' }], says: /"appended":true|"path":"A\.md"/ },
    {
      call: ['delete_note', { name: 'A' }],
      fails: true,
      says: /The owner of the vault was asked \(q1\) and has not answered yet; nothing was changed\. Call again with the same arguments once they have agreed\./,
    },
    { call: ['delete_note', { name: 'A' }], fails: true, says: /was asked \(q1\)/ },
    { call: ['delete_note', { name: 'B' }], fails: true, says: /was asked \(q2\)/ },
  ],
};

const limits = Object.keys(limited) as Limit[];

describe.each(firstRows(2, doors))('through $name', (door) => {
  it.each(isQuick && door !== doors[0] ? (['propose'] as const) : limits)(
    'a caller limited by %s',
    async (limit) => {
      const folder = tempFolder(files);
      const call = await door.open(folder, limit);
      for (const { call: made, fails = false, says } of rows[limit]) {
        const answer = await call(...made);
        const { result } = splitContext(answer.text);
        expect(result, `${door.name}: ${made[0]}`).toMatch(says);
        expect(answer.failed, `${door.name}: ${result}`).toBe(fails);
      }
      expect(existsSync(join(folder, 'New.md'))).toBe(limit === 'hidden');
      expect(existsSync(join(folder, 'B.md'))).toBe(limit !== 'hidden');
      expect(existsSync(join(folder, 'A.md'))).toBe(true);
      expect(existsSync(join(folder, 'Secret/New.md'))).toBe(false);
    },
  );
});

it('a question that waits outlives the program that asked, and its brake', async () => {
  const folder = tempFolder(files);
  const home = tempFolder();
  const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  const asked = { failed: true, text: expect.stringContaining('was asked (q1)') };
  const first = await startSdkClient({ folder, env, args: limited.brake }, { era });
  expect(await callOf(first)('delete_note', { name: 'A' })).toMatchObject(asked);
  await first.close();
  // Without the question, 25 files would be free.
  const args = ['--timeout', 'delete_note=5'];
  const call = callOf(await startSdkClient({ folder, env, args }, { era }));
  expect(await call('delete_note', { name: 'A' })).toMatchObject(asked);
  const vault = ['--vault', folder];
  expect(await runCli(['approvals', 'allow', 'q1', ...vault], env)).toMatchObject({ code: 0 });
  expect(await call('delete_note', { name: 'A' })).toMatchObject({ failed: false });
  expect(await call('delete_note', { name: 'B' })).toMatchObject({ failed: false });
});

it('a token for a folder may propose changes in it, and nothing outside', async () => {
  const folder = tempFolder(files);
  const token = ['--propose', '--folder', 'Work'];
  const call = await openWithToken(folder, { args: [], token });
  const inside = await call('create_note', { name: 'Work/New', content: 'x' });
  expect(inside).toMatchObject({ failed: false, text: expect.stringContaining('Proposed p1;') });
  const outside = await call('create_note', { name: 'Other/New', content: 'x' });
  expect(outside).toMatchObject({ failed: true, text: expect.stringContaining('may not see') });
});

describe.each(firstRows(1, eras))("the SDK's client in the era of %s", (each) => {
  it('takes the structured answer about a proposal', async () => {
    const folder = tempFolder(files);
    const args = ['--tools', 'agent', '--propose'];
    const client = await startSdkClient({ folder, args }, { era: each });
    const { tools } = await client.listTools();
    const isRead = (name: string): boolean =>
      tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint === true;
    for (const { name, outputSchema } of tools) {
      expect(outputSchema !== undefined, name).toBe(isRead(name));
    }
    for (const [name, given] of [
      ['note_upsert', { path: 'New.md', content: 'x' }],
      ['note_delete', { path: 'A.md' }],
      ['link_add', { from: 'A.md', to: 'B.md' }],
      ['adr_create', { title: 'T', content: 'x' }],
      ['devlog_append', { topic: 'T', entry: 'x' }],
    ] as const) {
      const answer = answerOf(await client.callTool({ name, arguments: given }));
      expect(answer, name).toMatchObject({
        failed: false,
        structured: {
          proposed: expect.stringMatching(/^p\d$/),
          message: expect.stringMatching(/^Proposed p\d; the owner decides\./),
        },
      });
      expect(Object.keys(Object(answer.structured))).toEqual(['proposed', 'message']);
    }
    const read = answerOf(
      await client.callTool({ name: 'note_read', arguments: { path: 'A.md' } }),
    );
    expect(read).toMatchObject({ structured: { content: 'text of A\n', exists: true } });
    expect(readdirSync(folder).toSorted()).toEqual(['A.md', 'B.md', 'Secret']);
  });
});

describe('the daemon with a brake', () => {
  /** The owner answers as soon as there is the question. */
  async function answer(home: string, ...says: readonly string[]): Promise<void> {
    await vi.waitFor(
      async () => {
        const words = ['approvals', ...says, '--vault', join(home, 'vault')];
        const { code, stderr } = await runCli(words, { HOME: home });
        expect(code, stderr).toBe(0);
      },
      { timeout: 30_000 },
    );
  }

  it('asks the owner before it overwrites or deletes, and goes on with the answer', async () => {
    const home = daemonHome({ 'a.md': 'a', 'b.md': 'b' });
    const daemon = await DaemonProcess.start({ home, args: ['--vault-root=vault', '--brake=0'] });
    const wire = await daemon.enter();
    // New files are not counted.
    await wire.result('fs.write', { path: 'new.md', content: 'new' });
    const denied = wire.call('fs.write', { path: 'a.md', content: 'other' });
    await answer(home, 'deny', 'q1');
    expect(await denied).toMatchObject({
      error: {
        code: -32014,
        message: expect.stringContaining('The owner of the vault has denied this (q1)'),
      },
    });
    const allowed = wire.call('fs.remove', { path: 'b.md' });
    await answer(home, 'allow', 'q2');
    expect((await allowed).error).toBeUndefined();
    expect(existsSync(join(home, 'vault/b.md'))).toBe(false);
    for (const method of ['approvals', 'approvals.allow', 'questions.answer', 'owner.allow']) {
      expect(await wire.call(method, { id: 'q1', says: 'once' })).toMatchObject({
        error: { code: -32601 },
      });
    }
    expect(await daemon.stop()).toBe(0);
  });

  it('is off unless it is asked for', async () => {
    const home = daemonHome(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}.md`, 'x'])),
    );
    const daemon = await DaemonProcess.start({ home });
    const wire = await daemon.enter();
    for (let at = 0; at < 30; at++) await wire.result('fs.remove', { path: `n${at}.md` });
    expect(readdirSync(join(home, 'vault')).filter((name) => name.endsWith('.md'))).toEqual([]);
    expect(await daemon.stop()).toBe(0);
  });
});

describe('no door has a way to answer a question', () => {
  it('not MCP, whatever the person behind the client agrees to', async () => {
    const folder = tempFolder(files);
    const user = { era, person: 'agrees' } as const;
    const call = callOf(await startSdkClient({ folder, args: limited.brake }, user));
    expect(await call('delete_note', { name: 'A' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('was asked (q1)'),
    });
    const program = new StdioProcess({ folder, args: limited.brake });
    await program.initialize();
    for (const method of ['approvals/allow', 'questions/answer', 'vaultdoor/approvals']) {
      expect((await program.request(method, { id: 'q1' })).error).toMatchObject({ code: -32601 });
    }
    const uri = 'vaultdoor://approvals/q1';
    expect((await program.request('resources/read', { uri })).error).toBeDefined();
    await program.end();
  });

  it('not Bridge v1', async () => {
    const folder = tempFolder(files);
    const args = ['--bridge-port', '0', ...limited.brake];
    const { bridgeUrl } = await HttpProcess.start({ folder, args });
    for (const path of [
      'approvals',
      'approvals/q1/allow',
      'questions/q1',
      'tools/approvals/call',
    ]) {
      const response = await fetch(`${bridgeUrl}/bridge/v1/${path}`, {
        method: 'POST',
        body: '{"arguments":{"id":"q1","says":"once"}}',
        headers: { 'content-type': 'application/json' },
      });
      expect(response.status, path).toBe(404);
    }
  });
});

import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpProcess, type HttpStart } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const secret = 'a-token-of-the-test-0123456789';

/** The built program with the Bridge on a free port; `base` is where that is. */
async function startBridge(
  start: Partial<HttpStart> = {},
): Promise<{ program: HttpProcess; base: string; folder: string }> {
  const folder = start.folder ?? tempFolder({ 'A.md': 'a\n' });
  const args = ['--bridge-port', '0', ...(start.args ?? [])];
  const program = await HttpProcess.start({ ...start, folder, args });
  const [base = ''] = /http:\/\/127\.0\.0\.1:\d+\/bridge\/v1(?=\n)/.exec(program.stdout) ?? [];
  return { program, base, folder };
}

function call(base: string, tool: string, args: object, headers: object = {}): Promise<Response> {
  return fetch(`${base}/tools/${tool}/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ arguments: args }),
  });
}

describe('a port that is taken', () => {
  it('is a clear error that names the port and how to choose another', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const folder = tempFolder();
    const state = tempFolder();
    const { code, stdout, stderr } = await runCli(
      ['serve', '--vault', folder, '--port', '0', '--bridge-port', String(port)],
      { XDG_STATE_HOME: state, XDG_CACHE_HOME: state },
    );
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`Port ${port} of 127\\.0\\.0\\.1.* is in use.*--bridge-port`),
    );
  });
});

it('what it changes is in the history, with who did it, and can be undone', async () => {
  const { program, base, folder } = await startBridge();
  const answer = await call(
    base,
    'append_note',
    { path: 'A', text: 'b' },
    { 'user-agent': 'me/1' },
  );
  expect(await answer.json()).toMatchObject({ success: true });
  await program.stop();
  const { stdout } = await runCli(['history', '--json', '--vault', folder], program.env);
  expect(stdout).toMatch(/"door": "bridge"/);
  expect(stdout).toMatch(/"client": "me\/1"/);
  expect((await runCli(['undo', '--vault', folder], program.env)).code).toBe(0);
});

it('serves only what reads with --read-only', async () => {
  const { program, base } = await startBridge({ args: ['--read-only'] });
  const { tools } = (await (await fetch(`${base}/tools`)).json()) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toContain('read_note');
  expect(tools.map(({ name }) => name)).not.toContain('append_note');
  expect((await call(base, 'append_note', { path: 'A', text: 'b' })).status).toBe(404);
  await program.stop();
});

it('serves the toolsets it is told, and deadlines are for the tools of both doors', async () => {
  const { program, base } = await startBridge({
    args: ['--bridge-tools', 'obsidian,agent', '--timeout', 'obsidian_read_note=5'],
  });
  const { tools } = (await (await fetch(`${base}/tools`)).json()) as { tools: { name: string }[] };
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['obsidian_read_note', 'note_read']));
  expect(names).not.toContain('read_note');
  const failed = await call(base, 'obsidian_read_note', { name: 'Nothing' });
  expect([failed.status, await failed.json()]).toMatchObject([200, { success: false }]);
  await program.stop();
});

describe('the token', () => {
  it.each<[string, () => Partial<HttpStart>]>([
    [
      'of a file',
      () => ({ args: ['--bridge-token-file', `${tempFolder({ token: `${secret}\n` })}/token`] }),
    ],
    ['of the environment', () => ({ env: { VAULTDOOR_BRIDGE_TOKEN: secret } })],
  ])('%s has to be shown, and is never printed', async (_where, start) => {
    const { program, base } = await startBridge(start());
    const refused = await fetch(`${base}/tools`);
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { error: 'Unauthorized', message: 'Unauthorized', details: expect.any(String) },
    ]);
    const headers = { authorization: `Bearer ${secret}` };
    expect((await fetch(`${base}/tools`, { headers })).status).toBe(200);
    expect(program.stdout).toContain(`curl -s -H "Authorization: Bearer <token>" ${base}/tools`);
    await program.stop();
    expect(program.stdout + program.stderr).not.toContain(secret);
    expect(program.stderr).toContain('refused status=401');
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['too short', [], { VAULTDOOR_BRIDGE_TOKEN: 'short' }],
    ['of two words', [], { VAULTDOOR_BRIDGE_TOKEN: `${secret} ${secret}` }],
    ['of an empty file', ['--bridge-token-file', 'empty'], {}],
    ['that everybody must have, and nobody was given', ['--auth', 'token'], {}],
  ])('%s does not start an open server', async (_what, args, env) => {
    const folder = tempFolder();
    const state = tempFolder({ empty: '' });
    const all = { XDG_STATE_HOME: state, XDG_CACHE_HOME: state, ...env };
    const words = args.map((word) => (word === 'empty' ? join(state, word) : word));
    // A token for the other door is no token for this one.
    await runCli(['token', 'create', 'x', '--vault', folder], all);
    const start = ['serve', '--vault', folder, '--port', '0', '--bridge-port', '0', ...words];
    const { code, stderr } = await runCli(start, all);
    expect(code).toBe(2);
    expect(stderr).toContain('Bridge v1');
  });
});

it('tells who listens the hash of the tools, and does not wait for them when it leaves', async () => {
  const { program, base } = await startBridge();
  const headers = { accept: 'text/event-stream' };
  const stream = await fetch(`${base}/tools/events`, { headers });
  const { hash } = (await (await fetch(`${base}/tools`)).json()) as { hash: string };
  const reader = stream.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toBe(`event: tools\ndata: {"hash":"${hash}"}\n\n`);
  const exited = program.stop();
  expect((await reader?.read())?.done).toBe(true);
  expect(await exited).toEqual({ code: 0, signal: null });
});

it.runIf(process.platform === 'linux')(
  'is on this machine only, whatever --host says',
  async () => {
    const { program, base } = await startBridge({ args: ['--host', '0.0.0.0', '--auth', 'none'] });
    const { port } = new URL(base);
    expect((await fetch(`${base}/health`)).status).toBe(200);
    expect(program.stderr).toContain(`bridge=${port}`);
    // All of 127.0.0.0/8 is this machine; what listens everywhere answers at each of them.
    await expect(fetch(`http://127.0.0.2:${port}/bridge/v1/health`)).rejects.toThrow();
    expect((await fetch(program.at('/health').replace('127.0.0.1', '127.0.0.2'))).status).toBe(200);
    await program.stop();
  },
);

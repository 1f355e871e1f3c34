import { mkdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpProcess } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const files = { 'A.md': 'one\n', 'Sub/B.md': '[[A]]\n' };

/** Lists the tools, with this token if one is given; answers the status and the body. */
async function listTools(url: string, token?: string): Promise<[number, string]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  return [response.status, await response.text()];
}

const healthOf = async (program: HttpProcess): Promise<unknown> =>
  ((await (await fetch(program.at('/health'))).json()) as { status: unknown }).status;

/** Makes a token as a person would while the server runs. */
async function makeToken(env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await runCli(['token', 'create', 'laptop', '--json'], env);
  return (JSON.parse(stdout) as { token: string }).token;
}

describe('serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'says where it is, serves at once, and leaves at %s',
    async (signal) => {
      const program = await HttpProcess.start({ folder: tempFolder(files) });
      const [status, body] = await listTools(program.url);
      expect([status, body.includes('note_read')]).toEqual([200, true]);
      expect(await program.stop(signal)).toEqual({ code: 0, signal: null });
      expect(program.stderr).toMatch(/ info start .*\n[\s\S]* info end\n$/);
    },
  );

  it('leaves although clients listen and keep their connections', async () => {
    const program = await HttpProcess.start({ folder: tempFolder(files) });
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const opened = await fetch(program.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }),
    });
    const id = opened.headers.get('mcp-session-id') ?? '';
    const stream = await fetch(program.url, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': id },
    });
    expect(stream.status).toBe(200);
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    await stream.text().catch(() => undefined);
  });

  it('goes on when whoever read its addresses has left', async () => {
    const program = await HttpProcess.start({ folder: tempFolder(files) });
    program.child.stdout.destroy();
    program.child.stderr.destroy();
    expect((await listTools(program.url))[0]).toBe(200);
    expect(await program.stop()).toEqual({ code: 0, signal: null });
  });

  it('asks for tokens behind a proxy, and knows at once those that are made and revoked', async () => {
    const folder = tempFolder(files);
    const state = tempFolder();
    const env = { VAULT_PATH: folder, XDG_STATE_HOME: state, XDG_CACHE_HOME: state };
    const first = await makeToken(env);
    const program = await HttpProcess.start({
      folder,
      env,
      args: ['--public-url', 'https://notes.example.com'],
    });
    expect((await listTools(program.url))[0]).toBe(401);
    expect((await listTools(program.url, first))[0]).toBe(200);
    await runCli(['token', 'revoke', 'laptop'], env);
    expect((await listTools(program.url, first))[0]).toBe(401);
    const second = await makeToken(env);
    expect((await listTools(program.url, second))[0]).toBe(200);
    expect((await listTools(program.url, first))[0]).toBe(401);
    await program.stop();
    for (const secret of [first, second, folder]) expect(program.stderr).not.toContain(secret);
  });

  it('is not well while its vault is away, and well again when it is back', async () => {
    const parent = tempFolder();
    const folder = join(parent, 'vault');
    mkdirSync(folder);
    const program = await HttpProcess.start({ folder });
    expect(await healthOf(program)).toBe('ok');
    renameSync(folder, join(parent, 'away'));
    expect(await healthOf(program)).toBe('vault_not_found');
    await program.says(() => / warn vault-gone vault=vault message="[^"]*"\n/.test(program.stderr));
    renameSync(join(parent, 'away'), folder);
    expect(await healthOf(program)).toBe('ok');
    await program.says(() => / warn vault-back vault=vault\n/.test(program.stderr));
    expect(program.stderr).not.toContain(parent);
    await program.stop();
  });

  it('waits for a vault, and lets nobody in before it knows its tokens', async () => {
    const folder = join(tempFolder(), 'vault');
    const args = ['--wait-for-vault', '--auth', 'token'];
    const program = await HttpProcess.start({ folder, args });
    expect(await healthOf(program)).toBe('vault_not_found');
    expect((await listTools(program.url))[0]).toBe(401);
    expect((await listTools(program.url, 'vd_unknown'))[0]).toBe(503);
    mkdirSync(folder);
    const token = await makeToken({ ...program.env });
    expect((await listTools(program.url, token))[0]).toBe(200);
    expect(await healthOf(program)).toBe('ok');
    await program.stop();
    expect(program.stderr).not.toContain(folder);
  });

  it('says that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const program = new HttpProcess({ folder: tempFolder(files), args: ['--port', `${port}`] });
    expect(await program.exited).toEqual({ code: 6, signal: null });
    expect(program.stdout).toBe('');
    expect(program.stderr).toMatch(/^vaultdoor: Port \d+ of 127\.0\.0\.1 is in use.*\n$/);
  });
});

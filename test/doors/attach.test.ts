import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { firstRows } from '../support/counts.ts';
import { HttpProcess, type HttpStart } from '../support/http-process.ts';
import { modernMeta, StdioProcess, type StdioStart } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const files = { 'A.md': 'one\n', 'B.md': '[[A]] moss\n', 'Private/C.md': 'secret\n' };

/** A vault, and the folders of one user for state and cache. */
function place(): { readonly folder: string; readonly env: Readonly<Record<string, string>> } {
  const home = tempFolder();
  const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  return { folder: tempFolder(files), env };
}

function serve(start: HttpStart): Promise<HttpProcess> {
  return HttpProcess.start(start);
}

/** A client that shares a server where it can. */
function attach({ args = [], ...start }: StdioStart): StdioProcess {
  return new StdioProcess({ ...start, args: ['--attach', ...args] });
}

const attachedTo = ({ child }: HttpProcess): RegExp =>
  new RegExp(`info attached .*server=${child.pid}\\b`);

/** What a tool answers, as text. */
async function said(client: StdioProcess, name: string, args: object = {}): Promise<string> {
  const { result, error } = await client.request('tools/call', { name, arguments: args });
  const content = (result?.['content'] ?? []) as readonly { readonly text: string }[];
  return content.map(({ text }) => text).join('') || JSON.stringify(error);
}

async function toolNames(client: StdioProcess): Promise<readonly string[]> {
  const { result } = await client.request('tools/list');
  const tools = (result?.['tools'] ?? []) as readonly { readonly name: string }[];
  return tools.map(({ name }) => name);
}

/** The files that a process has open under this name. */
function openFiles(pid: number | undefined, name: string): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(join(folder, fd));
    } catch {
      return ''; // Closed meanwhile.
    }
  });
  return targets.filter((target) => target.endsWith(name));
}

/** The sockets of all vaults of a user. */
function sockets(env: Readonly<Record<string, string>>): readonly string[] {
  const state = join(env['XDG_STATE_HOME'] ?? '', 'vaultdoor');
  if (!existsSync(state)) return [];
  return readdirSync(state).filter((id) => existsSync(join(state, id, 'mcp.sock')));
}

describe('clients that share a server', () => {
  it('are many, and one process has the index', async () => {
    const { folder, env } = place();
    const server = await serve({ folder, env });
    const clients = Array.from({ length: 6 }, () => attach({ folder, env }));
    await Promise.all(clients.map((client) => client.initialize()));
    const written = clients.map((client, n) =>
      said(client, 'append_note', { name: 'A', text: `line ${n}` }),
    );
    await Promise.all(written);
    for (const client of clients) {
      expect(client.stderr).toMatch(attachedTo(server));
      expect((await said(client, 'read_note', { name: 'A' })).match(/^line \d$/gm)).toHaveLength(6);
    }
    if (process.platform === 'linux') {
      const holders = [server, ...clients].map(({ child }) => openFiles(child.pid, 'index.db'));
      expect(holders.map((held) => held.length > 0)).toEqual([true, ...clients.map(() => false)]);
    }
    for (const client of clients) expect(await client.end()).toMatchObject({ code: 0 });
    await server.says(() => server.stderr.includes('detached clients=0'));
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  it('may speak either protocol', async () => {
    const { folder, env } = place();
    await serve({ folder, env });
    const client = attach({ folder, env });
    const { result } = await client.request('tools/call', {
      name: 'read_note',
      arguments: { name: 'A' },
      _meta: modernMeta,
    });
    expect(JSON.stringify(result)).toContain('one');
    await client.end();
  });

  it('may want several vaults, in their own order', async () => {
    const { folder, env } = place();
    const other = tempFolder({ 'Only here.md': 'there\n' });
    const both = ['--vault', `first=${folder}`, '--vault', `second=${other}`];
    const server = await serve({ folder, env, args: both });
    const args = ['--vault', `second=${other}`, '--vault', `first=${folder}`];
    const client = attach({ folder, env, args });
    const { result } = await client.initialize();
    expect(result?.['instructions']).toContain('The vaults are "second", "first".');
    expect(await said(client, 'read_note', { name: 'Only here' })).toContain('there');
    expect(client.stderr).toMatch(attachedTo(server));
    await client.end();
  });
});

describe('the options of each client are its own', () => {
  it.each<[string, string[], string[], (client: StdioProcess) => Promise<void>]>(
    firstRows(1, [
      [
        'read-only, and another that is not',
        [],
        ['--read-only'],
        async (client) => {
          expect(await toolNames(client)).not.toContain('update_note');
          expect(await said(client, 'append_note', { name: 'A', text: 'x' })).toContain(
            'may only read',
          );
        },
      ],
      [
        'hidden files',
        [],
        ['--hide', 'Private'],
        async (client) => {
          expect(await said(client, 'read_note', { name: 'C' })).not.toContain('secret');
        },
      ],
      [
        'the toolset',
        ['--tools', 'notes'],
        ['--tools', 'obsidian'],
        async (client) => {
          expect(await toolNames(client)).toContain('obsidian_read_note');
          expect(await toolNames(client)).not.toContain('read_note');
        },
      ],
      [
        'what the server restricts on top of it',
        ['--read-only', '--hide', 'Private'],
        [],
        async (client) => {
          expect(await toolNames(client)).not.toContain('update_note');
          expect(await said(client, 'read_note', { name: 'C' })).not.toContain('secret');
          expect(await said(client, 'read_note', { name: 'A' })).toContain('one');
        },
      ],
    ]),
  )('%s', async (_what, serverArgs, args, check) => {
    const { folder, env } = place();
    const server = await serve({ folder, env, args: serverArgs });
    const client = attach({ folder, env, args });
    const open = attach({ folder, env });
    await client.initialize();
    await open.initialize();
    await check(client);
    expect(client.stderr).toMatch(attachedTo(server));
    const isRestricted = serverArgs.includes('--read-only');
    expect((await toolNames(open)).includes('update_note')).toBe(!isRestricted);
    await client.end();
    await open.end();
  });
});

describe('a client serves the vault itself', () => {
  type Start = (where: ReturnType<typeof place>) => Promise<HttpProcess | undefined>;
  it.each(
    firstRows<[string, Start, RegExp]>(2, [
      ['when no server runs', async () => undefined, /No server of this vault runs/],
      [
        'when the server was killed',
        async (where) => {
          const server = await serve(where);
          await server.stop('SIGKILL');
          return undefined;
        },
        /No server of this vault runs/,
      ],
      [
        'when the server allows other folders',
        ({ folder, env }) => serve({ folder, env, args: ['--allow-root', tempFolder()] }),
        /started with another \\"--allow-root\\"/,
      ],
      [
        'when the server has another vault alone',
        ({ env }) => serve({ folder: tempFolder({ 'X.md': 'x' }), env }),
        /No server of this vault runs/,
      ],
      [
        'when the server calls the vault otherwise',
        ({ folder, env }) => serve({ folder, env, args: ['--vault', `other=${folder}`] }),
        /calls this vault \\"other\\"/,
      ],
    ]),
  )('%s', async (_when, start, reason) => {
    const where = place();
    await start(where);
    const client = attach(where);
    await client.initialize();
    expect(await said(client, 'read_note', { name: 'A' })).toContain('one');
    expect(client.stderr).toMatch(reason);
    expect(client.stderr).not.toContain('info attached');
    expect(await client.end()).toMatchObject({ code: 0 });
  });

  it('when the server has no socket, since its path would be too long', async () => {
    const { folder } = place();
    const home = join(tempFolder(), 'x'.repeat(90));
    mkdirSync(home);
    const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
    const server = await serve({ folder, env });
    expect(server.stderr).toMatch(/warn not-shared .*XDG_STATE_HOME/);
    const client = attach({ folder, env });
    await client.initialize();
    expect(client.stderr).toContain('not-attached');
    await client.end();
  });

  it('and fails as ever where there is no vault', async () => {
    const client = attach({ folder: join(tempFolder(), 'none') });
    expect(await client.exited).toMatchObject({ code: 3 });
    expect(client.stderr).toContain('cannot be opened: it does not exist');
  });
});

describe('a client that shares a server leaves', () => {
  it.each<[string, (program: StdioProcess) => void]>(
    firstRows(1, [
      ['at the end of its input', (program) => program.child.stdin.end()],
      ['after exit', (program) => program.send({ jsonrpc: '2.0', method: 'exit' })],
      ['after SIGTERM', (program) => program.child.kill('SIGTERM')],
      ['after SIGINT', (program) => program.child.kill('SIGINT')],
    ]),
  )('%s, when what runs is finished and answered', async (_way, leave) => {
    const { folder, env } = place();
    await serve({ folder, env });
    const client = attach({ folder, env });
    await client.initialize();
    const ids = Array.from({ length: 30 }, (_, n) => n);
    const requests = ids.map((id) => {
      const params = { name: 'append_note', arguments: { name: 'A', text: `line ${id}` } };
      return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
    });
    client.write(requests.join(''));
    await client.find(({ id }) => typeof id === 'number');
    leave(client);
    expect(await client.exited).toEqual({ code: 0, signal: null });
    const answered = client.messages.filter(({ id }) => typeof id === 'number');
    expect(answered.filter(({ result }) => result?.['isError'] !== true)).toHaveLength(30);
    expect(client.rest).toBe('');
    const text = readFileSync(join(folder, 'A.md'), 'utf8');
    expect(ids.filter((id) => !text.split('\n').includes(`line ${id}`))).toEqual([]);
  });

  it('quietly when nobody reads it any more', async () => {
    const { folder, env } = place();
    const server = await serve({ folder, env });
    const client = attach({ folder, env });
    await client.initialize();
    client.child.stdout.destroy();
    client.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await client.exited).toEqual({ code: 0, signal: null });
    expect(client.stderr).not.toMatch(/EPIPE|\bat .*:\d+:\d+/);
    await server.says(() => server.stderr.includes('detached clients=0'));
  });
});

describe('when the server goes', () => {
  it.each<NodeJS.Signals>(firstRows(1, ['SIGKILL', 'SIGTERM']))(
    'by %s, its clients leave and say so, and serve themselves the next time',
    async (signal) => {
      const { folder, env } = place();
      const server = await serve({ folder, env });
      const client = attach({ folder, env });
      await client.initialize();
      await said(client, 'append_note', { name: 'A', text: 'two' });
      await server.stop(signal);
      expect(await client.exited).toEqual({ code: 6, signal: null });
      expect(client.stderr).toMatch(/error server-gone .*Connect again/);
      expect(client.rest).toBe('');
      const next = attach({ folder, env });
      await next.initialize();
      expect(await said(next, 'read_note', { name: 'A' })).toContain('two');
      expect(next.stderr).toContain('not-attached');
      await next.end();
    },
  );

  it('another takes its place, which it does not as long as the first is there', async () => {
    const { folder, env } = place();
    const first = await serve({ folder, env });
    const second = await serve({ folder, env });
    expect(second.stderr).toMatch(/warn not-shared .*Another server of this vault/);
    await second.stop();
    const client = attach({ folder, env });
    await client.initialize();
    expect(client.stderr).toMatch(attachedTo(first));
    await first.stop('SIGKILL');
    const third = await serve({ folder, env });
    const next = attach({ folder, env });
    await next.initialize();
    expect(next.stderr).toMatch(attachedTo(third));
    await next.end();
    await third.stop();
    expect(sockets(env)).toEqual([]);
  });
});

it('a server that waits for its vault is shared once that is there', async () => {
  const { folder, env } = place();
  renameSync(folder, `${folder}-away`);
  const server = await serve({ folder, env, args: ['--wait-for-vault'] });
  renameSync(`${folder}-away`, folder);
  await vi.waitFor(() => expect(sockets(env)).toHaveLength(1), { timeout: 30_000, interval: 100 });
  const client = attach({ folder, env });
  await client.initialize();
  expect(await said(client, 'read_note', { name: 'A' })).toContain('one');
  expect(client.stderr).toMatch(attachedTo(server));
  await client.end();
});

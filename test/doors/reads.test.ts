import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ReadEntry } from '../../src/engine/ports/read-log.ts';
import { DaemonProcess, daemonHome } from '../support/daemon-process.ts';
import { HttpProcess } from '../support/http-process.ts';
import { makePng } from '../support/make-png.ts';
import { runCli } from '../support/run-cli.ts';
import { legacyHello, StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// What clients read, as the built program logs it and shows it to the owner.

const files = { 'Plan.md': 'fern and moss\n', 'Diary/May.md': 'lichen grows\n' };

function place() {
  const home = tempFolder();
  return { folder: tempFolder(files), env: { XDG_CACHE_HOME: home, XDG_STATE_HOME: home } };
}
type Place = ReturnType<typeof place>;

/** A client over stdio with this name, that reads these notes and leaves. */
async function visit(at: Place, name: string, notes: readonly string[], args = ['--log-reads']) {
  const client = new StdioProcess({ ...at, args });
  await client.initialize({ clientInfo: { ...legacyHello.clientInfo, name } });
  for (const note of notes) await call(client, 'read_note', { name: note });
  await client.end();
  return client;
}

function call(client: StdioProcess, name: string, args: object) {
  return client.request('tools/call', { name, arguments: args });
}

async function reads({ folder, env }: Place, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await runCli(['reads', '--vault', folder, ...args], env);
  return stdout + stderr;
}

async function entries(at: Place, ...args: string[]): Promise<readonly ReadEntry[]> {
  const answer = JSON.parse(await reads(at, '--json', ...args)) as { reads: ReadEntry[] };
  return answer.reads.filter(({ tool }) => tool !== 'context');
}

/** Everything that is kept in the state folder of the vault under `reads`. */
function kept({ env }: Place): { readonly text: string; readonly modes: readonly number[] } {
  const state = join(env.XDG_STATE_HOME, 'vaultdoor');
  const names = readdirSync(state, { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(state, name));
  return {
    text: paths.map((path) => readFileSync(path, 'utf8')).join(''),
    modes: paths.map((path) => statSync(path).mode & 0o777),
  };
}

it('is dropped after 30 days, also by a server that logs nothing', async () => {
  const at = place();
  await visit(at, 'Claude', ['Plan']);
  const state = join(at.env.XDG_STATE_HOME, 'vaultdoor');
  const files = (): readonly string[] =>
    readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
  const [today = ''] = files();
  const old = join(today, '..', '2026-01-02-1.jsonl');
  writeFileSync(join(state, old), '');
  expect(files()).toHaveLength(2);
  await visit(at, 'Claude', ['Plan'], []);
  expect(files()).toEqual([today]);
});

it('says how to begin when nothing is logged, and logs nothing unless told', async () => {
  const at = place();
  const nothing =
    'vaultdoor: Nothing is logged: start the server with --log-reads. For an app that starts Vaultdoor itself: "vaultdoor install claude-code -- --log-reads".\n';
  expect(await reads(at)).toBe(nothing);
  await visit(at, 'Claude', ['Plan'], []);
  expect(await reads(at)).toBe(nothing);
});

it('lists what two clients have read, newest first, without texts and searches', async () => {
  const at = place();
  await visit(at, 'Claude\u001b[2J\nCode', ['Plan', 'May']);
  const client = new StdioProcess({ ...at, args: ['--log-reads'] });
  await client.initialize({ clientInfo: { ...legacyHello.clientInfo, name: 'Cursor' } });
  await call(client, 'search_notes', { query: 'lichen' });
  await call(client, 'read_note', { name: 'none' });
  await client.end();
  expect(await reads(at)).toMatch(
    /^\d{4}-\d\d-\d\d {2}Cursor\n {2}\d\d:\d\d:\d\d {2}search_notes {2}12 B {2}Diary\/May\.md\n\n\S+ {2}"Claude[^"]*\[2J Code"\n {2}\S+ {2}read_note {5}13 B {2}Diary\/May\.md\n {2}\S+ {2}read_note {5}14 B {2}Plan\.md\n$/,
  );
  expect((await entries(at, '--client', 'cursor')).map(({ tool }) => tool)).toEqual([
    'search_notes',
  ]);
  expect(await entries(at, '--path', 'Diary/', '--since', '2h')).toHaveLength(2);
  expect(await entries(at, '--path', 'Plan.md')).toHaveLength(1);
  expect(await entries(at, '--since', '2099-01-01')).toEqual([]);
  expect(await reads(at, '--limit', '1')).toMatch(/Older reads are not shown; give a larger/);
  expect(await reads(at, '--client', 'nobody')).toMatch(/^vaultdoor: No such reads are logged\./);
  expect(await reads(at, '--since', 'lunch')).toMatch(/"lunch" is not a time/);
  expect(await reads(at, 'Plan.md')).toMatch(/"reads" takes options only/);
  expect(kept(at).text).not.toMatch(/lichen|moss|"none/);
  expect(kept(at).modes).toEqual([0o600]);
});

it('has the token of a client over HTTP, and the client that shares that server', async () => {
  const at = place();
  const { folder, env } = at;
  const made = ['token', 'create', 'phone', '--json', '--vault', folder];
  const { token, id } = JSON.parse((await runCli(made, env)).stdout) as {
    token: string;
    id: string;
  };
  const args = ['--log-reads', '--auth', 'token', '--tools', 'notes'];
  const server = await HttpProcess.start({ folder, env, args });
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'read_note',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'read_note',
        arguments: { name: 'Plan' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'phone', version: '2' },
        },
      },
    }),
  });
  expect(await response.text()).toContain('fern and moss');
  // It does not ask for the log, and gets that of the server which it shares.
  const shared = await visit(at, 'Sharer', ['May'], ['--attach']);
  expect(shared.stderr).toContain('info attached');
  await server.stop();
  expect(await entries(at)).toMatchObject([
    { tool: 'read_note', paths: ['Diary/May.md'], door: 'mcp-stdio', client: 'Sharer/1.0.0' },
    { tool: 'read_note', paths: ['Plan.md'], door: 'mcp-http', client: 'phone/2', token: id },
  ]);
  expect(kept(at).text).not.toContain(token);
});

it('has what remote clients read', async () => {
  const home = daemonHome(files);
  writeFileSync(join(home, 'vault/wide.png'), makePng({ width: 400, height: 100 }));
  const daemon = await DaemonProcess.start({ home, args: ['--vault-root=vault', '--log-reads'] });
  const wire = await daemon.enter();
  await wire.result('fs.readText', { path: 'Plan.md' });
  await wire.result('fs.thumbnail', { path: 'wide.png', maxDim: 100 });
  expect(await daemon.stop()).toBe(0);
  const { stdout } = await runCli(['reads', '--json', '--vault', join(home, 'vault')], {
    HOME: home,
  });
  expect((JSON.parse(stdout) as { reads: object[] }).reads).toMatchObject([
    { tool: 'fs.thumbnail', paths: ['wide.png'] },
    { tool: 'fs.readText', paths: ['Plan.md'], bytes: 14, door: 'remote' },
  ]);
});

it('answers all the same when it cannot log, and says so once', async () => {
  const at = place();
  await visit(at, 'Claude', ['Plan']);
  const state = join(at.env.XDG_STATE_HOME, 'vaultdoor');
  const [reads] = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('reads'),
  );
  rmSync(join(state, reads ?? ''), { recursive: true });
  writeFileSync(join(state, reads ?? ''), 'in the way');
  const client = await visit(at, 'Claude', ['Plan', 'May']);
  expect(client.messages.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(client.stderr.match(/warn reads-not-logged reason=ENOTDIR/g)).toHaveLength(1);
});

it('refuses to start with a program for notices that does not exist', async () => {
  const { folder, env } = place();
  const args = ['serve', '--vault', folder, '--port', '0', '--notify-command', './none'];
  const { code, stderr } = await runCli(args, env);
  expect([code, stderr]).toEqual([3, expect.stringContaining('there is no program "./none"')]);
});

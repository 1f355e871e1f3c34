import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstRows } from '../support/counts.ts';
import { runCli } from '../support/run-cli.ts';
import { legacyHello, modernMeta, StdioProcess, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: legacyHello };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

const lines = (...messages: readonly unknown[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

/** All answers, in no order: a short one may overtake a long one. */
async function run(
  args: readonly string[],
  text: string,
  more: Record<string, string> = {},
): Promise<{ readonly answers: readonly string[]; readonly code: number }> {
  const folder = tempFolder({ 'A.md': '# A\n' });
  const other = tempFolder({ 'B.md': '# B\n' });
  const vaults = [
    '--vault',
    `one=${folder}`,
    ...(args[0] === 'two' ? ['--vault', `other=${other}`] : []),
  ];
  const { stdout, code } = await runCli(
    ['stdio', ...vaults, ...args.filter((word) => word !== 'two')],
    { ...stdioEnv({ folder }), ...more },
    text,
  );
  return { answers: stdout.split('\n').sort(), code };
}

/** The answers do not tell who gave the first one: a blank line keeps us from doing it ourselves. */
async function checkSame(args: readonly string[], text: string): Promise<void> {
  const greeted = await run(args, text);
  expect(greeted).toEqual(await run(args, `\n${text}`));
  expect(greeted.code).toBe(0);
}

describe('the list of tools', () => {
  const asked = lines(hello, initialized, { ...list, id: 2 }, { ...ping, id: 3 });

  it.each(
    firstRows(2, [[['--read-only']], [['--tools', 'obsidian,agent']], [['two', '--propose']]]),
  )('is kept, and sent again by the next start with the same options: %j', async (args) => {
    const kept = tempFolder({});
    const env = { VAULTDOOR_CODE_CACHE: kept };
    const first = await run(args, asked, env);
    const [name = '', ...more] = readdirSync(kept).filter((each) => each.endsWith('.json'));
    expect(more).toEqual([]);
    const file = join(kept, name);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await run(args, asked, env)).toEqual(first);
    // Only so can be seen who has answered.
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"description":"', '"description":"MARKED '),
    );
    const third = await run(args, asked, env);
    expect(third.answers.join().replace('MARKED ', '')).toBe(first.answers.join());
    expect(third.answers.join()).toContain('MARKED');
    const other = await run([...args, '--no-history-tools'], asked, env);
    expect(other.answers.join()).not.toContain('MARKED');
  });

  it.each(['', '{', '{"key":1}', 'null'])(
    'is made anew where what was kept is %j',
    async (text) => {
      const kept = tempFolder({});
      const env = { VAULTDOOR_CODE_CACHE: kept };
      const first = await run(['--read-only'], asked, env);
      const name = readdirSync(kept).find((each) => each.endsWith('.json')) ?? '';
      writeFileSync(join(kept, name), text);
      expect(await run(['--read-only'], asked, env)).toEqual(first);
      expect(readFileSync(join(kept, name), 'utf8')).toContain('inputSchema');
    },
  );
});

describe('a client that is greeted before the program is loaded', () => {
  it.each(
    firstRows(2, [
      [[]],
      [['--tools', 'obsidian']],
      [['--tools', 'agent']],
      [['--tools', 'notes,agent']],
      [['--read-only']],
      [['--tag-policy', 'off', '--no-history-tools']],
      [['--wait-for-vault']],
      [['--timeout', 'search_notes=60']],
      [['two']],
    ]),
  )('is told what the server says itself, with %j', async (args) => {
    await checkSame(args, lines(hello, initialized, list, ping));
  });

  it.each<[string, string]>(
    firstRows(2, [
      ['a request of the 2026 era', lines({ ...list, params: { _meta: modernMeta } })],
      [
        'a question of the 2026 era',
        lines({ ...list, method: 'server/discover', params: { _meta: modernMeta } }, list),
      ],
      ['what is no JSON', `garbage\n${lines(hello, list)}`],
      ['a batch', lines([hello], hello, list)],
      ['a ping', lines(ping, hello, list)],
      ['a request that is too early', lines(list, hello, list)],
      [
        'another version',
        lines({ ...hello, params: { ...legacyHello, protocolVersion: '1' } }, list),
      ],
      ['an initialize without an end', JSON.stringify(hello)],
    ]),
  )('may begin with %s', async (_, text) => {
    await checkSame([], text);
  });

  it('may send its first line in pieces, and late', async () => {
    const server = new StdioProcess({ folder: tempFolder({ 'A.md': '# A\n' }) });
    const text = lines(hello, initialized);
    server.write(text.slice(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.write(text.slice(20));
    await server.answer(1);
    expect(
      (await server.request('tools/call', { name: 'read_note', arguments: { name: 'A' } })).result,
    ).toMatchObject({ content: [{ text: expect.stringContaining('# A') }] });
    await server.end();
    expect(server.messages).toHaveLength(2);
  });

  it('is told nothing where the vault is not there', async () => {
    const env = stdioEnv({ folder: '/nonexistent' });
    const { stdout, stderr, code } = await runCli(['stdio'], env, lines(hello));
    expect([stdout, code]).toEqual(['', 3]);
    expect(stderr).toBe(
      'vaultdoor: The vault "/nonexistent" cannot be opened: it does not exist. If an app started this and the folder was moved, "vaultdoor setup" gives its entry the new path; "vaultdoor doctor" says what is wrong.\n',
    );
  });

  it.each<[string, readonly string[], string]>([
    ['at once', ['--vault', '/nonexistent'], lines(hello)],
    ['never', ['--vault', '/nonexistent'], ''],
    ['half a line', ['--vault', '/nonexistent'], '{'],
    ['about a tool that is not there', ['--timeout', 'x=1'], lines(hello)],
  ])('and keeps its end open sees us leave all the same: it speaks %s', async (_, args, text) => {
    const server = new StdioProcess({ folder: tempFolder({}), args });
    server.write(text);
    const { code } = await server.exited;
    expect([code, server.stdout]).toEqual([args[0] === '--vault' ? 3 : 2, '']);
  });

  it('is told nothing where an option is for a tool that is not there', async () => {
    const env = stdioEnv({ folder: tempFolder({}) });
    const { stdout, code } = await runCli(['stdio', '--timeout', 'x=1'], env, lines(hello));
    expect([stdout, code]).toEqual(['', 2]);
  });
});

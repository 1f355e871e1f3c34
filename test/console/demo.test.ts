import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleBrowser } from '../support/console-browser.ts';
import { bareEnv } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const demo = pathToFileURL(`${repository}scripts/demo/serve-demo.mjs`).href;

/** What `npm start` starts, without the build before it: other tests run the built program. */
function startDemo(args: readonly string[]) {
  const temporary = tempFolder();
  const env = {
    ...bareEnv(),
    TMPDIR: temporary,
    VAULT_PATH: tempFolder({ 'other.md': '' }),
    VAULTDOOR_READ_ONLY: 'true',
  };
  const code = `import(${JSON.stringify(demo)}).then((all) => all.serveDemo(process.argv.slice(1)))`;
  const child = spawn(process.execPath, ['-e', code, '--', ...args], { env });
  onTestFinished(() => void child.kill('SIGTERM'));
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const link = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const last = seen.stdout.trimEnd().split('\n').at(-1) ?? '';
      if (last.includes('/c/enter#k=')) resolve(last);
    });
    child.once('close', () => reject(new Error(seen.stderr)));
  });
  link.catch(() => undefined); // Not every test needs it.
  return { child, seen, ended, link, left: () => readdirSync(temporary) };
}

const free = ['--port', '0'];
const gitStatus = (): string =>
  execFileSync('git', ['status', '--porcelain'], { cwd: repository, encoding: 'utf8' });

/** Takes a port, unless another program has it. */
async function listenOn(port: number): Promise<number> {
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => {
    other.once('error', () => resolve());
    other.listen(port, '127.0.0.1', resolve);
  });
  return (other.address() as { port: number } | null)?.port ?? port;
}

interface Changes {
  readonly items: readonly { readonly client: string; readonly files: readonly unknown[] }[];
}

describe('npm start', () => {
  it('builds the program, and serves the demo', () => {
    const { scripts } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(scripts['start']).toBe('node scripts/start.mjs');
  });

  it('shows a day of changes, a question and a proposal, and leaves nothing behind', async () => {
    const before = gitStatus();
    const { child, seen, ended, link, left } = startDemo([...free, '--bridge', '--bridge-port=0']);
    const browser = await ConsoleBrowser.enter(await link);
    const { items } = await browser.json<Changes>('/changes');
    expect(items).toHaveLength(12);
    expect([...new Set(items.map(({ client }) => client))]).toEqual([
      'cursor-vscode/2.2.14',
      'claude-desktop/0.14.0',
    ]);
    expect(await browser.json('/questions')).toMatchObject({
      open: [{ about: 'brake', tool: 'note_delete', paths: ['Daily/2026-09-26.md'], earlier: 3 }],
    });
    expect(await browser.json('/proposals')).toMatchObject({ open: [{ tool: 'replace_note' }] });

    const [bridge] = /http:\/\/127\.0\.0\.1:\d+\/bridge\/v1/.exec(seen.stdout) ?? [''];
    const call = await fetch(`${bridge}/tools/read_note/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"arguments":{"name":"Swifts"}}',
    });
    expect(await call.text()).toContain('Counted nineteen swifts');

    child.kill('SIGINT');
    expect([await ended, seen.stderr, left()]).toEqual([0, '', []]);
    // It says that the apps are played, and at the end that nothing is left of the copy.
    expect(seen.stdout).toContain('no app of yours is used');
    expect(seen.stdout).toMatch(/\nThe copy was deleted\.\n$/);
    expect(gitStatus()).toBe(before);
  });

  it('goes on with a deletion that the owner allows', async () => {
    const { link } = startDemo(free);
    const browser = await ConsoleBrowser.enter(await link);
    await browser.json('/questions/q1', { method: 'POST', body: { says: 'once' } });
    await browser.eventsUntil((events) => events.includes('"at":13'));
    const { items } = await browser.json<Changes>('/changes');
    expect(items[0]).toMatchObject({
      tool: 'note_delete',
      files: [{ path: 'Daily/2026-09-26.md' }],
    });
  });

  it('leaves the changes out with --empty', async () => {
    const { child, seen, ended, link, left } = startDemo(['--empty', ...free]);
    const browser = await ConsoleBrowser.enter(await link);
    expect(await browser.json('/changes')).toMatchObject({ items: [] });
    // A newcomer sees what it is and the link; nothing that would connect a client with this copy.
    expect(seen.stdout).toContain('To connect your own notes: npx vaultdoor setup');
    expect(seen.stdout).not.toMatch(/Bridge|claude mcp add|mcpServers/);
    expect(seen.stdout.split('\n').length).toBeLessThan(16);
    // The address of MCP answers JSON in a browser, so it says for whom it is.
    const addresses = seen.stdout.split('\n').filter((line) => line.includes('http'));
    expect(addresses).toEqual([
      expect.stringMatching(/^For apps, not for a browser: http:\S+\/mcp$/),
      expect.stringMatching(/^http:\S+\/c\/enter#k=\S+$/),
    ]);
    // A client of the reader's own can rename notes. The console says what does not last, and where
    // its commands work.
    expect(await browser.json('/me')).toMatchObject({
      toolsets: ['notes'],
      isDemo: true,
      isHistoryApart: true,
      commandFolder: repository.replace(/\/$/, ''),
    });
    for (const line of seen.stdout.split('\n')) expect(line.length, line).toBeLessThan(200);
    // The command for another link works as it stands there.
    const [, command = ''] = /"(sh \S+)" prints another/.exec(seen.stdout) ?? [];
    const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8', env: bareEnv() });
    const [again = ''] = /http:\S+#k=\S+/.exec(printed) ?? [];
    expect(await (await ConsoleBrowser.enter(again)).json('/changes')).toMatchObject({ items: [] });
    child.kill('SIGTERM');
    expect([await ended, left()]).toEqual([0, []]);
  });

  it('chooses another port where its own is taken, and says so', async () => {
    await listenOn(1065);
    const { seen, link } = startDemo(['--empty']);
    expect(new URL(await link).port).not.toBe('1065');
    expect(seen.stdout).toContain('Port 1065 is taken, so another one was chosen.');
  });

  it('says which port is taken that was asked for, and how to choose another', async () => {
    const port = await listenOn(0);
    const taken = startDemo(['--empty', '--port', '0', '--bridge', '--bridge-port', `${port}`]);
    expect([await taken.ended, taken.left()]).toEqual([6, []]);
    expect(taken.seen.stderr).toMatch(
      new RegExp(`^vaultdoor: Port ${port} .*is in use.*\\n.*npm start -- --port \\d+.*\\n$`),
    );
  });

  it('serves no other vault', async () => {
    const { ended, seen } = startDemo(['--vault', '/']);
    expect(await ended).toBe(2);
    expect(seen.stderr).toContain('vaultdoor serve --vault');
  });
});

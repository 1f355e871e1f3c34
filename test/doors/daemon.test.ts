import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DaemonProcess, daemonHome } from '../support/daemon-process.ts';
import { RemoteWire, request } from '../support/remote-wire.ts';
import { runCli } from '../support/run-cli.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;
/** Everything below a folder, but for what is kept for its vault elsewhere. */
const filesIn = (home: string): readonly string[] =>
  (readdirSync(home, { recursive: true }) as string[])
    .filter((path) => !/^\.(local|cache)\b/.test(path))
    .sort();

describe('the start', () => {
  it('says where everything is in four lines, and nothing on stdout', async () => {
    const home = daemonHome();
    const daemon = await DaemonProcess.start({ home });
    const { socket, tokenFile } = daemon;
    expect(daemon.stderr).toMatch(/^vaultdoor daemon \d+\.\d+\.\d+\n/);
    expect(daemon.stderr.split('\n').slice(1)).toEqual([
      `vault: ${join(home, 'vault')}`,
      `socket: ${socket}`,
      `token: ${tokenFile}`,
      '',
    ]);
    expect(await daemon.stop()).toBe(0);
    expect(daemon.stdout).toBe('');
  });

  it('lets only its owner come in', async () => {
    const daemon = await DaemonProcess.start({ home: daemonHome() });
    const { socket, tokenFile } = daemon;
    expect([socket, tokenFile, join(socket, '..')].map(modeOf)).toEqual([0o600, 0o600, 0o700]);
    expect(daemon.token).toMatch(/^[0-9a-f]{64}$/);
    const wire = await daemon.enter();
    const info = await wire.result('server.info');
    expect(info).toMatchObject({ protocolVersion: 1 });
    await daemon.stop();
  });

  it('closes its own folder to others, and leaves those of others as they are', async () => {
    const home = daemonHome();
    const [own, other] = [join(home, '.obsidian-remote'), join(home, 'other')];
    for (const folder of [own, other]) {
      mkdirSync(folder);
      chmodSync(folder, 0o755);
    }
    const args = [
      '-vault-root',
      'vault',
      `--socket=${join(other, 'a.sock')}`,
      '--token-file=.obsidian-remote/token',
    ];
    const daemon = await DaemonProcess.start({ home, args });
    expect([own, other].map(modeOf)).toEqual([0o700, 0o755]);
    expect(existsSync(join(other, 'a.sock'))).toBe(true);
    await daemon.stop();
  });

  it('has another token each time, and replaces what a killed one left', async () => {
    const home = daemonHome();
    const first = await DaemonProcess.start({ home });
    const { token } = first;
    await first.stop('SIGKILL');
    expect(filesIn(home)).toContain('.obsidian-remote/server.sock');
    const second = new DaemonProcess({ home });
    await second.until(() => second.token !== token);
    await (await second.enter()).result('fs.stat', { path: 'a.md' });
    expect(await second.stop()).toBe(0);
  });

  it('leaves a daemon alone that listens there', async () => {
    const home = daemonHome();
    const first = await DaemonProcess.start({ home });
    const { token } = first;
    const second = new DaemonProcess({ home });
    expect(await second.exited).toBe(1);
    expect(second.stderr).toMatch(/^vaultdoor: A daemon listens at .* already; .*\n$/);
    expect(first.token).toBe(token);
    await (await first.enter()).result('fs.stat', { path: 'a.md' });
    await first.stop();
  });

  it('lets one of several win that are started at once', async () => {
    const home = daemonHome();
    const all = Array.from({ length: 4 }, () => new DaemonProcess({ home }));
    const winner = await Promise.any(
      all.map((daemon) => daemon.until(() => daemon.stderr.includes('token: ')).then(() => daemon)),
    );
    const losers = all.filter((daemon) => daemon !== winner);
    expect(await Promise.all(losers.map((daemon) => daemon.exited))).toEqual([1, 1, 1]);
    expect(await winner.enter()).toBeInstanceOf(RemoteWire);
    expect(await winner.stop()).toBe(0);
  });
});

describe('what does not start', () => {
  it.each<[string, readonly string[], number, string]>([
    ['no vault', [], 2, '"--vault-root" is missing'],
    ['a flag that is none', ['--frob'], 2, 'There is no flag "--frob"'],
    ['a vault that is not there', ['--vault-root=none'], 2, 'it does not exist'],
    ['a vault that is a file', ['--vault-root=vault/a.md'], 2, 'it is not a folder'],
    [
      'a file in place of the socket',
      ['--vault-root=vault', '--socket=vault/a.md'],
      1,
      'is not a socket',
    ],
    [
      'a socket below a file',
      ['--vault-root=vault', '--socket=vault/a.md/x'],
      1,
      'cannot be made (EEXIST)',
    ],
    [
      'a socket with a long path',
      ['--vault-root=vault', `--socket=${'x'.repeat(120)}`],
      1,
      'give a shorter one (--socket)',
    ],
    [
      'a folder in place of the token',
      ['--vault-root=vault', '--token-file=vault'],
      1,
      'is not the token of a daemon',
    ],
  ])('%s', async (_what, args, code, message) => {
    const home = daemonHome();
    const daemon = new DaemonProcess({ home, args });
    expect(await daemon.exited).toBe(code);
    expect(daemon.stderr).toMatch(/^vaultdoor: [^\n]*\.\n$/);
    expect(daemon.stderr).toContain(message);
    expect(daemon.stdout).toBe('');
    expect(filesIn(join(home, 'vault'))).toEqual(['a.md']);
    expect(readFileSync(join(home, 'vault', 'a.md'), 'utf8')).toBe('a');
  });

  it('only prints the version when it is asked for', async () => {
    const { stdout, stderr, code } = await runCli(['daemon', '-version'], {});
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect([stderr, code]).toEqual(['', 0]);
  });
});

describe('the end', () => {
  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
    'comes with %s though clients are there, and leaves nothing',
    async (signal) => {
      const home = daemonHome();
      const daemon = await DaemonProcess.start({ home });
      const wire = await daemon.enter();
      await wire.result('fs.watch', { path: '', recursive: true });
      expect(await daemon.stop(signal)).toBe(0);
      expect(wire.isClosed).toBe(true);
      expect(filesIn(home)).toEqual(['.obsidian-remote', 'vault', 'vault/a.md']);
    },
  );

  it('answers what runs', async () => {
    const daemon = await DaemonProcess.start({ home: daemonHome() });
    const wire = await daemon.enter();
    const ids = Array.from({ length: 20 }, (_, id) => id);
    wire.send(...ids.map((id) => request(id, 'fs.write', { path: `${id}.md`, content: 'x' })));
    await wire.reply(0);
    const code = daemon.stop();
    const answered = await Promise.allSettled(ids.slice(1).map((id) => wire.reply(id)));
    expect(await code).toBe(0);
    const written = ids.filter((id) => existsSync(join(daemon.socket, `../../vault/${id}.md`)));
    const told = answered.flatMap((each, at) => (each.status === 'fulfilled' ? [at + 1] : []));
    // Whoever was not answered has nothing written in part, and everybody else has all of it.
    expect(written).toEqual(expect.arrayContaining([0, ...told]));
  });

  it('does not come with SIGHUP', async () => {
    const daemon = await DaemonProcess.start({ home: daemonHome() });
    daemon.child.kill('SIGHUP');
    const wire = await daemon.enter();
    await wire.result('fs.stat', { path: 'a.md' });
    expect(daemon.child.exitCode).toBeNull();
    expect(await daemon.stop()).toBe(0);
  });

  it('leaves a later socket and token alone', async () => {
    const home = daemonHome();
    const daemon = await DaemonProcess.start({ home });
    for (const file of [daemon.socket, daemon.tokenFile]) {
      rmSync(file);
      writeFileSync(file, 'another');
    }
    expect(await daemon.stop()).toBe(0);
    const left = [daemon.socket, daemon.tokenFile].map((file) => readFileSync(file, 'utf8'));
    expect(left).toEqual(['another', 'another']);
  });
});

it('keeps running while its vault is away', async () => {
  const home = daemonHome();
  const daemon = await DaemonProcess.start({ home });
  const wire = await daemon.enter();
  rmSync(join(home, 'vault'), { recursive: true });
  expect(await wire.call('fs.list', { path: '' })).toMatchObject({
    error: { code: expect.any(Number) },
  });
  await daemon.until(() => daemon.stderr.includes(' warn vault-gone vault=vault '));
  mkdirSync(join(home, 'vault'));
  writeFileSync(join(home, 'vault', 'b.md'), 'b');
  const { entries } = await wire.result<{ entries: readonly object[] }>('fs.list', { path: '' });
  expect(entries).toMatchObject([{ name: 'b.md' }]);
  await daemon.until(() => daemon.stderr.includes(' warn vault-back vault=vault\n'));
  expect(await daemon.stop()).toBe(0);
});

it('never indexes a vault that nobody searches', async () => {
  const home = daemonHome();
  const daemon = await DaemonProcess.start({ home });
  const wire = await daemon.enter();
  await wire.result('fs.watch', { path: '', recursive: true });
  await wire.result('fs.write', { path: 'b.md', content: 'needle' });
  await daemon.stop();
  const all = readdirSync(home, { recursive: true }) as string[];
  expect(all.filter((path) => path.endsWith('index.db'))).toEqual([]);
  expect(all.filter((path) => path.endsWith('state.db'))).toHaveLength(1);
});

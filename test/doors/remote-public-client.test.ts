import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DaemonProcess, daemonHome } from '../support/daemon-process.ts';
import { RemoteWire, request } from '../support/remote-wire.ts';

it('what the public client does, step by step (section 6)', async () => {
  const home = daemonHome({ 'Notes/a.md': '# A\n', '.obsidian/app.json': '{}' });
  const vault = join(home, 'vault');
  // 2: the four flags of its deployer.
  const args = [
    `--vault-root=${vault}`,
    `--socket=${home}/.obsidian-remote/server.sock`,
    `--token-file=${home}/.obsidian-remote/token`,
    '--verbose',
  ];
  // 3: it waits for the token file alone, and then knocks once.
  const daemon = new DaemonProcess({ home, args });
  await daemon.until(() => daemon.token !== '');
  const { token } = daemon;
  const wire = await RemoteWire.connect(daemon.socket);
  let id = 0;
  const call = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    wire.send(request(++id, method, params));
    const { result, error } = await wire.reply(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as Record<string, unknown>;
  };
  // 4: handshake.
  expect((await call('auth', { token }))['ok']).toBe(true);
  const info = await call('server.info');
  expect(info['protocolVersion']).toBe(1);
  expect(info['capabilities']).toEqual(
    expect.arrayContaining(['fs.walk', 'fs.thumbnail', 'fs.readBinaryRange']),
  );
  // 5: after connect.
  const { subscriptionId } = await call('fs.watch', { path: '', recursive: true });
  const walked = await call('fs.walk', { path: '', recursive: true });
  const entries = walked['entries'] as readonly { path: string; mtime: number; type: string }[];
  expect(entries.map(({ path }) => path)).toEqual([
    '.obsidian',
    '.obsidian/app.json',
    'Notes',
    'Notes/a.md',
  ]);
  expect(walked['truncated']).toBe(false);
  // 6: reads.
  const stat = await call('fs.stat', { path: 'Notes/a.md' });
  expect(stat).toEqual({ type: 'file', mtime: entries.at(-1)?.mtime, size: 4, mode: 0o644 });
  const read = await call('fs.readBinary', { path: 'Notes/a.md' });
  expect(Buffer.from(String(read['contentBase64']), 'base64').toString()).toBe('# A\n');
  const pinned = { path: 'Notes/a.md', offset: 2, length: 100, expectedMtime: stat['mtime'] };
  expect((await call('fs.readBinaryRange', pinned))['contentBase64']).toBe('QQo=');
  // 7: writes; root files need no folder, others get theirs first.
  const put = async (path: string, text: string, expectedMtime: unknown): Promise<unknown> => {
    const parent = path.split('/').slice(0, -1).join('/');
    if (parent !== '') await call('fs.mkdir', { path: parent, recursive: true });
    const contentBase64 = Buffer.from(text).toString('base64');
    await call('fs.writeBinary', { path, contentBase64, expectedMtime });
    return (await call('fs.stat', { path }))['mtime'];
  };
  const told = async (event: string, path: string): Promise<void> => {
    await wire.take(({ params }) => params?.['event'] === event && params['path'] === path);
  };
  await put('Notes/a.md', '# A, edited\n', stat['mtime']);
  await told('modified', 'Notes/a.md');
  await put('New/deep/b.md', 'b', 0);
  await told('created', 'New/deep/b.md');
  await expect(put('Notes/a.md', 'lost', stat['mtime'])).rejects.toThrow('Notes/a.md');
  await call('fs.mkdir', { path: '', recursive: true });
  await call('fs.rename', { oldPath: 'New/deep/b.md', newPath: 'b.md' });
  await told('deleted', 'New/deep/b.md');
  await told('created', 'b.md');
  await call('fs.mkdir', { path: '.trash', recursive: true });
  await call('fs.rename', { oldPath: 'b.md', newPath: '.trash/b.md' });
  await call('fs.copy', { srcPath: 'Notes/a.md', destPath: 'copy.md' });
  await call('fs.unwatch', { subscriptionId });
  expect(await call('fs.stat', { path: 'gone.md' })).toBe(null);
  expect(readFileSync(join(vault, 'copy.md'), 'utf8')).toBe('# A, edited\n');
  expect(readFileSync(join(vault, '.trash/b.md'), 'utf8')).toBe('b');
  wire.destroy();
  expect(await daemon.stop()).toBe(0);
  // 1.4: with --verbose there is a log of connections, and none of what they say.
  expect(daemon.stdout).toBe('');
  expect(daemon.stderr).toContain('connected');
  expect(daemon.stderr).not.toContain('a.md');
  expect(daemon.stderr).not.toContain(token);
});

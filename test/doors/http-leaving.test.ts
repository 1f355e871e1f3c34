import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { connectSdkClient } from '../contract/http-door.ts';
import { eras } from '../contract/sdk-client.ts';
import { callTool } from '../support/http-clients.ts';
import { HttpProcess } from '../support/http-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A folder with an "rclone" that says when it runs and waits to be let go. */
function waitingRclone() {
  const folder = tempFolder();
  const [started, released] = [join(folder, 'started'), join(folder, 'released')];
  const script = `#!/bin/sh\ntouch '${started}'\nwhile [ ! -e '${released}' ]; do sleep 0.05; done\n`;
  writeFileSync(join(folder, 'rclone'), script);
  chmodSync(join(folder, 'rclone'), 0o755);
  return {
    env: { PATH: `${folder}:${process.env['PATH']}` },
    untilStarted: () =>
      vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: 30_000, interval: 10 }),
    release: () => writeFileSync(released, ''),
  };
}

const waits = process.platform === 'win32' ? describe.skip.each(eras) : describe.each(eras);

waits('told to leave while a call of %s runs', (era) => {
  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
    'by %s, it takes nothing more, answers, and leaves',
    async (signal) => {
      const rclone = waitingRclone();
      const program = await HttpProcess.start({
        folder: tempFolder({ 'A.md': 'one' }),
        env: rclone.env,
        args: ['--sync', 'push', '--sync-remote', 'drive:notes'],
      });
      const client = await connectSdkClient(program.url, { era });
      const sync = callTool(client, 'vault_sync', {});
      await rclone.untilStarted();
      program.child.kill(signal);
      await program.says(() => program.stderr.includes('stopping'));
      // Whoever comes now is sent away: there is nobody, or somebody who says so.
      await expect(callTool(client, 'note_read', { path: 'A.md' })).rejects.toThrow(
        /fetch failed|is stopping/,
      );
      rclone.release();
      expect(await sync).toMatchObject({ direction: 'push' });
      expect(await program.exited).toEqual({ code: 0, signal: null });
    },
  );
});

it('streams that only listen do not keep it', async () => {
  const folder = tempFolder({ 'A.md': 'one' });
  const program = await HttpProcess.start({ folder });
  const clients = await Promise.all(eras.map((era) => connectSdkClient(program.url, { era })));
  await vi.waitFor(() => clients[0]?.listResources(), { timeout: 30_000 }); // Indexed.
  await clients[0]?.subscribeResource({ uri: 'vault:///A.md' });
  await clients[1]?.listen({ resourceSubscriptions: ['vault:///A.md'] });
  for (const client of clients)
    await callTool(client, 'note_upsert', { path: 'A.md', content: 'x' });
  expect(await program.stop()).toEqual({ code: 0, signal: null });
  expect(readFileSync(join(folder, 'A.md'), 'utf8')).toBe('one\nx\nx');
  expect(program.stderr).not.toMatch(/ (warn|error) |\bat .*:\d+:\d+/);
});

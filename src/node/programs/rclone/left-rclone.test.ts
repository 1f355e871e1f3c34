import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { endLeftRclone, forgetRclone, recordRclone } from './left-rclone.ts';

const isLinux = process.platform === 'linux';
const boot = isLinux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

function startGroup() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
  return { child, group: child.pid ?? 0, ended: once(child, 'exit') };
}

it('looks for nothing when no rclone was recorded, or when it was forgotten', async () => {
  const folder = tempFolder();
  await endLeftRclone(folder);
  const { child, group, ended } = startGroup();
  recordRclone(folder, group);
  forgetRclone(folder);
  await endLeftRclone(folder);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  child.kill();
  await ended;
});

it.runIf(isLinux)('ends the recorded group, and then knows nothing of it', async () => {
  const folder = tempFolder();
  const { child, group, ended } = startGroup();
  recordRclone(folder, group);
  await endLeftRclone(folder);
  await ended;
  expect(child.signalCode).toBe('SIGKILL');
  expect(existsSync(join(folder, 'running.json'))).toBe(false);
});

it.runIf(isLinux)('leaves a later process with the same number alone', async () => {
  const folder = tempFolder();
  const { child, group, ended } = startGroup();
  writeFileSync(join(folder, 'running.json'), JSON.stringify({ group, started: '1', boot }));
  await endLeftRclone(folder);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  child.kill();
  await ended;
});

it.runIf(isLinux)('leaves a group of an earlier run of the machine alone', async () => {
  const folder = tempFolder();
  const { child, group, ended } = startGroup();
  recordRclone(folder, group);
  const record = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8'));
  writeFileSync(join(folder, 'running.json'), JSON.stringify({ ...record, boot: 'other' }));
  await endLeftRclone(folder);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  child.kill();
  await ended;
});

it.each(['', '{"group":', '{"group":0,"started":"1"}', '{"group":-1,"started":"1"}', '[]', 'null'])(
  'takes a record that says %j for none',
  async (text) => {
    const folder = tempFolder({ 'running.json': text });
    await endLeftRclone(folder);
    expect(existsSync(join(folder, 'running.json'))).toBe(false);
  },
);

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ConsoleBrowser, linkIn } from '../support/console-browser.ts';
import { HttpProcess, httpEnv } from '../support/http-process.ts';
import { bundle, runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** `vaultdoor console` without a server. */
async function startAlone(folder: string, args: readonly string[] = []) {
  const env = httpEnv({ folder });
  const argv = [bundle, 'console', '--no-browser', '--vault', folder, ...args];
  const child = spawn(process.execPath, argv, { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (linkIn(stdout) !== '') resolve(linkIn(stdout));
    });
    child.once('close', () => reject(new Error(`ended: ${stdout}`)));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  return { child, env, closed, browser: await ConsoleBrowser.enter(link) };
}

interface Changes {
  readonly items: readonly { readonly id: number; readonly tool: string; readonly door: string }[];
}

it('shows what other processes change within two seconds, takes it back, and ends', async () => {
  const folder = tempFolder({ 'A.md': 'one\n' });
  const { browser, env, child, closed } = await startAlone(folder);
  expect(await browser.json('/me')).toMatchObject({ isAlone: true, addresses: [] });
  const heard = browser.eventsUntil((events) => events.includes('"at":1'));
  const { code } = await runCli(['append', 'A', 'two', '--vault', folder], env);
  const doneMs = Date.now();
  await heard;
  expect([code, Date.now() - doneMs < 2_000]).toEqual([0, true]);
  const { items } = await browser.json<Changes>('/changes');
  expect(items).toMatchObject([{ id: 1, tool: 'append', door: 'cli' }]);
  const body = { ids: [1] };
  expect(await browser.json('/undo', { method: 'POST', body })).toMatchObject({ undone: [1] });
  expect(readFileSync(join(folder, 'A.md'), 'utf8')).toBe('one\n');
  const after = await browser.json<Changes>('/changes');
  expect(after.items).toMatchObject([{ id: 1, undone: { door: 'console' } }]);
  child.kill('SIGINT');
  await closed;
});

it('prints the link at the public address, too, where the server has one', async () => {
  const folder = tempFolder({ 'A.md': 'one\n' });
  const publicUrl = 'https://vault.example.com';
  const program = await HttpProcess.start({ folder, args: ['--public-url', publicUrl] });
  const words = ['console', '--no-browser', '--vault', folder];
  const { stdout } = await runCli(words, program.env);
  const [, local] = /http:\/\/localhost:\d+\/c\/enter#k=([\w-]{43})\n/.exec(stdout) ?? [];
  const [, outside] = /https:\/\/vault\.example\.com\/c\/enter#k=([\w-]{43})\n/.exec(stdout) ?? [];
  expect(local).toBe(outside);
  expect(local).toBeDefined();
  await program.stop();
});

it('takes nothing back with --read-only', async () => {
  const folder = tempFolder({ 'A.md': 'one\n' });
  const { browser, env } = await startAlone(folder, ['--read-only']);
  await runCli(['append', 'A', 'two', '--vault', folder], env);
  const undo = await browser.send('/undo', { method: 'POST', body: { ids: [1] } });
  expect([undo.status, JSON.parse(undo.text)]).toMatchObject([
    403,
    { error: { code: 'forbidden' } },
  ]);
  expect(readFileSync(join(folder, 'A.md'), 'utf8')).toBe('one\ntwo\n');
});

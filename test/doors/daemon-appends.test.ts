import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { counted } from '../support/counts.ts';
import { DaemonProcess, daemonHome } from '../support/daemon-process.ts';
import { RemoteWire } from '../support/remote-wire.ts';
import { runCli } from '../support/run-cli.ts';

const start = 'line\n'.repeat(limits.appendWholeBytesMax / 5 + 1);

/** The home of a daemon with a file that is appended to in place. */
function homeWithLog() {
  const home = daemonHome({ 'log.txt': start });
  const file = join(home, 'vault/log.txt');
  return { home, end: () => readFileSync(file, 'utf8').slice(start.length), file };
}

it('loses no append of two daemons that write to one large file', async () => {
  const { home, end, file } = homeWithLog();
  const { ino } = statSync(file);
  const names = ['a', 'b'];
  const daemons = await Promise.all(
    names.map((name) =>
      DaemonProcess.start({
        home,
        args: ['--vault-root=vault', `--socket=${name}.sock`, `--token-file=${name}.token`],
      }),
    ),
  );
  const wires = await Promise.all(
    names.map(async (name) => {
      const wire = await RemoteWire.connect(join(home, `${name}.sock`));
      const token = readFileSync(join(home, `${name}.token`), 'utf8');
      await wire.result('auth', { token });
      return wire;
    }),
  );
  const numbers = Array.from({ length: counted({ quick: 15, full: 60 }) }, (_, n) => n);
  await Promise.all(
    wires.flatMap((wire, at) =>
      numbers.map((n) => wire.result('fs.append', { path: 'log.txt', content: `${at}.${n}\n` })),
    ),
  );
  const found = end().trimEnd().split('\n');
  expect(found.toSorted()).toEqual([0, 1].flatMap((at) => numbers.map((n) => `${at}.${n}`)).sort());
  expect(statSync(file).ino).toBe(ino);
  for (const wire of wires) wire.destroy();
  for (const daemon of daemons) await daemon.stop();
});

it('leaves whole additions when it is killed at any moment', async () => {
  const { home, end } = homeWithLog();
  const addition = `${'x'.repeat(3 * 1024 * 1024)}\n`;
  const rounds = counted({ quick: 3, full: 8, soak: 100 });
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    const daemon = await DaemonProcess.start({ home });
    const wire = await daemon.enter();
    const append = () => wire.result('fs.append', { path: 'log.txt', content: addition });
    await append(); // What an earlier one had left is settled, and this one is made.
    answered += 1;
    append().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, (round * 53) % 120));
    await daemon.stop('SIGKILL');
    wire.destroy();
  }
  const recovered = await runCli(['check', '--vault', join(home, 'vault')], { HOME: home });
  expect(recovered.code, recovered.stderr).toBe(0);
  const parts = end().split('\n').slice(0, -1);
  expect(parts.every((part) => part.length === addition.length - 1)).toBe(true);
  expect(parts.length).toBeGreaterThanOrEqual(answered);
  expect(parts.length).toBeLessThanOrEqual(2 * answered);
});

it('tells those who watch of an append once', async () => {
  const { home, file } = homeWithLog();
  const daemon = await DaemonProcess.start({ home });
  const [wire, writer] = [await daemon.enter(), await daemon.enter()];
  await wire.result('fs.watch', { path: '', recursive: true });
  await writer.result('fs.append', { path: 'log.txt', content: 'one\n' });
  // Whatever is told of the append comes before what is told of this file.
  writeFileSync(join(home, 'vault/after.txt'), '');
  const events = () => wire.frames.filter((frame) => 'method' in frame);
  await wire.until(() => (JSON.stringify(events()).includes('after.txt') ? true : undefined));
  const told = JSON.stringify(events()).match(/"path":"log\.txt"/g);
  expect(told?.length).toBe(1);
  expect(statSync(file).size).toBe(start.length + 4);
  for (const each of [wire, writer]) each.destroy();
  await daemon.stop();
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../support/bundle-program.ts';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';

// The lock between real processes. In these tests a vault is the name of its lock file; "v" lies
// around "a" and "b", and "a" around "deep".

const program = bundleProgram(
  import.meta.dirname,
  `
  import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
  import { createInterface } from 'node:readline';
  import { openCommitLock } from '../../src/sqlite/lock/commit-lock.ts';
  const [file = '', ...outer] = process.argv.slice(2);
  const lock = await openCommitLock({ file, outer: () => outer });
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // Takes it so often, and sees each time that nobody is inside who must not be.
  const hammer = async (times) => {
    for (let taken = 0; taken < times; await pause(Math.random() * 4)) {
      if (!(await lock.tryTake())) continue;
      taken++;
      closeSync(openSync(file + '.inside', 'wx'));
      for (let look = 0; look < 2; look++) {
        if (outer.some((around) => existsSync(around + '.inside'))) return 'not alone';
        await pause(1);
      }
      rmSync(file + '.inside');
      await lock.release();
    }
    return 'alone';
  };
  console.log('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    const [word, times] = line.split(' ');
    if (word === 'take') console.log(await lock.tryTake());
    else if (word === 'hammer') console.log(await hammer(Number(times)));
    else console.log(await lock.release());
  }
`,
);

class Holder {
  readonly process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(files: readonly string[]) {
    const child = spawn(process.execPath, [program, ...files], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.process = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => void child.kill('SIGKILL'));
  }

  async line(): Promise<string> {
    return (await this.#lines.next()).value as string;
  }

  async say(command: string): Promise<string> {
    this.process.stdin?.write(`${command}\n`);
    return this.line();
  }

  async takes(): Promise<boolean> {
    return (await this.say('take')) === 'true';
  }
}

async function start(folder: string, ...vaults: readonly string[]): Promise<Holder> {
  const holder = new Holder(vaults.map((vault) => join(folder, vault, 'lock.db')));
  expect(await holder.line()).toBe('ready');
  return holder;
}

describe('two programs', () => {
  /** Each program's own vault, then those around it. */
  const rows: readonly [
    what: string,
    first: readonly string[],
    second: readonly string[],
    together: boolean,
  ][] = [
    ['on one vault exclude each other', ['v'], ['v'], false],
    ['on a vault and a folder of it exclude each other', ['v'], ['a', 'v'], false],
    ['on a folder of a vault and the vault exclude each other', ['a', 'v'], ['v'], false],
    ['far apart in one another exclude each other', ['deep', 'a', 'v'], ['v'], false],
    ['on two folders of a vault do not', ['a', 'v'], ['b', 'v'], true],
    ['on two vaults do not', ['v'], ['w'], true],
  ];
  test.each(rows)('%s', async (_, first, second, together) => {
    const folder = tempFolder();
    const one = await start(folder, ...first);
    const two = await start(folder, ...second);
    expect(await one.takes()).toBe(true);
    expect(await two.takes()).toBe(together);
    await one.say('release');
    if (together) await two.say('release');
    expect(await two.takes()).toBe(true);
    expect(await one.takes()).toBe(together);
  });

  test.each([
    ['on the same vault', ['v'], ['v']],
    ['on a folder of it', ['v'], ['a', 'v']],
    ['around it', ['a', 'v'], ['v']],
  ])('do not wait for one %s that was killed', async (_, first, second) => {
    const folder = tempFolder();
    const one = await start(folder, ...first);
    const two = await start(folder, ...second);
    expect(await one.takes()).toBe(true);
    expect(await two.takes()).toBe(false);
    one.process.kill('SIGKILL');
    await once(one.process, 'exit');
    expect(await two.takes()).toBe(true);
  });
});

test('a lock that was not got leaves nothing taken behind', async () => {
  const folder = tempFolder();
  const inner = await start(folder, 'a', 'v');
  const twin = await start(folder, 'a', 'v');
  const outer = await start(folder, 'v');
  expect(await inner.takes()).toBe(true);
  expect(await twin.takes()).toBe(false);
  await inner.say('release');
  expect(await outer.takes()).toBe(true);
});

test('whoever waits for a vault comes before those that go on in its folders', async () => {
  const folder = tempFolder();
  const one = await start(folder, 'a', 'v');
  const two = await start(folder, 'b', 'v');
  const outer = await start(folder, 'v');
  expect(await one.takes()).toBe(true);
  expect(await outer.takes()).toBe(false);
  expect(await two.takes()).toBe(false);
  expect(await outer.takes()).toBe(false);
  await one.say('release');
  expect(await one.takes()).toBe(false);
  expect(await outer.takes()).toBe(true);
  await outer.say('release');
  expect(await one.takes()).toBe(true);
  expect(await two.takes()).toBe(true);
});

test('an empty file is a lock, stays empty, and has nothing beside it', async () => {
  const folder = tempFolder();
  writeFiles(folder, { 'v/lock.db': '' });
  const one = await start(folder, 'v');
  const two = await start(folder, 'v');
  expect(await one.takes()).toBe(true);
  expect(await two.takes()).toBe(false);
  expect(readdirSync(join(folder, 'v'))).toEqual(['lock.db']);
  one.process.kill('SIGKILL');
  await once(one.process, 'exit');
  expect(await two.takes()).toBe(true);
  expect(statSync(join(folder, 'v/lock.db')).size).toBe(0);
});

// Windows removes no file that a process has open.
test.skipIf(process.platform === 'win32')(
  'a file that was deleted is made anew, and both find the new one',
  async () => {
    const folder = tempFolder();
    const one = await start(folder, 'v');
    const two = await start(folder, 'v');
    expect(await one.takes()).toBe(true);
    await one.say('release');
    expect(await two.takes()).toBe(true);
    await two.say('release');
    rmSync(join(folder, 'v'), { recursive: true });
    expect(await one.takes()).toBe(true);
    expect(await two.takes()).toBe(false);
    await one.say('release');
    expect(await two.takes()).toBe(true);
    expect(await one.takes()).toBe(false);
  },
);

test('many that want it at once all come to their turn, and none is disturbed', async () => {
  const folder = tempFolder();
  const vaults = [['v'], ['v'], ['a', 'v'], ['b', 'v'], ['b', 'v']];
  const holders = await Promise.all(vaults.map((names) => start(folder, ...names)));
  const found = await Promise.all(holders.map((holder) => holder.say('hammer 60')));
  expect(found).toEqual(vaults.map(() => 'alone'));
});

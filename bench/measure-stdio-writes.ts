import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './measure-program.ts';
import { hubFolder } from './measure-writes.ts';
import { replacePlainly } from './replace-plainly.ts';
import { ServerClient } from './server-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';

/** Times of single writes from request to answer over stdio, and of a plain safe write. */
export interface StdioWriteFigures {
  readonly plainMs: number;
  readonly appendMs: number;
  readonly propertyMs: number;
  readonly updateMs: number;
  readonly createMs: number;
  /** The appends of one long row, all together. */
  readonly rowMs: number;
}

/** How many appends are made in one row. */
export const appendsInRow = 1_000;
const rounds = 60;
const warmRounds = 20;

/** Measures the vault in `folder`, which `write-bench.ts` has prepared and indexed. */
export async function measureStdioWrites(
  folder: string,
  cache: string,
): Promise<StdioWriteFigures> {
  const client = new ServerClient(vaultdoorCommand(folder, cache, 'notes'));
  await client.greet();
  const call = async (tool: string, args: object): Promise<void> => {
    const { text, failure } = await client.call(tool, args);
    if (text === undefined) throw new Error(`${tool} failed: ${failure}`);
  };
  const plain = join(folder, hubFolder, 'note 2.md');
  const note = (n: number): string => `${hubFolder}/note ${n}.md`;
  const body = readFileSync(plain, 'utf8');
  let count = 0;
  const writes: readonly (() => Promise<void> | void)[] = [
    () => replacePlainly(plain, readFileSync(plain)),
    () => call('append_note', { name: note(3), text: `line ${++count}` }),
    () => call('set_frontmatter', { name: note(4), key: 'count', value: ++count }),
    () => call('update_note', { name: note(5), content: `${body}${++count}\n` }),
    () => call('create_note', { path: `${hubFolder}/New ${++count}.md`, content: body }),
  ];
  try {
    await call('read_note', { name: note(5) }); // Only a note that was read may be updated.
    const times = writes.map((): number[] => []);
    for (let round = 0; round < warmRounds + rounds; round++) {
      for (const [at, write] of writes.entries()) {
        const start = performance.now();
        await write();
        if (round >= warmRounds) times[at]?.push(performance.now() - start);
      }
    }
    const start = performance.now();
    for (let n = 0; n < appendsInRow; n++) {
      await call('append_note', { name: note(6), text: `line ${n}` });
    }
    const rowMs = performance.now() - start;
    const [plainMs = 0, appendMs = 0, propertyMs = 0, updateMs = 0, createMs = 0] =
      times.map(median);
    return { plainMs, appendMs, propertyMs, updateMs, createMs, rowMs };
  } finally {
    await client.end();
  }
}

export async function main([folder = '', cache = '']: readonly string[]): Promise<void> {
  console.log(JSON.stringify(await measureStdioWrites(folder, cache)));
}

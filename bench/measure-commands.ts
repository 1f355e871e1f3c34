import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { World } from './bench-world.ts';
import { median } from './measure-program.ts';
import { vaultdoorCommand } from './stdio-client.ts';

/** The commands that are measured, with their words. */
const commands = {
  read: ({ read }: World) => ['read', read.path],
  append: ({ append }: World) => ['append', append, 'a line'],
  search: ({ queries }: World) => ['search', queries[0]?.text ?? ''],
} as const;

type CommandName = keyof typeof commands;

/** The times from spawn to exit of commands that end at once, in milliseconds. */
export interface CommandFigures {
  readonly bareMs: number;
  readonly alone: Readonly<Record<CommandName, number>>;
  /** The same while a server of the vault runs. */
  readonly served: Readonly<Record<CommandName, number>>;
}

/** Measures the commands in turns with a bare Node program; `cache` has the index. */
export async function measureCommands(
  world: World,
  cache: string,
  rounds = 7,
): Promise<CommandFigures> {
  const { file, args, env } = vaultdoorCommand(world.folder, cache, 'notes');
  const [program = ''] = args;
  const run = (words: readonly string[]): number => {
    const began = performance.now();
    const { status, stderr } = spawnSync(file, [...words], { env });
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
    return performance.now() - began;
  };
  const bare: number[] = [];
  const all = (): Record<CommandName, number> => {
    const times: Record<CommandName, number[]> = { read: [], append: [], search: [] };
    for (let round = 0; round < rounds; round++) {
      bare.push(run(['-e', 'process.stdout.write("x")']));
      for (const name of Object.keys(commands) as CommandName[]) {
        const words = [program, ...commands[name](world), '--vault', world.folder];
        times[name].push(run(words));
      }
    }
    const { read, append, search } = times;
    return { read: median(read), append: median(append), search: median(search) };
  };
  const alone = all();
  const words = ['serve', '--auth', 'none', '--port', '0', '--vault', world.folder];
  const server = spawn(file, [program, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await indexed(server);
    return { alone, served: all(), bareMs: median(bare) };
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'close');
  }
}

/** Resolves when the log of a server says that the vault is indexed. */
function indexed(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes(' indexed ')) resolve();
    });
    server.once('close', () => reject(new Error(`The server has ended: ${log}`)));
  });
}

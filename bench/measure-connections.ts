import { ConsoleServer, program } from './console-server.ts';
import { hubFolder, writers } from './measure-writes.ts';
import { ServerClient } from './server-client.ts';

/** How many appends each connection makes, and how many before the measured ones. */
const appendsEach = 60;
const warmEach = 10;

/**
 * How many appends per second `writers` connections make at once, each to a note of its own: programs
 * that pass their stdin and stdout on to one server (`vaultdoor stdio --attach`), as apps do that share
 * one. The vault in `folder` is one that `write-bench.ts` has prepared and indexed.
 */
export async function measureConnections(folder: string, cache: string): Promise<number> {
  const env = { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache };
  const server = await ConsoleServer.start(folder, env);
  const args = [program, 'stdio', '--attach', '--tools', 'notes', '--vault', folder];
  const clients = Array.from(
    { length: writers },
    () => new ServerClient({ file: process.execPath, args, env }),
  );
  const append = async (count: number): Promise<void> => {
    await Promise.all(
      clients.map(async (client, at) => {
        for (let n = 0; n < count; n++) {
          const name = `${hubFolder}/note ${at}.md`;
          const { text, failure } = await client.call('append_note', { name, text: 'a line' });
          if (text === undefined) throw new Error(`append_note failed: ${failure}`);
        }
      }),
    );
  };
  try {
    for (const client of clients) await client.greet();
    await append(warmEach);
    const start = performance.now();
    await append(appendsEach);
    return (1_000 * writers * appendsEach) / (performance.now() - start);
  } finally {
    for (const client of clients) await client.end();
    await server.end();
  }
}

export async function main([folder = '', cache = '']: readonly string[]): Promise<void> {
  console.log(JSON.stringify({ perSecond: await measureConnections(folder, cache) }));
}

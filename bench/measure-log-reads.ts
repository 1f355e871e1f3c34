import type { World } from './bench-world.ts';
import { median } from './measure-program.ts';
import { ServerClient } from './server-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';

/** Median times to read a note, with `--log-reads` and without it. */
interface LogReadsFigures {
  readonly withMs: number;
  readonly withoutMs: number;
}

/** Enough that the medians of two equal servers differ by less than the log may cost. */
const rounds = 400;
/** The first calls of a server are slower. */
const warmUp = 100;

/**
 * Reads a note from two servers in turns, of which one logs what is read, so that other work on the
 * machine slows both alike. Which one is asked first changes each time.
 */
export async function measureLogReads(
  { folder, read }: Pick<World, 'folder' | 'read'>,
  cache: string,
): Promise<LogReadsFigures> {
  const clients = [['--log-reads'], []].map(
    (options) => new ServerClient(vaultdoorCommand(folder, cache, 'notes', options)),
  );
  const times = clients.map((): number[] => []);
  try {
    for (const client of clients) await client.greet();
    for (let round = 0; round < warmUp + rounds; round++) {
      const turns = Array.from(clients.entries());
      for (const [n, client] of round % 2 === 0 ? turns : turns.reverse()) {
        const { ms, text } = await client.call('read_note', { name: read.path });
        if (text === undefined) throw new Error('A note was not read.');
        if (round >= warmUp) times[n]?.push(ms);
      }
    }
  } finally {
    for (const client of clients) await client.end();
  }
  const [withMs = 0, withoutMs = 0] = times.map(median);
  return { withMs, withoutMs };
}

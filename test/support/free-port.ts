import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The ports below those that the system gives to connections. One of the others could be taken by any
 * connection while its server is not there yet, or is started again.
 */
const ports = { first: 15_000, last: 32_000 };
let next = randomInt(ports.first, ports.last);

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next === ports.last ? ports.first : next + 1;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

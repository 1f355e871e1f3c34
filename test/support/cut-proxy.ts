import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

/** A way to PostgreSQL that can be cut and made slow. */
export interface CutProxy {
  /** The address of PostgreSQL by this way. */
  readonly url: string;
  /** Breaks all connections, and every new one at once. */
  cut(): void;
  /** Breaks all connections when PostgreSQL next answers, and loses the answer. */
  cutAtAnswer(then: 'mended' | 'cut'): void;
  /** Lets new connections through again. */
  mend(): void;
  /** Holds back everything for this long, in both directions. */
  delay(ms: number): void;
}

/** Starts a proxy before the server at an address; it ends with the test. */
export async function startCutProxy(url: string): Promise<CutProxy> {
  const { hostname, port } = new URL(url);
  const own = await freePort();
  const sockets = new Set<Socket>();
  let [isCut, delayMs] = [false, 0];
  let atAnswer: 'mended' | 'cut' | undefined;
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('error', () => undefined); // 'close' follows.
    from.on('close', () => {
      sockets.delete(from);
      setTimeout(() => to.destroy(), delayMs);
    });
    from.on('data', (bytes) => {
      if (delayMs === 0) to.write(bytes);
      else setTimeout(() => to.destroyed || to.write(bytes), delayMs);
    });
  };
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const behind = connect(Number(port), hostname);
    behind.prependListener('data', () => {
      if (atAnswer === undefined) return;
      isCut = atAnswer === 'cut';
      atAnswer = undefined;
      endAll();
    });
    pass(client, behind);
    pass(behind, client);
  });
  await new Promise<void>((resolve) => {
    server.listen(own, '127.0.0.1', resolve);
  });
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    endAll();
    server.close();
  });
  const through = new URL(url);
  through.port = `${own}`;
  return {
    url: through.href,
    cut() {
      isCut = true;
      endAll();
    },
    cutAtAnswer(then) {
      atAnswer = then;
    },
    mend() {
      isCut = false;
    },
    delay(ms) {
      delayMs = ms;
    },
  };
}

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
  /** Lets nothing through and reports nothing. What was sent meanwhile arrives when it is mended, as with TCP. */
  silence(): void;
  /** The same for one connection alone, from the next statement on in which this text occurs. */
  silenceAt(text: string): void;
  /** Whether that statement has come. */
  isSilentNow(): boolean;
  /** Lets everything through again. */
  mend(): void;
  /** Holds back everything for this long, in both directions. */
  delay(ms: number): void;
}

/** Starts a proxy before the server at an address; it ends with the test. */
export async function startCutProxy(url: string): Promise<CutProxy> {
  const { hostname, port } = new URL(url);
  const own = await freePort();
  const sockets = new Set<Socket>();
  let [isCut, isSilent, delayMs] = [false, false, 0];
  let atAnswer: 'mended' | 'cut' | undefined;
  let silentAt: string | undefined;
  /** What is to happen when the way is mended. */
  let held: (() => void)[] = [];
  const silent = new Set<Socket>();
  const later = (from: Socket, work: () => void): void => {
    if (isSilent || silent.has(from)) held.push(work);
    else if (delayMs === 0) work();
    else setTimeout(work, delayMs);
  };
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('error', () => undefined); // 'close' follows.
    from.on('close', () => {
      sockets.delete(from);
      later(from, () => to.end());
      later(from, () => setTimeout(() => to.destroy(), 100));
    });
    from.on('data', (bytes) => later(from, () => to.writable && to.write(bytes)));
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
    client.prependListener('data', (bytes: Buffer) => {
      if (silentAt === undefined || !bytes.includes(silentAt)) return;
      silentAt = undefined;
      silent.add(client);
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
    held = [];
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
    silence() {
      isSilent = true;
    },
    silenceAt(text) {
      silentAt = text;
    },
    isSilentNow: () => isSilent || silent.size > 0,
    mend() {
      [isCut, isSilent] = [false, false];
      silent.clear();
      const now = held;
      held = [];
      for (const work of now) work();
    },
    delay(ms) {
      delayMs = ms;
    },
  };
}

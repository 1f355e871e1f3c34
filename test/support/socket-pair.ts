import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { onTestFinished } from 'vitest';
import { connectLocal, listenLocal, localSocketPath } from '../../src/node/server/local-socket.ts';
import { tempFolder } from './temp-folder.ts';

/** Both ends of a connection through a local socket: the server's and the client's. */
export async function socketPair(): Promise<{ readonly server: Socket; readonly client: Socket }> {
  const state = tempFolder();
  const path = localSocketPath({ id: basename(state), state }, process.platform);
  let come: (socket: Socket) => void = () => undefined;
  const accepted = new Promise<Socket>((resolve) => {
    come = resolve;
  });
  const listener = await listenLocal({
    path,
    alone: (work) => work(),
    onConnection: come,
    says: { taken: 'Someone listens.', shorter: 'use a shorter one' },
  });
  const client = await connectLocal(path);
  if (client === undefined || client === 'busy') throw new Error('Nobody listens.');
  const server = await accepted;
  onTestFinished(async () => {
    client.destroy();
    server.destroy();
    await listener.close();
  });
  return { server, client };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Whether `fetch` reaches a server on this machine. Under Wine 8 it reaches none: it sets keep-alive for
 * its socket before that is connected, and then connecting fails (scripts/windows-probes.mjs).
 */
export const canFetch = await tryFetch();

async function tryFetch(): Promise<boolean> {
  if (process.platform !== 'win32') return true;
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return true;
  } catch {
    return false;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectToAddresses } from './connect-to-addresses.ts';

it.each([
  ['the only address', ['127.0.0.1']],
  ['the next one where the first refuses', ['::1', '127.0.0.1']],
  ['the next one of the same family', ['127.0.0.2', '127.0.0.1']],
])('connects to %s, without looking anything up', async (_, addresses) => {
  const server = createServer((socket) => socket.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const socket = connectToAddresses({ addresses, port });
  const [data] = await once(socket, 'data');
  expect(String(data)).toBe('hello');
  expect(socket.remoteAddress).toBe('127.0.0.1');
});

it('fails where no address answers', async () => {
  const socket = connectToAddresses({ addresses: ['127.0.0.1', '::1'], port: 1 });
  await expect(once(socket, 'connect')).rejects.toThrow();
});

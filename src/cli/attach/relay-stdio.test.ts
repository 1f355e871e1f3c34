import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { endMark } from './attach-protocol.ts';
import { relayStdio } from './relay-stdio.ts';

it('the end of the input is told by the mark alone, and the last answers come after it', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const accepted = once(server, 'connection');
  const socket = connect(port, '127.0.0.1');
  const [client] = (await accepted) as [Socket];
  let hasEnded = false;
  client.on('end', () => {
    hasEnded = true;
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const signal = new AbortController().signal;
  const relayed = relayStdio({ input, output, socket, signal, lastAnswersMs: 20_000 });
  input.end('question');
  let heard = Buffer.alloc(0);
  while (!heard.includes(endMark)) {
    const [chunk] = (await once(client, 'data')) as [Buffer];
    heard = Buffer.concat([heard, chunk]);
  }
  expect(heard.toString('latin1')).toBe(`question${String.fromCharCode(endMark)}`);
  // If the relay had ended the socket, that would have come before the answer to this.
  client.write('an');
  await once(output, 'readable');
  expect(hasEnded).toBe(false);
  client.write(Buffer.concat([Buffer.from('swer'), Buffer.of(endMark)]));
  expect(await relayed).toBe('answered');
  output.end();
  expect(await text(output)).toBe('answer');
  client.destroy();
});

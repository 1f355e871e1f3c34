import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectAnswer, GuardedVault, placeOf } from '../intrusion/guarded-vault.ts';
import { readAnswer, requestText } from '../intrusion/knock.ts';
import { isQuick } from '../support/counts.ts';
import { RawClient } from '../support/raw-http.ts';

// Two clients send a byte each second and never finish. The built program gives them half a minute,
// too long for `npm test`: http-listener.test.ts tries the same with shorter limits.

describe.skipIf(isQuick)('a client that never comes to an end', () => {
  const ends: (() => void)[] = [];
  const onFinished = (end: () => void): void => void ends.push(end);
  let vault: GuardedVault;
  let slow: Readonly<Record<'head' | 'body', RawClient>>;

  beforeAll(async () => {
    vault = new GuardedVault(onFinished);
    const server = placeOf(await vault.serve(['--tools', 'agent,notes,obsidian']));
    slow = {
      head: new RawClient(server).send('POST /mcp HTTP/1.1\r\nX-A: '),
      body: new RawClient(server).send(requestText(server, { headers: ['Content-Length: 99'] })),
    };
    const drips = setInterval(() => {
      for (const client of Object.values(slow)) if (client.socket.writable) client.send(' ');
    }, 1_000);
    onFinished(() => clearInterval(drips));
  });

  afterAll(async () => {
    await vault.close().finally(() => {
      for (const end of ends.reverse()) end();
    });
  });

  it('is not waited for: the head of its request', async () => {
    const { line } = readAnswer(await slow.head.all());
    expectAnswer(line, '408 -32000 The request took too long to arrive.');
  });

  it('is not waited for: the body', async () => {
    const { line } = readAnswer(await slow.body.all());
    expectAnswer(line, '408 -32000 The request took too long to arrive.');
  });
});

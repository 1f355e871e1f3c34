import { expect, it } from 'vitest';
import { guest, HttpDoor } from '../../../../test/support/http-door.ts';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { limits } from '../../../base/limits.ts';
import { readJson } from '../../../base/read-json.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService, type Service } from '../../../tools/service/service.ts';
import type { LargeReader } from './read-message.ts';

async function serve(): Promise<Service> {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A' });
  return createService(whole, [new WaitingTools().toolset], nodeTimers);
}

/** A message of so many bytes. */
function ping(bytes: number): string {
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'ping',
    params: { _meta: { a: '' } },
  });
  return text.replace('"a":""', `"a":"${'x'.repeat(bytes - text.length)}"`);
}

/** A reader that notes how long the messages were which it was given. */
function noting(): { readonly readLarge: LargeReader; readonly read: number[] } {
  const read: number[] = [];
  const readLarge: LargeReader = async (bytes) => {
    read.push(bytes.length);
    return readJson(bytes);
  };
  return { readLarge, read };
}

const failing: LargeReader = async () => {
  throw new VaultError('unavailable', 'The message could not be read; send it again.');
};

const longest = limits.jsonInPlaceBytesMax;

it('long messages over HTTP are read by the reader for them, and no others', async () => {
  const { readLarge, read } = noting();
  const door = new HttpDoor(await serve(), { readLarge });
  for (const bytes of [100, longest, longest + 1]) {
    expect((await door.send({ body: ping(bytes), visitor: guest })).status).toBe(200);
  }
  expect(read).toEqual([longest + 1]);
});

it('a long message over HTTP that cannot be read may be sent again', async () => {
  const door = new HttpDoor(await serve(), { readLarge: failing });
  const response = await door.send({ body: ping(longest + 1), visitor: guest });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('send it again') },
  });
});

it('long lines are read by the reader for them, and no others', async () => {
  const { readLarge, read } = noting();
  const wire = new McpWire(await serve(), { readLarge });
  for (const bytes of [100, longest, longest + 1]) wire.input.write(`${ping(bytes)}\n`);
  wire.input.end();
  await wire.served;
  expect(wire.messages.map(({ id, result }) => [id, result])).toEqual(Array(3).fill([1, {}]));
  expect(read).toEqual([longest + 1]);
});

it('a long line that cannot be read is an error, and the next one is answered', async () => {
  const wire = new McpWire(await serve(), { readLarge: failing });
  wire.input.end(`${ping(longest + 1)}\n${ping(100)}\n`);
  await wire.served;
  expect(wire.messages).toMatchObject([
    { id: null, error: { code: -32603 } },
    { id: 1, result: {} },
  ]);
});

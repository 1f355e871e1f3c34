import { expect, it } from 'vitest';
import { HttpDoor, memoryBook } from '../../../../test/support/http-door.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService } from '../../../tools/service/service.ts';

it('a session keeps what was left of its subscriptions when the server ends during a write', async () => {
  const vault = await openWrittenVault({ 'A.md': 'a', 'B.md': 'b', 'C.md': 'c' });
  const book = memoryBook();
  const kept = book.keep.bind(book);
  const writes: Promise<void>[] = [];
  book.keep = (connection, memory) => {
    const later = new Promise((resolve) => setTimeout(resolve, 20));
    const write = later.then(() => kept(connection, memory));
    writes.push(write);
    return write;
  };
  const service = createService(vault.whole, [new WaitingTools().toolset], nodeTimers);
  const door = new HttpDoor(service, { book });
  const session = await door.begin();
  const uris = ['vault:///A.md', 'vault:///B.md', 'vault:///C.md'];
  for (const uri of uris) await door.ask('resources/subscribe', { uri }, { session });
  for (const uri of uris.slice(1)) await door.ask('resources/unsubscribe', { uri }, { session });
  await door.http.close(0);
  const recalled = () => book.recall(session.slice(0, 36));
  await expect.poll(recalled).toEqual({ resources: [uris[0]] });
  await Promise.all(writes);
  expect(await recalled()).toEqual({ resources: [uris[0]] });
  await vault.close();
});

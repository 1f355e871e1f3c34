import { expect, it } from 'vitest';
import { HttpDoor, holder } from '../../../../test/support/http-door.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { limits } from '../../../base/limits.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { notesToolset } from '../../../tools/notes/notes-toolset.ts';
import { createService } from '../../../tools/service/service.ts';

it('the owner sees open sessions and what they call, and ends one for good', async () => {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A' });
  const notes = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
  const service = createService(whole, [notes], nodeTimers);
  const heard: unknown[] = [];
  let sessions = 0;
  const door = new HttpDoor(service, {
    onCall: ({ ms: _, ...call }) => heard.push(call),
    onSessions: () => {
      sessions += 1;
    },
  });
  const visitor = holder('t1');
  const clientInfo = { name: 'cursor', version: '2.1' };
  const session = await door.begin({ hello: { clientInfo }, visitor });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const params = { name: 'read_note', arguments: { name: 'Nothing' } };
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params };
  for (const body of [list, call]) await (await door.send({ body, session, visitor })).text();
  const from = { client: 'cursor/2.1', token: 't1' };
  expect(heard).toEqual([
    { ...from, method: 'initialize', ok: true },
    { ...from, method: 'tools/list', ok: true },
    { ...from, method: 'tools/call', tool: 'read_note', ok: false },
  ]);
  const [open] = door.http.openSessions();
  expect(open).toMatchObject(from);
  expect(await door.http.endSession('another')).toBe(false);
  expect(await door.http.endSession(open?.connection ?? '')).toBe(true);
  expect([door.http.openSessions(), sessions]).toEqual([[], 2]);
  expect((await door.send({ body: list, session, visitor })).status).toBe(404);
});

it('a client that has gone without ending its session is connected no more', async () => {
  const { whole } = await openWrittenVault({ 'A.md': 'a' });
  const notes = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
  let nowMs = 1_000_000;
  const door = new HttpDoor(createService(whole, [notes], nodeTimers), { nowMs: () => nowMs });
  const states = () => door.http.openSessions().map(({ isConnected }) => isConnected);
  const quiet = await door.begin();
  const listening = await door.begin();
  // What the SDK's `close()` does: it ends the stream, and sends nothing.
  const stream = await door.send({ method: 'GET', session: listening });
  const reader = stream.body?.getReader();
  await reader?.read();
  nowMs += limits.sessionHereMs - 1;
  expect(states()).toEqual([true, true]);
  nowMs += 1;
  expect([states(), door.http.connected]).toEqual([[false, true], 1]);
  await reader?.cancel();
  nowMs += limits.sessionHereMs;
  expect(states()).toEqual([false, false]);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  await (await door.send({ body: list, session: quiet })).text();
  expect(states()).toEqual([false, true]);
});

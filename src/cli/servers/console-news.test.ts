import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { ConsoleEvent } from '../../doors/console/console-wire.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { notesToolset } from '../../tools/notes/notes-toolset.ts';
import { VaultNews, watchedVaults } from './console-news.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

it('tells what happens in a vault while someone listens', async () => {
  const notes = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
  const { whole, call } = await openToolset({ 'A.md': 'a\n' }, notes);
  const timers = manualTimers();
  const source = openedVault(whole);
  let connected: number | undefined;
  const news = new VaultNews({
    vaults: watchedVaults([source], timers),
    timers,
    connected: () => connected,
  });
  const vault = source.name;
  const heard: ConsoleEvent[] = [];
  /** What was told, without the looks at files that come at times of their own. */
  const taken = (): ConsoleEvent[] => heard.splice(0).filter(({ event }) => event !== 'files');
  const stop = news.listen((event) => heard.push(event));
  await settled();
  expect(taken()).toMatchObject([
    { event: 'vault', data: { vault, here: true } },
    { event: 'change', data: { at: 0 } },
    { event: 'question', data: { open: 0, proposals: 0 } },
    { event: 'index' },
  ]);
  // Its own changes at once.
  await call('append_note', { name: 'A', text: 'b' });
  await settled();
  expect(taken()).toContainEqual({ event: 'change', data: { vault, at: 1 } });
  expect(await news.latest()).toEqual([{ vault, at: 1 }]);
  // Nothing when nothing happens.
  timers.advance(limits.consoleLookMs);
  await settled();
  expect(taken().filter(({ event }) => event !== 'index')).toEqual([]);
  // What another process asks, within a second.
  await whole.parts.questions.ask({
    about: 'brake',
    text: 'May it?',
    asker: { door: 'mcp-http' },
    askerKey: 'k',
    tool: 'delete_note',
    argsHash: 'h',
    paths: [],
    files: 30,
    timeMs: whole.parts.clock.nowMs(),
  });
  timers.advance(limits.consoleLookMs);
  await settled();
  expect(taken()).toContainEqual({ event: 'question', data: { vault, open: 1, proposals: 0 } });
  // What another program writes, at the next look.
  const looksBefore = heard.length;
  await whole.parts.keeper.refresh([vaultPath('A.md')]);
  timers.advance(limits.consoleLookMs);
  await settled();
  expect(heard.slice(looksBefore)).toContainEqual({
    event: 'files',
    data: { vault, looks: expect.any(Number) },
  });
  taken();
  // How many clients are connected: when a session begins or ends, and once one has gone silent.
  connected = 3;
  news.sessions();
  expect(taken()).toEqual([{ event: 'session', data: { connected: 3 } }]);
  // Calls one by one, a little later the first, and then once all others.
  const one = { method: 'tools/call', ms: 1, ok: true };
  news.call(one);
  news.call(one);
  expect(taken()).toEqual([
    { event: 'call', data: one },
    { event: 'call', data: one },
  ]);
  for (const expected of [1, 1, 0]) {
    timers.advance(limits.consoleCalledMs);
    await settled();
    expect(taken().filter(({ event }) => event === 'called')).toHaveLength(expected);
  }
  const late: ConsoleEvent[] = [];
  news.listen((event) => late.push(event))();
  expect(late).toEqual([{ event: 'session', data: { connected: 3 } }]);
  connected = 2;
  timers.advance(limits.consoleLookMs);
  await settled();
  expect(taken()).toContainEqual({ event: 'session', data: { connected: 2 } });
  stop();
  await call('append_note', { name: 'A', text: 'c' });
  timers.advance(limits.consoleLookMs);
  await settled();
  expect(taken()).toEqual([]);
});

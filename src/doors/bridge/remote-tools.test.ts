import { describe, expect, it } from 'vitest';
import {
  freePort,
  openBridge,
  pollMs,
  said,
  shownNames,
} from '../../../test/support/bridge-client.ts';
import { type ManualTimers, manualTimers } from '../../../test/support/manual-timers.ts';
import { refusal, TinyBridge, tool } from '../../../test/support/tiny-bridge.ts';
import { limits } from '../../base/limits.ts';
import type { Service } from '../../tools/service/service.ts';
import type { KeptText } from './remote-tools.ts';

describe('the list of tools', () => {
  /** A service at which nothing happens by itself. */
  function still(url: string, kept?: KeptText): [Service, ManualTimers, () => number] {
    const timers = manualTimers();
    let told = 0;
    const service = openBridge(url, { timers, ...(kept === undefined ? {} : { kept }) });
    service.onToolsChanged?.(() => {
      told += 1;
    });
    return [service, timers, () => told];
  }

  it('is known once the server has told it, and that is no news', async () => {
    const bridge = await TinyBridge.start([tool('b'), tool('a')]);
    const [service, , told] = still(bridge.url);
    await service.toolsKnown?.();
    expect(shownNames(service)).toEqual(['b', 'a']);
    expect(told()).toBe(0);
    expect(service.list(['read'])[0]).toEqual(tool('b'));
  });

  it('is empty after a while when there is no server, and told when there is', async () => {
    const bridge = await TinyBridge.start();
    await bridge.stop();
    const [service, timers, told] = still(bridge.url);
    let isKnown = false;
    void service.toolsKnown?.().then(() => {
      isKnown = true;
    });
    await expect
      .poll(() => {
        timers.advance(500);
        return isKnown;
      })
      .toBe(true);
    expect(shownNames(service)).toEqual([]);
    await bridge.start();
    await expect
      .poll(() => {
        timers.advance(1_000);
        return shownNames(service);
      })
      .toEqual(['read_note']);
    expect(told()).toBe(1);
  });

  it('is asked for again after a while, and told when it is another', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    const [service, timers, told] = still(bridge.url);
    await service.toolsKnown?.();
    expect(shownNames(service)).toEqual(['a']);
    const polled = async (): Promise<void> => {
      const before = bridge.lists;
      await expect
        .poll(() => {
          timers.advance(pollMs);
          return bridge.lists;
        })
        .toBeGreaterThan(before);
    };
    await polled();
    expect(told()).toBe(0);
    bridge.tools = [tool('a', 'Other words')];
    await polled();
    await expect.poll(told).toBe(1);
    await polled();
    expect(told()).toBe(1);
  });

  it('is asked for once at a time, however slow it is', async () => {
    const bridge = await TinyBridge.start();
    const service = openBridge(bridge.url);
    await service.toolsKnown?.();
    const before = bridge.lists;
    const answers = Array.from({ length: 50 }, () => service.has('new'));
    expect(new Set(await Promise.all(answers))).toEqual(new Set([false]));
    expect(bridge.lists - before).toBeLessThanOrEqual(2);
  });

  it('is asked for when a tool is not in it', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    const [service] = still(bridge.url);
    await service.toolsKnown?.();
    bridge.tools = [tool('a'), tool('new')];
    expect(await service.has('new')).toBe(true);
    expect(await service.has('newer')).toBe(false);
    const before = bridge.lists;
    expect(await service.has('a')).toBe(true);
    expect(bridge.lists).toBe(before);
  });

  it('is asked for when a tool of it is gone', async () => {
    const bridge = await TinyBridge.start([tool('a'), tool('b')]);
    const [service, , told] = still(bridge.url);
    await service.toolsKnown?.();
    expect(shownNames(service)).toEqual(['a', 'b']);
    bridge.tools = [tool('b')];
    expect(await said(service, 'a')).toMatch(/^not_found: .*Ask for the list of tools again/);
    await expect.poll(() => shownNames(service)).toEqual(['b']);
    expect(told()).toBe(1);
  });

  it('rules nothing out while the server does not tell it', async () => {
    const [service] = still(`http://127.0.0.1:${await freePort()}`);
    expect(await service.has('anything')).toBe(true);
  });

  it('is kept, and shown before the server is there', async () => {
    let saved: string | undefined;
    const kept: KeptText = {
      load: async () => saved,
      save: async (text) => {
        saved = text;
      },
    };
    const bridge = await TinyBridge.start([tool('a')]);
    await still(bridge.url, kept)[0].toolsKnown?.();
    await bridge.stop();
    const [service, timers, told] = still(bridge.url, kept);
    await service.toolsKnown?.();
    expect(shownNames(service)).toEqual(['a']);
    bridge.tools = [tool('b')];
    await bridge.start();
    await expect
      .poll(() => {
        timers.advance(1_000);
        return shownNames(service);
      })
      .toEqual(['b']);
    expect(told()).toBe(1);
    expect(saved).toContain('"b"');
  });

  it.each([
    ['unreadable', () => Promise.reject(new Error('disk'))],
    ['no JSON', async () => 'x'],
    ['no list', async () => '{}'],
  ])('that was kept and is %s counts as none', async (_what, load) => {
    const bridge = await TinyBridge.start([tool('a')]);
    const save = (): Promise<void> => Promise.reject(new Error('disk'));
    const [service] = still(bridge.url, { load, save });
    await service.toolsKnown?.();
    expect(shownNames(service)).toEqual(['a']);
  });

  it('is not asked for any more where the key is refused, until a call goes through', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.instead = () => refusal(401, 'Unauthorized');
    const timers = manualTimers();
    const service = openBridge(bridge.url, { timers, key: 'wrong' });
    await service.toolsKnown?.(); // Nobody waits for what will not come.
    timers.advance(60_000);
    expect(await said(service, 'a')).toMatch(/^forbidden: .*Check the key/);
    timers.advance(60_000);
    expect(bridge.seen).toHaveLength(2);
    expect(bridge.seen.every(({ headers }) => headers.authorization === 'Bearer wrong')).toBe(true);
    bridge.instead = () => undefined;
    expect(await said(service, 'a')).toBe('ok: a {}');
    await expect.poll(() => shownNames(service)).toEqual(['a']);
    const before = bridge.lists;
    await expect
      .poll(() => {
        timers.advance(pollMs);
        return bridge.lists;
      })
      .toBeGreaterThan(before);
  });
});

describe('where the server tells news', () => {
  it('they are heard, and nothing is asked for meanwhile', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = openBridge(bridge.url, { timers });
    await service.toolsKnown?.();
    await expect.poll(() => bridge.streams).toBe(1);
    await expect.poll(() => bridge.lists).toBe(2); // The first news is that there is a list.
    const unchanged = bridge.seen.at(-1)?.headers['if-none-match'];
    expect(unchanged).toMatch(/^"[\da-f]{64}"$/);
    timers.advance(pollMs);
    bridge.change([tool('b')]);
    await expect.poll(() => shownNames(service)).toEqual(['b']);
    expect(bridge.lists).toBe(3);
  });

  it('they are listened to again when the server was away', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = openBridge(bridge.url, { timers });
    await expect.poll(() => bridge.streams).toBe(1);
    await bridge.stop();
    await expect.poll(() => bridge.streams).toBe(0);
    await bridge.start();
    await expect
      .poll(() => {
        timers.advance(1_000);
        return bridge.streams;
      })
      .toBe(1);
    bridge.change([tool('b')]);
    await expect.poll(() => shownNames(service)).toEqual(['b']);
  });

  it('a server that hangs up is looked for soon, however seldom it is asked', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = openBridge(bridge.url, { timers, pollMs: 3_600_000 });
    await expect.poll(() => bridge.streams).toBe(1);
    await bridge.stop();
    bridge.tools = [tool('b')];
    await bridge.start();
    await expect
      .poll(() => {
        timers.advance(limits.bridgeAwayPollMs);
        return shownNames(service);
      })
      .toEqual(['b']);
  });

  it('where the list cannot be had after news of it, it is asked for again soon', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = openBridge(bridge.url, { timers, pollMs: 3_600_000 });
    await expect.poll(() => bridge.lists).toBe(2);
    bridge.instead = () => refusal(503, 'stopping');
    bridge.change([tool('b')]);
    await expect.poll(() => bridge.lists).toBe(3);
    bridge.instead = () => undefined;
    await expect
      .poll(() => {
        timers.advance(limits.bridgeAwayPollMs);
        return shownNames(service);
      })
      .toEqual(['b']);
  });

  it('a stream that says nothing at all is left, and the list asked for', async () => {
    const bridge = await TinyBridge.start([tool('a')]);
    bridge.hasNews = true;
    const timers = manualTimers();
    const service = openBridge(bridge.url, { timers });
    await expect.poll(() => bridge.lists).toBe(2);
    bridge.tools = [tool('b')]; // Nobody is told.
    timers.advance(limits.bridgeQuietMs);
    await expect.poll(() => bridge.streams).toBe(0);
    await expect
      .poll(() => {
        timers.advance(pollMs);
        return shownNames(service);
      })
      .toEqual(['b']);
  });
});

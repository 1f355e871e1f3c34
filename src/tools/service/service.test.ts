import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { indexMemoryVault } from '../../../test/support/indexed-vault.ts';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { allScopes, type Caller, type Right } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { defineTool } from '../define/define-tool.ts';
import type { Toolset } from '../define/toolset.ts';
import { createService } from './service.ts';

const timers = {
  after(ms: number, call: () => void) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

const toolset: Toolset = {
  name: 'cli',
  tools: [
    tool('echo', async (text) => text),
    tool('never', () => new Promise<string>(() => undefined)),
    tool('refuse', () => Promise.reject(new VaultError('conflict', 'Changed.'))),
    tool('break', () => Promise.reject(new TypeError('oops'))),
    { ...tool('wipe', async () => 'gone'), effect: 'destroy' },
  ],
  voice: {
    result: (_tool, value) => [{ type: 'text', text: String(value) }],
    failure: (error) => [{ type: 'text', text: error.message }],
  },
};

function tool(name: string, run: (text: string) => Promise<string>) {
  return defineTool({
    name,
    title: name,
    description: name,
    effect: 'read',
    input: z.object({ text: z.string().default('') }),
    output: z.string(),
    record: [],
    run: (_vault, { text }) => run(text),
  });
}

async function call(name: string, args: unknown, changes: Partial<Caller> = {}): Promise<string> {
  const { vault, close } = await indexMemoryVault(memoryDisk());
  const service = createService(vault, [toolset], timers);
  const caller: Caller = {
    door: 'cli',
    scopes: allScopes,
    signal: new AbortController().signal,
    deadlineMs: 5_000,
    ...changes,
  };
  const outcome = await service.call(name, args, caller);
  await close();
  return outcome.ok ? `ok: ${outcome.value}` : `${outcome.error.code}: ${outcome.error.message}`;
}

describe('Service.call', () => {
  it('answers with the value', async () => {
    expect(await call('echo', { text: 'hi' })).toBe('ok: hi');
    expect(await call('echo', undefined)).toBe('ok: ');
  });

  it('never rejects', async () => {
    expect(await call('refuse', {})).toBe('conflict: Changed.');
    expect(await call('break', {})).toBe('internal: Vaultdoor has a bug: oops');
    expect(await call('nothing', {})).toMatch(/^invalid_input: There is no tool "nothing"/);
  });

  it('names the argument that is wrong', async () => {
    expect(await call('echo', { text: 5 })).toMatch(/^invalid_input: .*"text"/);
    expect(await call('echo', 'text')).toMatch(/^invalid_input/);
  });

  it('ends at the deadline', async () => {
    expect(await call('never', {}, { deadlineMs: 20 })).toMatch(/^timeout: .*20 ms/);
  });

  it('ends when the caller gives up', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    expect(await call('never', {}, { signal: controller.signal })).toMatch(/^cancelled/);
    expect(await call('echo', {}, { signal: controller.signal })).toMatch(/^cancelled/);
  });

  it('counts what was given up until it has really ended', async () => {
    const { vault, close } = await indexMemoryVault(memoryDisk());
    let end: () => void = () => undefined;
    const ended = new Promise<string>((resolve) => {
      end = () => resolve('ended');
    });
    let running = 0;
    const hold = (): Promise<string> => {
      running++;
      return ended;
    };
    const tools = [tool('hold', hold), ...toolset.tools];
    const service = createService(vault, [{ ...toolset, tools }], timers);
    const giveUp = new AbortController();
    const held = Array.from({ length: limits.callsAtOnceMax }, () =>
      service.call('hold', {}, testCaller({ signal: giveUp.signal })),
    );
    await expect.poll(() => running).toBe(limits.callsAtOnceMax);
    giveUp.abort();
    expect(new Set((await Promise.all(held)).map(({ ok }) => ok))).toEqual(new Set([false]));
    expect(await service.call('echo', {}, testCaller())).toMatchObject({
      ok: false,
      error: { code: 'busy', details: { retryAfterMs: limits.busyRetryMs } },
    });
    end();
    await ended;
    expect(await service.call('echo', {}, testCaller())).toMatchObject({ ok: true });
    await close();
  });

  it.each([
    ['read', 'wipe', /^forbidden: .*may only read/],
    ['write', 'echo', /^forbidden: .*may only write/],
    ['destroy', 'wipe', /^ok/],
  ] as const)('of someone who may only %s refuses the rest', async (effect, name, expected) => {
    const scopes = { ...allScopes, effects: [effect] };
    expect(await call(name, {}, { scopes })).toMatch(expected);
  });
});

describe('Service.list', () => {
  it('names the tools that one may use, in order', async () => {
    const { whole } = await openWrittenVault({});
    const service = createService(whole, [toolset], timers);
    const names = (...effects: Right[]) => service.list(effects).map(({ name }) => name);
    expect(names('read', 'write', 'destroy')).toEqual(['echo', 'never', 'refuse', 'break', 'wipe']);
    expect(names('destroy')).toEqual(['wipe']);
    expect(names()).toEqual([]);
    expect(service.has('wipe')).toBe(true);
    expect(service.has('toString')).toBe(false);
    expect(service.list(['destroy'])[0]).toEqual({
      name: 'wipe',
      title: 'wipe',
      description: 'wipe',
      effect: 'destroy',
      inputSchema: { type: 'object', properties: { text: { type: 'string', default: '' } } },
    });
  });
});

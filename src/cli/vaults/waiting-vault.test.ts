import { describe, expect, it } from 'vitest';
import { type ManualTimers, manualTimers } from '../../../test/support/manual-timers.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { VaultError } from '../../base/vault-error.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { textsOf } from '../../tools/define/outcome.ts';
import { notesToolset } from '../../tools/notes/notes-toolset.ts';
import { createService, type Service } from '../../tools/service/service.ts';
import { WaitingVault } from './waiting-vault.ts';

/** A vault in memory that is missing until `mount`, and a service over it. */
async function missingVault(): Promise<{
  readonly waiting: WaitingVault;
  readonly service: Service;
  readonly timers: ManualTimers;
  readonly mount: () => void;
  readonly counts: { looks: number; opens: number };
}> {
  const { whole } = await openWrittenVault({ 'a.md': 'Alpha.\n' });
  const counts = { looks: 0, opens: 0 };
  const timers = manualTimers();
  let isThere = false;
  const waiting = new WaitingVault({
    name: 'Mine',
    clock: whole.parts.clock,
    timers,
    look: async () => {
      counts.looks += 1;
      if (!isThere) throw new VaultError('vault_not_found', 'Connect the drive.');
    },
    open: () => {
      counts.opens += 1;
      return whole;
    },
  });
  const { context: _, ...toolset } = notesToolset({
    tagPolicy: 'enforce',
    history: true,
    contextEveryMs: 0,
  });
  const service = createService(waiting, [toolset], nodeTimers);
  const mount = (): void => {
    isThere = true;
  };
  return { waiting, service, timers, mount, counts };
}

const caller = testCaller({ door: 'mcp-stdio', connection: 'c1' });
const missing = { code: 'vault_not_found', message: 'Connect the drive.' };

describe('a vault that is not there', () => {
  it('has a name, tools and prompts', async () => {
    const { service, counts } = await missingVault();
    expect(service.vaults).toEqual(['Mine']);
    expect(service.list(['read']).map(({ name }) => name)).toContain('read_note');
    expect(service.prompts(['read']).map(({ name }) => name)).toContain('context');
    expect(counts.looks).toBe(0);
  });

  it('says what to do, whatever is asked of it', async () => {
    const { service } = await missingVault();
    const asked = await service.call('read_note', { name: 'a' }, caller);
    expect(asked).toMatchObject({ ok: false, error: missing });
    expect(textsOf(asked.content)[0]).toContain('Connect the drive.');
    await expect(service.resources(caller)).rejects.toMatchObject(missing);
    await expect(service.readResource('a.md', caller)).rejects.toMatchObject(missing);
    await expect(service.prompt('context', {}, caller)).rejects.toMatchObject(missing);
    await expect(service.complete({ of: 'path', value: '' }, caller)).rejects.toMatchObject(
      missing,
    );
    await expect(service.subscribe('a.md', caller, () => undefined)).rejects.toMatchObject(missing);
    await expect(service.ready()).rejects.toMatchObject(missing);
    service.disconnected('c1');
  });

  it('is opened once by the calls that find it', async () => {
    const { service, mount, counts } = await missingVault();
    const read = () => service.call('read_note', { name: 'a' }, caller);
    expect((await read()).ok).toBe(false);
    mount();
    expect((await Promise.all([read(), read()])).map(({ ok }) => ok)).toEqual([true, true]);
    expect(counts).toEqual({ looks: 2, opens: 1 });
  });

  it('is looked for while nobody asks, and the reason is told once', async () => {
    const { waiting, mount, timers, counts } = await missingVault();
    const reasons: unknown[] = [];
    const found = waiting.found((error) => reasons.push(error));
    await expect.poll(() => reasons.length).toBe(1);
    timers.advance(5_000);
    await expect.poll(() => counts.looks).toBe(2);
    mount();
    await new Promise((resolve) => setImmediate(resolve));
    timers.advance(5_000);
    await found;
    expect(counts.opens).toBe(1);
    expect(reasons).toMatchObject([missing]);
  });

  it('is not opened any more after the end', async () => {
    const { waiting, mount, counts } = await missingVault();
    mount();
    await waiting.close();
    await expect(waiting.open()).rejects.toMatchObject({ code: 'unavailable' });
    expect(counts.opens).toBe(0);
  });
});

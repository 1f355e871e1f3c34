import { expect, it } from 'vitest';
import type { ServedToolset } from '../../base/caller.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';
import { createService } from '../../tools/service/service.ts';
import { readServeOptions } from '../options/serve-options.ts';
import { serverToolsets } from '../options/server-toolsets.ts';
import { WaitingVault } from '../vaults/waiting-vault.ts';
import { servicePerToolsets } from './service-per-toolsets.ts';

/** Makes the services of a server that was started with `--tools notes`. Its vault is never opened. */
async function services() {
  const options = readServeOptions(['--vault', '/v', '--tools', 'notes'], {});
  const vault = new WaitingVault({
    name: 'v',
    clock: nodeClock,
    timers: nodeTimers,
    look: async () => undefined,
    open: () => {
      throw new Error('Nobody opens it.');
    },
  });
  const toolsets = await serverToolsets(options, ['v']);
  const service = createService([vault], toolsets, nodeTimers);
  const deadlines = new Map<string, number>();
  const find = servicePerToolsets(options, {
    service,
    makeService: async (toolsets) =>
      createService(
        [vault],
        await serverToolsets({ ...options, toolDeadlinesMs: deadlines, toolsets }, ['v']),
        nodeTimers,
      ),
  });
  return { service, deadlines, find: (...tools: ServedToolset[]) => find(tools) };
}

it('is the one of the server for the toolsets of the server, and one each for others', async () => {
  const { service, find } = await services();
  expect(await find('notes')).toBe(service);
  const both = await find('notes', 'agent');
  expect(both).not.toBe(service);
  expect(await find('agent', 'notes')).toBe(both);
  expect(await find('agent')).not.toBe(both);
});

it('is made again after it could not be made', async () => {
  const { deadlines, find } = await services();
  deadlines.set('no_such_tool', 1);
  await expect(find('agent')).rejects.toMatchObject({ code: 'invalid_input' });
  deadlines.clear();
  expect((await find('agent')).has('vault_search')).toBe(true);
});

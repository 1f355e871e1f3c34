import { type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { createService, type Service } from '../../tools/service/service.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { serverToolsets } from '../options/server-toolsets.ts';
import type { Server } from './run-server.ts';

/**
 * Finds the service with certain toolsets over the vaults of the server. Each is made when it is first
 * asked for, and is then the same for everyone with the same toolsets, in whichever order. One that
 * could not be made is tried again when it is asked for the next time.
 */
export function servicePerToolsets(
  options: ServerOptions,
  { service, vaults }: Pick<Server, 'service' | 'vaults'>,
): (tools: readonly ServedToolset[]) => Promise<Service> {
  const made = new Map<string, Promise<Service>>([
    [inOrder(options.toolsets).join(), Promise.resolve(service)],
  ]);
  const make = async (toolsets: readonly ServedToolset[]): Promise<Service> => {
    const names = vaults.map(({ name }) => name);
    return createService(vaults, await serverToolsets({ ...options, toolsets }, names), nodeTimers);
  };
  return (tools) => {
    const toolsets = inOrder(tools);
    const key = toolsets.join();
    const found = made.get(key);
    if (found !== undefined) return found;
    const making = make(toolsets);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}

function inOrder(tools: readonly ServedToolset[]): readonly ServedToolset[] {
  return servedToolsets.filter((name) => tools.includes(name));
}

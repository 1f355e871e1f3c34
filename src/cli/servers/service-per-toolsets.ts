import { type ServedToolset, servedToolsets } from '../../base/caller.ts';
import type { Service } from '../../tools/service/service.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Server } from './run-server.ts';

/**
 * Finds the service with certain toolsets over the vaults of the server. Each is made when it is first
 * asked for, and is then the same for everyone with the same toolsets, in whichever order. One that
 * could not be made is tried again when it is asked for the next time.
 */
export function servicePerToolsets(
  options: ServerOptions,
  { service, makeService }: Pick<Server, 'service' | 'makeService'>,
): (tools: readonly ServedToolset[]) => Promise<Service> {
  const made = new Map<string, Promise<Service>>([
    [inOrder(options.toolsets).join(), Promise.resolve(service)],
  ]);
  return (tools) => {
    const toolsets = inOrder(tools);
    const key = toolsets.join();
    const found = made.get(key);
    if (found !== undefined) return found;
    const making = makeService(toolsets);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}

function inOrder(tools: readonly ServedToolset[]): readonly ServedToolset[] {
  return servedToolsets.filter((name) => tools.includes(name));
}

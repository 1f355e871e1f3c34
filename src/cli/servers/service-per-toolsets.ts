import { type ServedToolset, servedToolsets } from '../../base/caller.ts';
import type { Service } from '../../tools/service/service.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Server } from './run-server.ts';

/**
 * Finds the service with certain toolsets over the vaults of the server, or over those of them that are
 * named. Each is made when it is first asked for, and is then the same for everyone with the same
 * toolsets and vaults, in whichever order. One that could not be made is tried again when it is asked for
 * the next time.
 */
export function servicePerToolsets(
  options: Pick<ServerOptions, 'toolsets'>,
  { service, makeService }: Pick<Server, 'service' | 'makeService'>,
): (tools: readonly ServedToolset[] | undefined, vaults?: readonly string[]) => Promise<Service> {
  const made = new Map<string, Promise<Service>>([
    [keyOf(inOrder(options.toolsets), undefined), Promise.resolve(service)],
  ]);
  return (tools = options.toolsets, vaults = undefined) => {
    const toolsets = inOrder(tools);
    const key = keyOf(toolsets, vaults);
    const found = made.get(key);
    if (found !== undefined) return found;
    const making = makeService(toolsets, vaults);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}

function keyOf(tools: readonly ServedToolset[], vaults: readonly string[] | undefined): string {
  return JSON.stringify([tools, vaults?.toSorted()]);
}

function inOrder(tools: readonly ServedToolset[]): readonly ServedToolset[] {
  return servedToolsets.filter((name) => tools.includes(name));
}

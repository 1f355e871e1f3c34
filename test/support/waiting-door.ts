import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { guest, HttpDoor, type HttpDoorParts } from './http-door.ts';
import { WaitingTools } from './waiting-tools.ts';
import { openWrittenVault } from './written-vault.ts';

/** A service whose one tool waits until the test releases it. */
export async function serve(): Promise<[Service, WaitingTools]> {
  const { whole } = await openWrittenVault({ 'A.md': 'text of A' });
  const tools = new WaitingTools();
  return [createService(whole, [tools.toolset], nodeTimers), tools];
}

/** MCP over HTTP to such a service. */
export async function open(parts: HttpDoorParts = {}): Promise<[HttpDoor, WaitingTools]> {
  const [service, tools] = await serve();
  return [new HttpDoor(service, parts), tools];
}

/** A call of that tool. */
export const waitCall = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'wait' } };

/** The status of a request with this id. */
export async function statusOf(door: HttpDoor, session: string, visitor = guest): Promise<number> {
  const response = await door.send({
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    session,
    visitor,
  });
  await response.text();
  return response.status;
}

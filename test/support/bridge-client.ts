import { onTestFinished } from 'vitest';
import { allScopes, type Caller } from '../../src/base/caller.ts';
import { createBridgeService } from '../../src/doors/bridge/bridge-service.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import type { Service } from '../../src/tools/service/service.ts';
import { TinyBridge } from './tiny-bridge.ts';

export const pollMs = 5_000;

/** The service in front of a Bridge v1 server, until the test is over. */
export function openBridge(
  url: string,
  parts: Partial<Parameters<typeof createBridgeService>[0]> = {},
): Service {
  const logger = { log: () => undefined };
  const service = createBridgeService({ url, pollMs, logger, timers: nodeTimers, ...parts });
  onTestFinished(() => service.close());
  return service;
}

/** Somebody who calls through it. */
export function bridgeCaller(parts: Partial<Caller> = {}): Caller {
  const { signal } = new AbortController();
  return { door: 'mcp-stdio', scopes: allScopes, signal, deadlineMs: 30_000, ...parts };
}

/** The names of the tools it shows. */
export function shownNames(service: Service): readonly string[] {
  return service.list(allScopes.effects).map(({ name }) => name);
}

/** How a call went, and the text it answered. */
export async function said(
  service: Service,
  name = 'read_note',
  caller: Caller = bridgeCaller(),
): Promise<string> {
  const outcome = await service.call(name, {}, caller);
  return `${outcome.ok ? 'ok' : outcome.error.code}: ${textsOf(outcome.content).join()}`;
}

/** A port at which nothing listens. */
export async function freePort(): Promise<number> {
  const bridge = await TinyBridge.start();
  await bridge.stop();
  return bridge.port;
}

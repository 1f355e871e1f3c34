import type { Scopes } from '../../base/caller.ts';
import type { Service } from '../../tools/service/service.ts';
import type { OrderedCall } from './call-order.ts';

/** What a server says about itself. */
export interface ServerInfo {
  readonly version: string;
  readonly protocolVersion: number;
  /** The names of its methods, sorted. */
  readonly capabilities: readonly string[];
  /** The folder of the vault on the server's machine, to be shown to people. */
  readonly vaultRoot: string;
}

/** The version of the protocol; client and server must have the same one. */
export const remoteProtocolVersion = 1;

/** The methods, each with its kind of call. */
export type RemoteMethods = ReadonlyMap<string, OrderedCall['kind']>;

/** Methods that take next to no time and are called often. All other reads count as large. */
const small: ReadonlySet<string> = new Set(['fs.stat', 'fs.exists']);

/**
 * The methods that a client with these scopes may call: the door's own, and the service's tools.
 */
export function remoteMethods(service: Service, { effects }: Scopes): RemoteMethods {
  const methods = new Map<string, OrderedCall['kind']>([
    ['auth', 'small'],
    ['server.info', 'small'],
  ]);
  if (service.watch !== undefined) {
    // In order with changes, so that the client is told of every change that it sends later.
    methods.set('fs.watch', 'changing');
    methods.set('fs.unwatch', 'small');
  }
  for (const { name, effect } of service.list(effects)) {
    methods.set(name, effect !== 'read' ? 'changing' : small.has(name) ? 'small' : 'large');
  }
  return methods;
}

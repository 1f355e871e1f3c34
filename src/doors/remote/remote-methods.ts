import type { Scopes } from '../../base/caller.ts';
import type { Service } from '../../tools/service/service.ts';
import type { OrderedCall } from './call-order.ts';

/** The turn that each method has. */
export type RemoteMethods = ReadonlyMap<string, OrderedCall['kind']>;

/** What takes next to no time, and is asked all the time. */
const small: ReadonlySet<string> = new Set(['fs.stat', 'fs.exists']);

/** The methods that exist for someone with these scopes: the door's own, and the service's tools. */
export function remoteMethods(service: Service, { effects }: Scopes): RemoteMethods {
  const methods = new Map<string, OrderedCall['kind']>([
    ['auth', 'small'],
    ['server.info', 'small'],
  ]);
  if (service.watch !== undefined) {
    // In line with changes: what is changed after it was asked for is told.
    methods.set('fs.watch', 'changing');
    methods.set('fs.unwatch', 'small');
  }
  for (const { name, effect } of service.list(effects)) {
    methods.set(name, effect !== 'read' ? 'changing' : small.has(name) ? 'small' : 'large');
  }
  return methods;
}

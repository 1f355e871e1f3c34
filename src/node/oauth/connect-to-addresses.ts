import { connect, isIPv6, type Socket } from 'node:net';
import { limits } from '../../base/limits.ts';

/**
 * Begins a TCP connection to the first of these addresses that answers. Nothing is looked up, so the
 * connection goes to no other address.
 */
export function connectToAddresses({
  addresses,
  port,
}: {
  readonly addresses: readonly string[];
  readonly port: number;
}): Socket {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return connect({
    host: 'an address that was checked',
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: limits.connectTryMs,
    lookup: (_name, _options, callback) => callback(null, found),
  });
}

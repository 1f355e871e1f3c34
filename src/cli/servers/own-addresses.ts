import { networkInterfaces } from 'node:os';

/** The addresses of this machine in its networks, without link-local ones. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((all = []) => all)
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
    .map(({ address }) => address);
}

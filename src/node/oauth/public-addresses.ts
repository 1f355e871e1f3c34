import { BlockList, isIPv4, isIPv6 } from 'node:net';

// Every address that is not of the public internet: this machine, its networks, test networks,
// multicast, and IPv6 forms that contain an IPv4 address.

const ipv4Ranges = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24',
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24',
  '224.0.0.0/3',
];
const ipv6Ranges = [
  '::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32',
  '2002::/16 3fff::/20 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
];

/** One list for each family: in a common one, `::ffff:0:0/96` would contain all IPv4 addresses. */
const notPublic = { ipv4: listOf('ipv4', ipv4Ranges), ipv6: listOf('ipv6', ipv6Ranges) };

/** The only part of IPv6 that is given out; addresses outside of it may contain an IPv4 address. */
const givenOut = listOf('ipv6', ['2000::/3']);

/**
 * Whether an address is one of the public internet and none of `own`, the addresses of this machine.
 * False for text that is no address.
 */
export function isPublicAddress(address: string, own: readonly string[]): boolean {
  const family = familyOf(address);
  if (family === undefined || notPublic[family].check(address, family)) return false;
  if (family === 'ipv6' && !givenOut.check(address, family)) return false;
  const list = new BlockList();
  for (const one of own) if (familyOf(one) === family) list.addAddress(one, family);
  return !list.check(address, family);
}

/** Endings of names that lead to this machine or into a home network, and never elsewhere. */
const insideName =
  /(?:^|\.)(?:localhost|local|lan|home|internal|intranet|private|home\.arpa|test|invalid)$/;

/**
 * Whether the internet may reach a host, as far as its name tells. False for names without a dot, those
 * of home networks, and addresses that are not of the public internet.
 */
export function mayBePublic(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (familyOf(name) !== undefined) return isPublicAddress(name, []);
  return name.includes('.') && !insideName.test(name.replace(/\.$/, ''));
}

/** The family of an address without a zone. */
function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (isIPv4(address)) return 'ipv4';
  return isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
}

function listOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges.join(' ').split(' ')) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

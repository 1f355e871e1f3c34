import { isIPv4, isIPv6 } from 'node:net';

/** A host with or without a port, as headers have it: an IPv6 address stands in brackets. */
const hostAndPort = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i;

/**
 * The name or address in a Host header, in the one form that names are compared in: lower case, no
 * port, no final dot, IPv6 short and without brackets. Undefined for what is no such header.
 */
export function hostNameOf(header: string): string | undefined {
  const [, ipv6, name] = hostAndPort.exec(header) ?? [];
  if (ipv6 !== undefined) return isIPv6(ipv6) ? shortIpv6(ipv6) : undefined;
  return name?.toLowerCase().replace(/\.$/, '') || undefined;
}

/** The same of what a person or the machine calls a host: IPv6 needs no brackets there. */
export function hostNameFrom(text: string): string | undefined {
  const address = text.replace(/%.*$/, '');
  return isIPv6(address) ? shortIpv6(address) : hostNameOf(text);
}

/** Whether nothing but this machine is called so. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

function shortIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

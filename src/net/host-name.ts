import { isIPv4, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { limits } from '../base/limits.ts';

/** A host with or without a port, as it is written in headers: IPv6 addresses are in brackets. */
const hostAndPort = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i;

/**
 * The name or address in a Host header, normalized so that names can be compared: lower case, no
 * port, no final dot, IPv6 in its short form without brackets. Undefined when the header is
 * malformed.
 */
export function hostNameOf(header: string): string | undefined {
  const [, ipv6, name] = hostAndPort.exec(header) ?? [];
  if (ipv6 !== undefined) return isIPv6(ipv6) ? shortIpv6(ipv6) : undefined;
  return name?.toLowerCase().replace(/\.$/, '') || undefined;
}

/**
 * The normalized form of a host that a person or the system wrote, where IPv6 addresses need no
 * brackets. Undefined when the text is not a host.
 */
export function hostNameFrom(text: string): string | undefined {
  const address = text.replace(/%.*$/, ''); // Without a zone, as in fe80::1%eth0.
  return isIPv6(address) ? shortIpv6(address) : hostNameOf(text);
}

/** Whether a normalized name always means this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}

function shortIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/**
 * The names and addresses of this machine. They are looked up again every few seconds, because a
 * network (Tailscale, for example) may come up after the server has started.
 */
export class OwnNames {
  readonly #nowMs: () => number;
  readonly #look: () => readonly string[];
  #names: ReadonlySet<string> = new Set();
  #lookedMs: number | undefined;

  constructor(nowMs: () => number, look: () => readonly string[] = lookUpNames) {
    this.#nowMs = nowMs;
    this.#look = look;
  }

  /** Whether a name, normalized by `hostNameOf`, is one of this machine's. */
  has(name: string): boolean {
    const nowMs = this.#nowMs();
    if (this.#lookedMs === undefined || nowMs - this.#lookedMs >= limits.ownNamesMs) {
      this.#lookedMs = nowMs;
      this.#names = new Set(this.#look().flatMap((found) => hostNameFrom(found) ?? []));
    }
    return this.#names.has(name);
  }
}

function lookUpNames(): string[] {
  const name = hostname();
  return [name, `${name}.local`, `${name}.lan`, ...lookUpAddresses()];
}

function lookUpAddresses(): string[] {
  try {
    return Object.values(networkInterfaces()).flatMap((all = []) => all.map((one) => one.address));
  } catch {
    // Some systems (Android) do not list them. Loopback and --allow-host still work there.
    return [];
  }
}

import { hostname, networkInterfaces } from 'node:os';
import { limits } from '../base/limits.ts';
import { hostNameFrom } from './host-name.ts';

/**
 * What this machine is called, addresses included. Looked up again every few seconds: a network
 * (Tailscale) may come up after the server.
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

  /** Whether this is one of them; in the form of `hostNameOf`. */
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
    // Some systems (Android) do not tell. Loopback and what the user allows still work.
    return [];
  }
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sql } from '../../src/postgres/connection/sql.ts';
import { startBalancer } from '../support/balancer.ts';
import { clusterNodes, say } from '../support/cluster-nodes.ts';
import { freePort } from '../support/free-port.ts';
import { OwnerBrowser } from '../support/owner-browser.ts';
import { pngPicture } from '../support/make-png.ts';
import { connectSignedIn, SdkSignIn } from '../support/sdk-sign-in.ts';

const newCluster = clusterNodes();

/** The console of a browser, as its page asks for it. */
class ConsolePage {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(origin: string, headers: Readonly<Record<string, string>>) {
    this.#origin = origin;
    this.#headers = headers;
  }

  /** Opens it with a one-time key. */
  static async enter(origin: string, key: string): Promise<ConsolePage> {
    const headers = { origin, 'content-type': 'application/json' };
    const body = JSON.stringify({ key });
    const response = await fetch(`${origin}/c/api/enter`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const entered = (await response.json()) as { readonly key: string };
    return new ConsolePage(origin, { cookie, 'x-vaultdoor-console': entered.key });
  }

  send(path: string, body?: object, origin = this.#origin): Promise<Response> {
    const post = { origin: this.#origin, 'content-type': 'application/json' };
    return fetch(`${origin}/c/api${path}`, {
      headers: { host: new URL(this.#origin).host, ...this.#headers, ...(body && post) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  }

  /** What the server answers; fails with its words. */
  async ask<T extends object>(path: string, body?: object): Promise<T> {
    const response = await this.send(path, body);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { clusterLimits } from '../../base/door-limits.ts';

/** A request between two nodes, as far as it is signed. */
interface SignedRequest {
  readonly method: string;
  readonly path: string;
  /** The SHA-256 of the body, in hex. */
  readonly digest: string;
}

const header = 'vaultdoor-signature';
const version = 'v1';

/** The SHA-256 of a body, in hex. */
export function digestOf(body: Uint8Array | string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** The header that shows that a request comes from a node that knows the secret. */
export function signatureHeaders(
  secret: string,
  request: SignedRequest,
  nowMs = Date.now(),
): Readonly<Record<string, string>> {
  const nonce = randomBytes(16).toString('hex');
  const mac = macOf(secret, request, { nonce, timeMs: nowMs }).toString('hex');
  return { [header]: [version, nowMs, nonce, request.digest, mac].join(' ') };
}

/**
 * Checks the signatures of requests from other nodes. Several secrets are accepted, so that they can be
 * changed one node after the other; the first one signs. A request is accepted once, and only for a
 * minute, so the clocks of nodes must not be further apart than that.
 */
export class SignatureChecker {
  readonly #secrets: readonly string[];
  readonly #nowMs: () => number;
  /** The requests that were accepted, with the time at which they are too old anyway, oldest first. */
  readonly #seen = new Map<string, number>();

  constructor(secrets: readonly string[], nowMs: () => number) {
    this.#secrets = secrets;
    this.#nowMs = nowMs;
  }

  /** The digest that the body must have; undefined when the request is not to be trusted. */
  check({
    method,
    path,
    headers,
  }: {
    method: string;
    path: string;
    headers: Headers;
  }): string | undefined {
    const [given, time = '', nonce = '', digest = '', mac = '', ...rest] = (
      headers.get(header) ?? ''
    ).split(' ');
    const isWhole =
      given === version &&
      rest.length === 0 &&
      /^\d{13}$/.test(time) &&
      /^[0-9a-f]{32}$/.test(nonce) &&
      [digest, mac].every((hex) => /^[0-9a-f]{64}$/.test(hex));
    if (!isWhole) return undefined;
    const timeMs = Number(time);
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - timeMs) > clusterLimits.signatureAgeMs) return undefined;
    const sent = Buffer.from(mac, 'hex');
    const isOurs = this.#secrets.some((secret) =>
      timingSafeEqual(macOf(secret, { method, path, digest }, { nonce, timeMs }), sent),
    );
    if (!isOurs || this.#seen.has(nonce)) return undefined;
    this.#forgetOld(nowMs);
    // Rather no request than one that could be replayed.
    if (this.#seen.size >= clusterLimits.noncesMax) return undefined;
    this.#seen.set(nonce, nowMs + 2 * clusterLimits.signatureAgeMs);
    return digest;
  }

  #forgetOld(nowMs: number): void {
    for (const [nonce, endMs] of this.#seen) {
      if (endMs > nowMs) return;
      this.#seen.delete(nonce);
    }
  }
}

function macOf(
  secret: string,
  { method, path, digest }: SignedRequest,
  { nonce, timeMs }: { readonly nonce: string; readonly timeMs: number },
): Buffer {
  const text = [version, method, path, digest, nonce, timeMs].join('\n');
  return createHmac('sha256', secret).update(text).digest();
}

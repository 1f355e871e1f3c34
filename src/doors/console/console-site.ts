import { hostNameOf, isLoopback } from '../../net/host-name.ts';

/** The address under which a browser has asked, as far as its Host header tells. */
export interface ConsoleSite {
  /** What the browser's header `Origin` must be. */
  readonly origin: string;
  /**
   * `secure`: https, by a proxy or tunnel. `local`: http on this machine. `plain`: http in a network,
   * where everyone on the way can read along.
   */
  readonly kind: 'secure' | 'local' | 'plain';
}

/** The site of a request. A public URL with https is told from plain http by its host. */
export function siteOf(host: string, publicUrls: readonly string[]): ConsoleSite {
  const asked = host.toLowerCase();
  const found = publicUrls.map((url) => new URL(url)).find((url) => url.host === asked);
  if (found?.protocol === 'https:') return { origin: found.origin, kind: 'secure' };
  const kind = isLoopback(hostNameOf(host) ?? '') ? 'local' : 'plain';
  return { origin: found?.origin ?? `http://${asked}`, kind };
}

/**
 * Whether a request may come from a page of another site. Browsers send Origin with everything but
 * GET, and Sec-Fetch-Site where they trust the connection.
 */
export function isForeign(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  { origin }: ConsoleSite,
): boolean {
  const sent = headers.get('origin');
  const isOwn = sent === null ? method === 'GET' : sent === origin;
  const site = headers.get('sec-fetch-site');
  return !isOwn || (site !== null && site !== 'same-origin');
}

/** The names of the cookie: cookies of one host are sent to all its ports, so the port is in it. */
interface CookieSpot {
  readonly port: number;
  readonly site: ConsoleSite;
}

/** The value of the console's cookie. With https only the name counts that no other page can set. */
export function readConsoleCookie(
  headers: Headers,
  { port, site }: CookieSpot,
): string | undefined {
  const names = [safeName(port), ...(site.kind === 'secure' ? [] : [plainName(port)])];
  const sent = new Map<string, string>();
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (at > 0 && !sent.has(name)) sent.set(name, pair.slice(at + 1).trim());
  }
  return names.map((name) => sent.get(name)).find((value) => value !== undefined);
}

/**
 * The lines for Set-Cookie; without a value they end the cookie. Safari takes no Secure cookie over
 * http, also on this machine, and no browser does in a network.
 */
export function consoleCookieLines(
  value: string | undefined,
  { port, site, headers }: CookieSpot & { readonly headers: Headers },
): readonly string[] {
  const rest = `HttpOnly; SameSite=Strict; Path=/${value === undefined ? '; Max-Age=0' : ''}`;
  const safe = `${safeName(port)}=${value ?? ''}; Secure; ${rest}`;
  const plain = `${plainName(port)}=${value ?? ''}; ${rest}`;
  if (site.kind === 'secure') return [safe];
  if (value === undefined) return [safe, plain];
  const takesSafe = site.kind === 'local' && !isSafari(headers.get('user-agent') ?? '');
  return [takesSafe ? safe : plain];
}

function safeName(port: number): string {
  return `__Host-${plainName(port)}`;
}

function plainName(port: number): string {
  return `vaultdoor-${port}`;
}

function isSafari(agent: string): boolean {
  return agent.includes('AppleWebKit/') && !/Chrom(?:e|ium)\//.test(agent);
}

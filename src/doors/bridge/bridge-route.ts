import type { RequestHead } from '../../net/http-handler.ts';
import { refuseBridge } from './bridge-refusal.ts';

/** What a request of Bridge v1 asks for. */
export type BridgeRoute =
  | { readonly to: 'health' | 'tools' | 'events' }
  /** `name` is undefined when it is not properly escaped: then no tool has it. */
  | { readonly to: 'call'; readonly name: string | undefined };

const base = '/bridge/v1';

/** Whether an address belongs to Bridge v1, whatever is there. */
export function isBridgePath(path: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** What is at an address, or the refusal of what nothing is at, or not for this method. */
export function bridgeRoute(
  head: Pick<RequestHead, 'method' | 'path' | 'headers'>,
): BridgeRoute | Response {
  const { method, path, headers } = head;
  const isRead = method === 'GET' || method === 'HEAD';
  const to = readOnes[path];
  if (to !== undefined) return isRead ? { to } : wrongMethod('GET, HEAD, OPTIONS');
  if (path === `${base}/tools/events`) {
    // Clients that do not know it find nothing there, as with every other server.
    return method === 'GET' && takesEvents(headers) ? { to: 'events' } : notFound();
  }
  const [, name] = callPath.exec(path) ?? [];
  if (name === undefined) return notFound();
  return method === 'POST' ? { to: 'call', name: unescaped(name) } : wrongMethod('POST, OPTIONS');
}

const readOnes: Readonly<Record<string, 'health' | 'tools'>> = {
  [`${base}/health`]: 'health',
  [`${base}/tools`]: 'tools',
};

const callPath = new RegExp(`^${base}/tools/([^/]+)/call$`);

function unescaped(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** Only who names it: nearly everything that asks for JSON takes anything else too. */
function takesEvents(headers: Headers): boolean {
  const types = (headers.get('accept') ?? '').toLowerCase().split(',');
  return types.some((type) => type.split(';')[0]?.trim() === 'text/event-stream');
}

function notFound(): Response {
  return refuseBridge({ status: 404 });
}

function wrongMethod(allow: string): Response {
  return refuseBridge({ status: 405, headers: { Allow: allow } });
}

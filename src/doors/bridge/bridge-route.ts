import type { RequestHead } from '../../net/http-handler.ts';
import { refuseBridge } from './bridge-refusal.ts';

/** What a request asks for. */
export type BridgeRoute =
  | { readonly to: 'health' | 'tools' | 'events' }
  /** `name` is undefined when its percent-encoding is malformed: then there is no such tool. */
  | { readonly to: 'call'; readonly name: string | undefined };

const base = '/bridge/v1';

/** Whether a path is one of Bridge v1, even if nothing is there. */
export function isBridgePath(path: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** What a request asks for, or a refusal when nothing is at its path or the method is wrong. */
export function bridgeRoute(
  head: Pick<RequestHead, 'method' | 'path' | 'headers'>,
): BridgeRoute | Response {
  const { method, path, headers } = head;
  const isRead = method === 'GET' || method === 'HEAD';
  const to = readPaths[path];
  if (to !== undefined) return isRead ? { to } : wrongMethod('GET, HEAD, OPTIONS');
  if (path === `${base}/tools/events`) {
    // Only clients that ask for an event stream find it. Others get 404, as from other servers.
    return method === 'GET' && takesEvents(headers) ? { to: 'events' } : notFound();
  }
  const [, name] = callPath.exec(path) ?? [];
  if (name === undefined) return notFound();
  return method === 'POST' ? { to: 'call', name: unescaped(name) } : wrongMethod('POST, OPTIONS');
}

const readPaths: Readonly<Record<string, 'health' | 'tools'>> = {
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

/**
 * Whether a client asks for an event stream by name: most clients that want JSON accept any type.
 */
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

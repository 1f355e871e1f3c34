import { isObject } from '../../../base/json.ts';
import type { HttpParts, ServedVisitor } from './http-parts.ts';
import { refuseHttp } from './http-refusal.ts';
import type { ReadPosted } from './read-posted.ts';

/**
 * Refuses a single call of a tool that exists and does more than the visitor's grant allows, with a
 * header that makes the client ask the owner for more. Undefined for all other messages: a batch, and
 * calls of visitors who cannot ask for more, are answered by the tool itself.
 */
export function refuseOutOfScope(
  { asksMore, logger }: Pick<HttpParts, 'asksMore' | 'logger'>,
  visitor: ServedVisitor,
  { request, posted }: { readonly request: Request; readonly posted: ReadPosted },
): Response | undefined {
  if (asksMore === undefined) return undefined;
  if (posted.era === '2025' && posted.isBatch) return undefined;
  const message: unknown = posted.era === '2025' ? posted.messages[0] : posted.message;
  if (!isObject(message) || message['method'] !== 'tools/call') return undefined;
  const { id, params } = message;
  const name = isObject(params) ? params['name'] : undefined;
  const { service, scopes } = visitor;
  const isCalled = (tool: { readonly name: string }): boolean => tool.name === name;
  if (service.list(scopes.effects).some(isCalled)) return undefined;
  const effect = service.list(asksMore.rights).find(isCalled)?.effect;
  if (effect === undefined) return undefined;
  const host = request.headers.get('host') ?? '';
  const { pathname: path } = new URL(request.url);
  const challenge = asksMore.challenge(visitor, { host, path, needs: [effect] });
  if (challenge === undefined) return undefined;
  logger.log('info', 'call', { tool: String(name), ok: false, code: 'insufficient_scope' });
  return refuseHttp({
    status: 403,
    message: deeds[effect],
    headers: { 'WWW-Authenticate': challenge },
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
  });
}

const deeds = {
  read: 'Reading notes was not allowed when this client signed in; sign in again to ask for it.',
  write: 'Changing notes was not allowed when this client signed in; sign in again to ask for it.',
  destroy:
    'Deleting notes and undoing changes was not allowed when this client signed in; sign in again to ask for it.',
} as const;

import { allScopes, type Scopes } from '../../base/caller.ts';
import { onlyReads } from './only-reads.ts';

/**
 * What the owner may do in the console of a server with these scopes: everything, but where the server
 * only reads. Where clients only propose changes, the server makes those that the owner accepts, so the
 * owner can also take them back.
 */
export function consoleScopes(scopes: Pick<Scopes, 'effects'>): Scopes {
  return onlyReads(scopes) ? { ...allScopes, effects: ['read'] } : allScopes;
}

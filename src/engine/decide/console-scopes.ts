import { allScopes, type Scopes } from '../../base/caller.ts';

/**
 * What the owner may do in the console of a server with these scopes: everything, but where the server
 * only reads. Where clients only propose changes, the server makes those that the owner accepts, so the
 * owner can also take them back.
 */
export function consoleScopes({ effects }: Pick<Scopes, 'effects'>): Scopes {
  const onlyReads = effects.every((right) => right === 'read');
  return onlyReads ? { ...allScopes, effects: ['read'] } : allScopes;
}

import type { Caller } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Effect } from '../define/define-tool.ts';

/** Fails with `forbidden` when the caller's scopes do not have this effect. */
export function checkEffect(effect: Effect, { scopes }: Caller): void {
  if (scopes.effects.includes(effect)) return;
  const may = scopes.effects.length === 0 ? 'do nothing' : `only ${scopes.effects.join(' and ')}`;
  throw new VaultError('forbidden', `${refused[effect]}: this connection may ${may}.`);
}

const refused: Readonly<Record<Effect, string>> = {
  read: 'Nothing can be read here',
  write: 'Nothing can be changed here',
  destroy: 'Nothing can be deleted or undone here',
};

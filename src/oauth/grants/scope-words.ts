import { type Right, rights } from '../../base/caller.ts';

/** The words for rights that clients and server use in `scope`. */
const words: Readonly<Record<Right, string>> = {
  read: 'vault:read',
  write: 'vault:write',
  destroy: 'vault:delete',
  propose: 'vault:propose',
};

/** What a client asks for that asks for nothing we know. */
const usual: readonly Right[] = ['read', 'write'];

/** Rights as the words of a `scope`, always in the same order. */
export function scopeOf(some: readonly Right[]): string {
  return rights
    .filter((right) => some.includes(right))
    .map((right) => words[right])
    .join(' ');
}

/**
 * The rights in a `scope` that a client has sent. Unknown words count as absent, and a scope without
 * a known word as a wish to read and write: the owner decides in any case.
 */
export function rightsAsked(scope: string | undefined): readonly Right[] {
  const known = rightsIn(scope ?? '');
  return known.length === 0 ? usual : known;
}

/** The rights that a `scope` names. */
export function rightsIn(scope: string): readonly Right[] {
  const said = new Set(scope.split(' '));
  return rights.filter((right) => said.has(words[right]));
}

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

/**
 * The rights that are left when a client that has `allowed` sends a `scope` to have fewer. Undefined
 * when it asks for one that it does not have. Unknown words count as absent here too.
 */
export function rightsLeft(
  scope: string | undefined,
  allowed: readonly Right[],
): readonly Right[] | undefined {
  const known = rightsIn(scope ?? '');
  if (known.length === 0) return allowed;
  return known.every((right) => allowed.includes(right)) ? known : undefined;
}

/**
 * The `scope` that clients are told to ask for, on a server with these rights. Deleting is not in it:
 * the owner may add it when asked. Nor is proposing, where clients may write.
 */
export function scopeOffered(some: readonly Right[]): string {
  const hidden: readonly Right[] = some.includes('write') ? ['destroy', 'propose'] : ['destroy'];
  return scopeOf(some.filter((right) => !hidden.includes(right)));
}

function rightsIn(scope: string): readonly Right[] {
  const said = new Set(scope.split(' '));
  return rights.filter((right) => said.has(words[right]));
}

import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';

/** A vault in which a note can be looked for. */
interface SearchedVault {
  readonly name: string;
  find(name: NoteName, caller: Caller): Promise<string>;
}

const nameCharsMax = 200;
/**
 * Finds the vault that has a note of this name; if several have one, the preferred one. Fails with
 * `ambiguous` when several vaults have one and none of them is preferred, and with `not_found` and
 * the closest names when none has. A vault that cannot be opened is left out. A vault that is busy
 * or not indexed yet makes the search fail, because it may have the note.
 */
export async function vaultOfNote<Vault extends SearchedVault>(
  vaults: readonly Vault[],
  name: NoteName,
  caller: Caller,
  preferred?: Vault,
): Promise<Vault> {
  const looks = await Promise.all(vaults.map((vault) => lookIn(vault, name, caller)));
  const having = looks.filter(({ paths }) => paths.length > 0);
  if (preferred !== undefined && having.some(({ vault }) => vault === preferred)) return preferred;
  const vaultNames = vaults.map(({ name }) => name);
  const asked = oneLine(typeof name === 'string' ? name : name.path, nameCharsMax);
  for (const { vault, failure } of looks) {
    if (failure === undefined || !mayHaveIt.has(failure.code)) continue;
    throw new VaultError(
      failure.code,
      `The vault "${vault.name}" may have "${asked}" too and cannot tell yet, so nothing was done; name the vault you mean with "vault". ${failure.message}`,
      { cause: failure, details: failure.details },
    );
  }
  const [only] = having;
  if (only !== undefined && having.length === 1) return only.vault;
  if (only !== undefined) {
    const candidates = inVaults(having, ({ paths }) => paths);
    throw new VaultError(
      'ambiguous',
      `Several vaults have "${asked}"; name the one you mean with "vault": ${candidates.join(', ')}.`,
      { details: { name: asked, candidates, vaults: vaultNames } },
    );
  }
  const candidates = inVaults(looks, ({ near }) => near);
  const details = {
    name: asked,
    ...(candidates.length > 0 ? { candidates } : {}),
    vaults: vaultNames,
  };
  const closest = candidates.length > 0 ? ` Closest: ${candidates.join(', ')}.` : '';
  const unopened = looks.flatMap(({ failure }) =>
    failure === undefined || failure.code === 'not_found' ? [] : [failure],
  );
  const [first] = unopened;
  if (first !== undefined) {
    const others = `The others have no note "${asked}".${closest}`;
    const message = unopened.length < looks.length ? `${first.message} ${others}` : first.message;
    throw new VaultError(first.code, message, {
      cause: first,
      details: { ...details, ...first.details },
    });
  }
  const isNoNote = /^#|\/$/.test(asked.trim());
  const hint = isNoNote
    ? ' For a folder or a tag, name the vault you mean with "vault".'
    : closest || ' Search for it, or list the notes, to find its name.';
  throw new VaultError('not_found', `No vault has a note "${asked}".${hint}`, { details });
}

/** The result of looking for a note in one vault. */
interface Look<Vault> {
  readonly vault: Vault;
  /** The files of that name; several when the name is ambiguous in this vault. */
  readonly paths: readonly string[];
  /** Names that are close to it. */
  readonly near: readonly string[];
  readonly failure?: VaultError;
}

async function lookIn<Vault extends SearchedVault>(
  vault: Vault,
  name: NoteName,
  caller: Caller,
): Promise<Look<Vault>> {
  try {
    return { vault, paths: [await vault.find(name, caller)], near: [] };
  } catch (error) {
    const failure = toVaultError(error);
    // The call was cancelled, or no vault can have this name: then the others need not be asked.
    if (!mayBeElsewhere.has(failure.code)) throw failure;
    const candidates = (failure.details['candidates'] ?? []) as readonly string[];
    // "Note#Heading" means a part of a note, unless a note is called so.
    const part = typeof name === 'string' ? name.indexOf('#') : -1;
    if (failure.code === 'not_found' && typeof name === 'string' && part > 0) {
      return lookIn(vault, name.slice(0, part), caller);
    }
    if (failure.code === 'ambiguous') return { vault, paths: candidates, near: [] };
    return { vault, paths: [], near: candidates, failure };
  }
}

/**
 * Failures of a vault that may have the note and cannot say so yet: it is being indexed, or busy.
 */
const mayHaveIt: ReadonlySet<string> = new Set(['timeout', 'unavailable']);

/** Failures of one vault after which another may still have the note. */
const mayBeElsewhere: ReadonlySet<string> = new Set([
  ...mayHaveIt,
  'not_found',
  'ambiguous',
  'vault_not_found',
  'forbidden',
  'io_failed',
]);

/** Paths with the names of their vaults: `Work: Plan.md`. */
function inVaults<Vault extends SearchedVault>(
  looks: readonly Look<Vault>[],
  pathsOf: (look: Look<Vault>) => readonly string[],
): readonly string[] {
  return looks
    .flatMap((look) => pathsOf(look).map((path) => `${look.vault.name}: ${path}`))
    .slice(0, limits.candidatesMax);
}

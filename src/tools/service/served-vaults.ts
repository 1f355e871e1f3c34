import { assert } from '../../base/assert.ts';
import type { Caller } from '../../base/caller.ts';
import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import type { ServedVault } from './served-vault.ts';
import { quotedNames } from './vault-argument.ts';
import { vaultOfNote } from './vault-of-note.ts';

const nameCharsMax = 100;

/** The vaults of a service: at least one, each with a different name. */
export class ServedVaults {
  readonly all: readonly ServedVault[];
  readonly names: readonly string[];
  /** The only vault; undefined when there are several. */
  readonly only: ServedVault | undefined;

  constructor(vaults: readonly ServedVault[]) {
    this.all = vaults;
    this.names = vaults.map(({ name }) => name);
    this.only = vaults.length === 1 ? vaults[0] : undefined;
    assert(vaults.length > 0, 'a service has a vault');
    assert(new Set(this.names.map(foldName)).size === vaults.length, 'no two have one name');
  }

  /** The vault of this name, without regard to case. Fails with `vault_not_found`. */
  named(name: string): ServedVault {
    const vault = this.all.find((candidate) => foldName(candidate.name) === foldName(name));
    if (vault !== undefined) return vault;
    const asked = oneLine(name, nameCharsMax);
    const are = this.only === undefined ? 'there are' : 'the only one is';
    throw new VaultError(
      'vault_not_found',
      `There is no vault "${asked}" here; ${are} ${quotedNames(this.names)}.`,
      { details: { vault: asked, vaults: this.names } },
    );
  }

  /**
   * The vault of this name, or the only vault. Fails with `invalid_input` when several could be
   * meant.
   */
  namedOrOnly(name: string | undefined): ServedVault {
    if (name !== undefined) return this.named(name);
    if (this.only !== undefined) return this.only;
    throw new VaultError(
      'invalid_input',
      `There are several vaults; name one with "vault": ${quotedNames(this.names)}.`,
      { details: { vaults: this.names } },
    );
  }

  /**
   * The vault of this name, or the only vault, or the vault that has this note. Where several could
   * be meant, the one that the caller prefers.
   */
  async choose(
    name: string | undefined,
    note: NoteName | undefined,
    caller: Caller,
  ): Promise<ServedVault> {
    if (name !== undefined || this.only !== undefined) return this.namedOrOnly(name);
    const preferred = this.all.find((vault) => vault.name === caller.prefers);
    if (note === undefined) return preferred ?? this.namedOrOnly(name);
    return vaultOfNote(this.all, note, caller, preferred);
  }
}

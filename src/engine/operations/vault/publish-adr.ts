import { limits } from '../../../base/limits.ts';
import { oneLine } from '../../../base/one-line.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { fileNameOf, type VaultPath, vaultPath } from '../../../base/vault-path.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import { checkAllowed } from '../../decide/decide.ts';
import type { Published } from '../../ports/publisher.ts';
import { decodeText } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * `adr/ADR-012-some-slug.md`. The slug also names a git branch, so it has no dots and no spaces.
 */
const adrPath = /^adr\/(ADR-\d{3,})-[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.md$/u;
const titleCharsMax = 80;

/**
 * Copies a decision record (ADR) from the vault into the git checkout that was set up at start.
 * Fails with `unavailable` when no checkout is set up, with `invalid_input` for any note that is
 * not a decision record, and with `not_found` for one that does not exist or that the caller may
 * not see. Fails with `forbidden` for a caller who may only propose. The vault is not changed.
 */
export async function publishAdr(
  vault: BoundVault,
  request: { readonly path: string },
): Promise<Published> {
  checkAllowed(vault.caller, { effect: 'write', atOnce: 'outside' });
  const { publisher } = vault.vault.parts;
  if (publisher === undefined) throw notSetUp();
  const path = vaultPath(request.path);
  const number = adrPath.exec(path)?.[1];
  if (number === undefined) throw notAnAdr(path);
  const { bytes } = await vault.read(path, { bytesMax: limits.wholeNoteBytesMax });
  const { signal, progress } = vault.caller;
  return publisher.publish(
    { name: fileNameOf(path), bytes, title: titleOf(number, decodeText(bytes)) },
    { signal, onProgress: (now) => progress?.(now) },
  );
}

/** Makes the title from the number and the first heading, which may repeat the number. */
function titleOf(number: string, text: string): string {
  const heading = scanNote(text).headings[0]?.text ?? '';
  const bare = heading.replace(new RegExp(`^${number}\\s*[:.–—-]?\\s*`), '');
  return bare === '' ? number : `${number}: ${oneLine(bare, titleCharsMax)}`;
}

function notAnAdr(path: VaultPath): VaultError {
  return new VaultError(
    'invalid_input',
    `"${path}" is not a decision record: only notes directly in "adr/" with names like "ADR-001-some-slug.md" are published.`,
    { details: { path } },
  );
}

function notSetUp(): VaultError {
  return new VaultError(
    'unavailable',
    'No git checkout to publish to is set up; the server must be started with --adr-repo.',
  );
}

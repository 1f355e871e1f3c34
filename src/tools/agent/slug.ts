import { VaultError } from '../../base/vault-error.ts';

/** So that a file name with a number before it and `.md` after it fits every platform. */
const slugBytesMax = 180;

/** Names that Windows keeps for itself, so that no note may have them. */
const device = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])$/;

/**
 * A title as a part of a file name: lower case, letters and digits of any script, dashes between
 * them. Fails with `invalid_input` when it has none of either.
 */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .normalize('NFC');
  const { read } = new TextEncoder().encodeInto(slug, new Uint8Array(slugBytesMax));
  const cut = slug.slice(0, read).replace(/^-+|-+$/g, '');
  if (/[\p{L}\p{N}]/u.test(cut)) return cut.replace(device, '$&_');
  throw new VaultError('invalid_input', 'A title needs at least one letter or digit.');
}

import { VaultError } from '../../base/vault-error.ts';

/** With a number before it and `.md` after it, the file name still fits every platform. */
const slugBytesMax = 180;

/** Names that Windows reserves for devices; no file may have them. */
const device = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])$/;

/**
 * A title as part of a file name: its letters and digits (of any script) in lower case, joined by
 * dashes. Fails with `invalid_input` when it has neither.
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

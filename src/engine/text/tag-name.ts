import { VaultError } from '../../base/vault-error.ts';
import { tagEnd } from '../../markdown/facts/tag-scanner.ts';

/** A tag as a caller gives it, without its optional `#`; `invalid_input` for what is no tag. */
export function tagName(tag: string): string {
  const name = tag.trim().replace(/^#/, '');
  if (tagEnd(`#${name}`, 0, name.length + 1) === name.length + 1) return name;
  throw new VaultError(
    'invalid_input',
    `"${tag.slice(0, 100)}" cannot be a tag: use letters, digits, "-", "_" and "/", with at least one that is not a digit.`,
    { details: { tag: tag.slice(0, 100) } },
  );
}

/** What two spellings of one tag share: no `#`, lower case. */
export function tagKey(tag: string): string {
  return tag.replace(/^#/, '').toLowerCase();
}

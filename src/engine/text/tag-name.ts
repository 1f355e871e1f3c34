import { VaultError } from '../../base/vault-error.ts';
import { tagEnd } from '../../markdown/facts/tag-scanner.ts';

/**
 * Checks a tag that a caller gave and returns it without its optional `#`. Fails with
 * `invalid_input` for a text that cannot be a tag.
 */
export function tagName(tag: string): string {
  const name = tag.trim().replace(/^#/, '');
  if (tagEnd(`#${name}`, 0, name.length + 1) === name.length + 1) return name;
  throw new VaultError(
    'invalid_input',
    `"${tag.slice(0, 100)}" cannot be a tag: use letters, digits, "-", "_" and "/", with at least one that is not a digit.`,
    { details: { tag: tag.slice(0, 100) } },
  );
}

/** The form in which two spellings of a tag are equal: no `#`, lower case. */
export function tagKey(tag: string): string {
  return tag.replace(/^#/, '').toLowerCase();
}

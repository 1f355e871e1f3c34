import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { shownTag } from '../decide/tag-policy.ts';
import type { AllowedTags } from './allowed-tags.ts';
import { closestTagsFirst } from './allowed-tags.ts';

/** The message names at most this many refused tags, and counts the rest. */
const refusedShownMax = 20;

/**
 * The failure that refuses tags. Its message names the tags that may be used, beginning with those
 * that may have been meant, says how to go on if the user agrees to new tags, and explains which tags
 * count as allowed, because no user has made such a list. The seed fixes the first three sentences.
 */
export function tagRefusal(tags: readonly string[], allowed: AllowedTags): VaultError {
  const named = tags.slice(0, refusedShownMax);
  const inOrder = closestTagsFirst(allowed.values(), named);
  const listed = inOrder.slice(0, limits.allowedTagsMax);
  const quoted = named.map((tag) => `'${shownTag(tag)}'`);
  return new VaultError(
    'tag_not_allowed',
    `${tags.length === 1 ? 'Tag' : 'Tags'} ${inWords(quoted, tags.length)} not in allowed list. ` +
      `Allowed: ${inWords(listed.map(shownTag), inOrder.length)}. ` +
      'Ask user before creating new tags. Pass the tags the user has agreed to as a list in ' +
      '`new_tags`, which every tool that writes text takes, also where it is not listed. ' +
      'Allowed are the tags that notes of the vault have, and those above nested ones (a of a/b).',
    { details: { tags, allowed: listed } },
  );
}

/** The tags that a failure refuses; undefined for any other failure. */
export function refusedTags(error: unknown): readonly string[] | undefined {
  if (!(error instanceof VaultError) || error.code !== 'tag_not_allowed') return undefined;
  return error.details['tags'] as readonly string[];
}

function inWords(shown: readonly string[], total: number): string {
  if (total === 0) return 'none';
  const more = total > shown.length ? [`… and ${total - shown.length} more`] : [];
  return [...shown, ...more].join(', ');
}

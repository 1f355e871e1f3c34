import { oneLine } from '../../base/one-line.ts';
import type { TagRules } from '../../engine/tags/tag-rules.ts';
import { refusedTags } from '../../engine/tags/tags-refused.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';

/** Nobody reads a longer list before agreeing to it. */
const askedTagsMax = 20;
const tagCharsMax = 100;

/**
 * Runs a change under rules about tags. Where it is refused and the caller can ask the person, that
 * is done, once; with their agreement it runs again with these tags allowed. Otherwise the refusal
 * stands.
 */
export async function withAgreement<T>(
  vault: BoundVault,
  rules: TagRules,
  run: (rules: TagRules) => Promise<T>,
): Promise<T> {
  try {
    return await run(rules);
  } catch (refusal) {
    const tags = refusedTags(refusal);
    const { ask } = vault.caller;
    if (ask === undefined || tags === undefined || tags.length > askedTagsMax) throw refusal;
    if (!(await ask(questionAbout(tags)))) throw refusal;
    return run({ ...rules, newTags: [...rules.newTags, ...tags] });
  }
}

function questionAbout(tags: readonly string[]): string {
  const quoted = tags.map((tag) => `'${oneLine(tag, tagCharsMax)}'`).join(', ');
  return `May the new ${tags.length === 1 ? 'tag' : 'tags'} ${quoted} be added to the vault?`;
}

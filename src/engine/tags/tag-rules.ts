import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { parseFrontmatter } from '../../markdown/properties/frontmatter.ts';
import { decide } from '../decide/decide.ts';
import { refusesNewTags, type TagPolicy } from '../decide/tag-policy.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { WrittenTags } from '../ports/note-work.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import type { AllowedTags } from './allowed-tags.ts';
import { allowedTags, tagIdentity, visibleTags } from './allowed-tags.ts';
import { holdsTags, respellTags } from './note-tags.ts';
import { tagRefusal } from './tag-refusal.ts';

/** The rules for the tags that one change adds. */
export interface TagRules {
  readonly policy: TagPolicy;
  /** The tags that the user has agreed to, with or without `#`. */
  readonly newTags: readonly string[];
}

/** What the rules need of an operation's result: the note, and the property if one was set. */
export interface NoteResult {
  readonly path: VaultPath;
  readonly key?: string;
  readonly value?: PropertyValue;
}

/**
 * Checks the tags of a note that an operation has just planned on the draft. Only tags that the
 * change adds count, never those that the note had before. Tags in properties are spelled as the
 * vault spells them. Answers the operation's result, and in `newTags` (without `#`) the tags that
 * the vault did not have. Fails with `tag_not_allowed` when the policy refuses one of them. Waits
 * for the index only where a refusal depends on it; without the index, `newTags` is empty.
 */
export async function applyTagRules<Result extends NoteResult>(
  draft: Draft,
  result: Result,
  rules: TagRules,
): Promise<Result & { readonly newTags: readonly string[] }> {
  if (rules.policy === 'off') return { ...result, newTags: [] };
  const added = await addedTags(draft, result.path);
  const allowed = await knownTags(draft.vault, added, rules);
  if (allowed === undefined) return { ...result, newTags: [] };
  const unknown = (tags: readonly string[]): string[] =>
    tags.filter((tag) => !allowed.has(tagIdentity(tag)));
  const tags = eachOnce(unknown(disputed(added, rules)));
  const decision = decide(draft.vault.caller, { newTags: { policy: rules.policy, tags } });
  if (decision.do !== 'allow') throw tagRefusal(tags, allowed);
  return {
    ...result,
    ...(await respell(draft, result, { added, allowed })),
    newTags: eachOnce(unknown([...added.inProperties, ...added.inText])),
  };
}

/** The tags of a change, without `#`. */
type NewTags = Pick<WrittenTags, 'inProperties' | 'inText'>;

interface AddedTags extends NewTags {
  /** The tags in properties that were not there in exactly this spelling before the change. */
  readonly spelled: ReadonlySet<string>;
}

/** The tags that a change adds to a note. */
async function addedTags(draft: Draft, path: VaultPath): Promise<AddedTags> {
  const tagsOf = (text: string) => draft.vault.work('tags', text, fileKind(path));
  const after = await tagsOf((await draft.read(path)).text);
  if (after.inProperties.length + after.inText.length === 0)
    return { ...after, spelled: new Set() };
  const before = await tagsOf((await draft.textBefore(path)) ?? '');
  const had = new Set([...before.inProperties, ...before.inText].map(tagIdentity));
  const isAdded = (tag: string): boolean => !had.has(tagIdentity(tag));
  const hadSpelled = new Set(before.inProperties);
  return {
    inProperties: after.inProperties.filter(isAdded),
    inText: after.inText.filter(isAdded),
    spelled: new Set(after.inProperties.filter((tag) => !hadSpelled.has(tag))),
  };
}

/** The added tags that the policy refuses unless the vault has them or the user agreed. */
function disputed(added: NewTags, { policy, newTags }: TagRules): string[] {
  if (!refusesNewTags(policy)) return [];
  const agreed = new Set(newTags.map(tagIdentity));
  return [...added.inProperties, ...added.inText].filter((tag) => !agreed.has(tagIdentity(tag)));
}

/** A change does not wait longer for the index only to report which of its tags are new. */
const reportWait = { waitMs: 1_000, filesMax: 1_000 } as const;

/**
 * The tags that are allowed. Undefined when the change adds no tags, and when only the report of new
 * tags would need them and the index is not ready soon: a new vault with many notes.
 */
async function knownTags(
  vault: BoundVault,
  added: AddedTags,
  rules: TagRules,
): Promise<AllowedTags | undefined> {
  const question = visibleTags(vault);
  if (disputed(added, rules).length > 0) return allowedTags(await vault.ask('facts', question));
  if (added.inText.length === 0 && added.spelled.size === 0) return undefined;
  if (!(await vault.waitForIndex('facts', reportWait))) return undefined;
  return allowedTags(await vault.askNow(question));
}

/** Spells tags in properties as the vault does. Answers the new value when the result has one. */
async function respell(
  draft: Draft,
  { path, key, value }: NoteResult,
  { added, allowed }: { added: AddedTags; allowed: AllowedTags },
): Promise<{ value?: PropertyValue }> {
  if (added.spelled.size === 0) return {};
  const { text } = await draft.read(path);
  const respelled = spelledAs(text, (tag) =>
    added.spelled.has(tag) ? (allowed.get(tagIdentity(tag)) ?? tag) : undefined,
  );
  await draft.write(path, respelled);
  if (key === undefined || value === undefined || !holdsTags({ key })) return {};
  const properties = parseFrontmatter(respelled)?.frontmatter.properties ?? [];
  return { value: properties.find((property) => property.key === key)?.value ?? value };
}

/**
 * Leaves YAML that cannot be edited in part as it is: a spelling is no reason to refuse a change.
 */
function spelledAs(text: string, spell: (tag: string) => string | undefined): string {
  try {
    return respellTags(text, spell);
  } catch (error) {
    if (error instanceof VaultError) return text;
    throw error;
  }
}

function eachOnce(tags: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const tag of tags) if (!first.has(tagIdentity(tag))) first.set(tagIdentity(tag), tag);
  return Array.from(first.values());
}

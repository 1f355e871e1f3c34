import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { decide } from '../../engine/decide/decide.ts';
import { refusesUndescribed, type TagPolicy } from '../../engine/decide/tag-policy.ts';
import { askForDescription } from '../../engine/tags/personal-note.ts';
import { refusedTags } from '../../engine/tags/tag-refusal.ts';
import type { NoteResult, TagRules } from '../../engine/tags/tag-rules.ts';
import { applyTagRules } from '../../engine/tags/tag-rules.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { ChangeReport, Operation } from '../../engine/vault/draft.ts';
import { type Advice, advised } from './advice.ts';

/** What happens when a change makes a note with the tag `claude` that has no description. */
export interface DescriptionRule {
  /** Whether the change is refused; otherwise its answer has a warning. */
  readonly isRefused: boolean;
  /** A sentence that says which tool and argument set the description. */
  readonly how: string;
}

/** What a tool may want beside the change itself. */
interface NoteChangeOptions {
  /** The rules about tags that the vault does not have; `off` unless given. */
  readonly tags?: TagRules;
  /** What to do about failures, by their codes. */
  readonly advice?: Advice;
  /** That of the notes toolset unless given. */
  readonly description?: DescriptionRule;
}

const setFrontmatter =
  'Give it in "frontmatter" of create_note, or set it with set_frontmatter, key "description".';

/**
 * Changes one note for a tool that has rules about tags or advice for failures; others call
 * `vault.change` themselves. What happens, in this order:
 *
 * 1. The operation plans the change on a draft.
 * 2. The rules about tags check the note as it would be, and may refuse the change. A personal note
 *    without a description gets a warning, or is refused.
 * 3. The plan is carried out. `vault.change` runs 1 and 2 again when files change before that.
 * 4. If tags were refused, another program may have written one of them a moment ago: the index
 *    catches up with the disk, for at most `limits.courtesyWaitMs`, and steps 1 to 3 are done again.
 * 5. If tags were refused again, the person behind the caller is asked about them, once. If they
 *    agree, steps 1 to 3 are done again with these tags allowed. Both waits come after the refused
 *    change has ended, so that no call waits while it holds a place in the queue of changes.
 * 6. A failure gets the advice that the tool has for it.
 */
export function changeNote<Request extends object, Result extends NoteResult>(
  vault: BoundVault,
  operation: Operation<Request, Result>,
  request: Request & { readonly dryRun?: boolean | undefined },
  options: NoteChangeOptions = {},
): Promise<Result & ChangeReport & { readonly newTags: readonly string[] }> {
  return underRules(vault, options, ({ tags, description }) =>
    vault.change(async (draft, asked: Request) => {
      const planned = await operation(draft, asked);
      await askForDescription(draft, planned.path, description);
      return applyTagRules(draft, planned, tags);
    }, request),
  );
}

/** Changes several notes at once as `changeNote` changes one; the result says which in `paths`. */
export function changeNotes<
  Request extends object,
  Result extends { readonly paths: readonly VaultPath[] },
>(
  vault: BoundVault,
  operation: Operation<Request, Result>,
  request: Request & { readonly dryRun?: boolean | undefined },
  options: NoteChangeOptions = {},
): Promise<Result & ChangeReport & { readonly newTags: readonly string[] }> {
  return underRules(vault, options, ({ tags, description }) =>
    vault.change(async (draft, asked: Request) => {
      const planned = await operation(draft, asked);
      const newTags = new Set<string>();
      for (const path of planned.paths) {
        await askForDescription(draft, path, description);
        const checked = await applyTagRules(draft, { path }, tags);
        for (const tag of checked.newTags) newTags.add(tag);
      }
      return { ...planned, newTags: Array.from(newTags) };
    }, request),
  );
}

/** The rules that one attempt at a change has to keep. */
interface ChangeRules {
  readonly tags: TagRules;
  readonly description: DescriptionRule;
}

/** Does steps 4 to 6 of `changeNote` around a change that does the others. */
function underRules<Report>(
  vault: BoundVault,
  options: NoteChangeOptions,
  change: (rules: ChangeRules) => Promise<Report>,
): Promise<Report> {
  const { tags = { policy: 'off', newTags: [] }, advice = {} } = options;
  const { description = { isRefused: refusesUndescribed(tags.policy), how: setFrontmatter } } =
    options;
  const rules = { tags, description };
  return change(rules)
    .catch(async (failure: unknown) => {
      if (refusedTags(failure) === undefined) throw failure;
      await vault.vault.parts.keeper.settleWithin(limits.courtesyWaitMs);
      return change(rules);
    })
    .catch(async (failure: unknown) => {
      const agreed = await agreedTags(vault.caller, tags.policy, failure);
      return change({ ...rules, tags: { ...tags, newTags: [...tags.newTags, ...agreed] } });
    })
    .catch((failure: unknown) => {
      throw advised(failure, advice);
    });
}

/**
 * The refused tags, when the person behind the caller agrees to them. Throws the failure again when
 * they do not agree, when nobody can be asked, and when the failure is not about tags.
 */
async function agreedTags(
  caller: Caller,
  policy: TagPolicy,
  failure: unknown,
): Promise<readonly string[]> {
  const tags = refusedTags(failure) ?? [];
  const decision = decide(caller, { newTags: { policy, tags } });
  if (decision.do !== 'ask' || !(await caller.ask?.(decision.question))) throw failure;
  return tags;
}

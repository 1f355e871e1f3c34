import type { Caller } from '../../base/caller.ts';
import { oneLine } from '../../base/one-line.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { refusedTags } from '../../engine/tags/tag-refusal.ts';
import type { NoteResult, TagRules } from '../../engine/tags/tag-rules.ts';
import { applyTagRules } from '../../engine/tags/tag-rules.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { ChangeReport, Operation } from '../../engine/vault/draft.ts';
import { type Advice, advised } from './advice.ts';

/** What a tool may want beside the change itself. */
interface NoteChangeOptions {
  /** The rules about tags that the vault does not have; `off` unless given. */
  readonly tags?: TagRules;
  /** What to do about failures, by their codes. */
  readonly advice?: Advice;
}

/**
 * Changes one note for a tool that has rules about tags or advice for failures; others call
 * `vault.change` themselves. What happens, in this order:
 *
 * 1. The operation plans the change on a draft.
 * 2. The rules about tags check the note as it would be, and may refuse the change.
 * 3. The plan is carried out. `vault.change` runs 1 and 2 again when files change before that.
 * 4. If tags were refused, the person behind the caller is asked about them, once. If they agree,
 *    steps 1 to 3 are done again with these tags allowed. The question comes after the refused
 *    change has ended: nobody waits for a person while holding a place in the queue of changes.
 * 5. A failure gets the advice that the tool has for it.
 */
export function changeNote<Request extends object, Result extends NoteResult>(
  vault: BoundVault,
  operation: Operation<Request, Result>,
  request: Request & { readonly dryRun?: boolean | undefined },
  { tags: rules = { policy: 'off', newTags: [] }, advice = {} }: NoteChangeOptions = {},
): Promise<Result & ChangeReport & { readonly newTags: readonly string[] }> {
  return askedAboutTags(vault.caller, { rules, advice }, (allowed) =>
    vault.change(
      async (draft, asked: Request) => applyTagRules(draft, await operation(draft, asked), allowed),
      request,
    ),
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
  { tags: rules = { policy: 'off', newTags: [] }, advice = {} }: NoteChangeOptions = {},
): Promise<Result & ChangeReport & { readonly newTags: readonly string[] }> {
  return askedAboutTags(vault.caller, { rules, advice }, (allowed) =>
    vault.change(async (draft, asked: Request) => {
      const planned = await operation(draft, asked);
      const newTags = new Set<string>();
      for (const path of planned.paths) {
        const checked = await applyTagRules(draft, { path }, allowed);
        for (const tag of checked.newTags) newTags.add(tag);
      }
      return { ...planned, newTags: Array.from(newTags) };
    }, request),
  );
}

/** Makes a change; when it is refused because of tags, asks about them and makes it once more. */
function askedAboutTags<Report>(
  caller: Caller,
  { rules, advice }: { readonly rules: TagRules; readonly advice: Advice },
  change: (allowed: TagRules) => Promise<Report>,
): Promise<Report> {
  return change(rules)
    .catch(async (failure: unknown) => {
      const agreed = await agreedTags(caller, failure);
      return change({ ...rules, newTags: [...rules.newTags, ...agreed] });
    })
    .catch((failure: unknown) => {
      throw advised(failure, advice);
    });
}

/** With more tags nobody is asked: nobody reads a longer list before agreeing to it. */
const askedTagsMax = 20;
const tagCharsMax = 100;

/**
 * The refused tags, when the person behind the caller agrees to them. Throws the failure again when
 * they do not agree, when nobody can be asked, and when the failure is not about tags.
 */
async function agreedTags({ ask }: Caller, failure: unknown): Promise<readonly string[]> {
  const tags = refusedTags(failure);
  if (ask === undefined || tags === undefined || tags.length > askedTagsMax) throw failure;
  if (!(await ask(questionAbout(tags)))) throw failure;
  return tags;
}

function questionAbout(tags: readonly string[]): string {
  const quoted = tags.map((tag) => `'${oneLine(tag, tagCharsMax)}'`).join(', ');
  return `May the new ${tags.length === 1 ? 'tag' : 'tags'} ${quoted} be added to the vault?`;
}

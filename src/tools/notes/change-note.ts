import type { VaultPath } from '../../base/vault-path.ts';
import type { TagRules } from '../../engine/tags/tag-rules.ts';
import { withTagRules } from '../../engine/tags/tag-rules.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { ChangeReport, Operation } from '../../engine/vault/draft.ts';
import { withAgreement } from './with-agreement.ts';

/** Changes one note under the tag policy; the person behind the caller may agree to new tags. */
export function changeNote<Request extends object, Result extends { readonly path: VaultPath }>(
  vault: BoundVault,
  rules: TagRules,
  operation: Operation<Request, Result>,
  request: Request,
): Promise<Result & ChangeReport & { readonly newTags: readonly string[] }> {
  return withAgreement(vault, rules, (agreed) =>
    vault.change(withTagRules(operation, agreed), request),
  );
}

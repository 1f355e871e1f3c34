import type { VaultPath } from '../../../base/vault-path.ts';
import { VaultDraft } from '../../draft/vault-draft.ts';
import { findTemplate } from '../../new-notes/find-template.ts';
import { templateText } from '../../new-notes/template-text.ts';
import { readTemplateSettings } from '../../settings/note-settings.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * A template as a note made from it now would begin; see `findTemplate` for its name. Without a
 * title, `{{title}}` stays.
 */
export async function readTemplate(
  vault: BoundVault,
  request: { readonly template: string; readonly title?: string },
): Promise<{ readonly path: VaultPath; readonly text: string }> {
  const { title = '{{title}}' } = request;
  // Templates are found and filled in on drafts; this one is never carried out.
  const draft = new VaultDraft(vault, { dryRun: true });
  const { folder } = await readTemplateSettings(vault.vault.parts.disk);
  const template = await findTemplate(draft, { name: request.template, folder });
  const text = await templateText(draft, { template, title, timeMs: draft.nowMs });
  return { path: template, text };
}

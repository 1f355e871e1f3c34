import { limits } from '../../../base/limits.ts';
import type { VaultFolder, VaultPath } from '../../../base/vault-path.ts';
import { VaultDraft } from '../../draft/vault-draft.ts';
import { findTemplate, templateText } from '../../new-notes/find-template.ts';
import { readTemplateSettings } from '../../settings/note-settings.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** The templates of a vault. */
interface TemplateList {
  /** The template folder; absent when the vault's settings name none. */
  readonly folder?: VaultFolder;
  readonly templates: readonly {
    /** The name that `findTemplate` finds it by: its path in the template folder, without `.md`. */
    readonly name: string;
    readonly path: VaultPath;
  }[];
}

/** Lists the notes in the vault's template folder, at any depth, in path order. */
export async function listTemplates(vault: BoundVault): Promise<TemplateList> {
  const { folder } = await readTemplateSettings(vault.vault.parts.disk);
  // The vault itself does not count as a template folder, or every note would be a template.
  if (folder === undefined || folder === '' || !vault.seesFolder(folder)) return { templates: [] };
  const { items } = await vault.ask('names', (store) =>
    store.files(vault.view(), {
      folder,
      kinds: ['note'],
      sort: 'path',
      limit: limits.resultsMax,
      offset: 0,
    }),
  );
  const templates = items.map(({ path }) => ({
    name: path.slice(folder.length + 1).replace(/\.md$/i, ''),
    path,
  }));
  return { folder, templates };
}

/**
 * Returns the text that a note made from a template now would begin with. The template is named as
 * `findTemplate` takes it. Without a title, what needs it stays in the text. Fails with `not_found`
 * or `ambiguous` when the name does not lead to one template, and as `fillTemplate` does.
 */
export async function readTemplate(
  vault: BoundVault,
  request: { readonly template: string; readonly title?: string },
): Promise<{ readonly path: VaultPath; readonly text: string }> {
  // `findTemplate` and `templateText` need a draft; this one is never carried out.
  const draft = new VaultDraft(vault, { dryRun: true });
  const { folder } = await readTemplateSettings(vault.vault.parts.disk);
  const template = await findTemplate(draft, { name: request.template, folder });
  const text = await templateText(draft, { template, title: request.title });
  vault.hasRead(template, text);
  return { path: template, text };
}

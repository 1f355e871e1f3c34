import type { VaultPath } from '../../base/vault-path.ts';
import { readTemplateSettings } from '../settings/note-settings.ts';
import type { Draft } from '../vault/draft.ts';
import { fillTemplate } from './fill-template.ts';

/** The text of a template, filled in for a note of that title, with the vault's own formats. */
export async function templateText(
  draft: Draft,
  request: { readonly template: VaultPath; readonly title: string; readonly timeMs: number },
): Promise<string> {
  const { template, title, timeMs } = request;
  const { dateFormat, timeFormat, problems } = await readTemplateSettings(
    draft.vault.vault.parts.disk,
  );
  for (const problem of problems) draft.warn(problem);
  const { text } = await draft.read(template);
  return fillTemplate(text, { title, timeMs, dateFormat, timeFormat });
}

import type { VaultPath } from '../../../base/vault-path.ts';
import { uniqueNotePath } from '../../new-notes/dated-path.ts';
import { templateText } from '../../new-notes/find-template.ts';
import { taken } from '../../new-notes/new-path.ts';
import { noteAt } from '../../notes/find-note.ts';
import { readUniqueSettings } from '../../settings/note-settings.ts';
import type { Draft } from '../../vault/draft.ts';
import { appendNote } from './append-note.ts';
import { createNote } from './create-note.ts';

/**
 * Creates a note that is named by the current time, in the folder and from the template that the
 * vault's settings for unique notes name, with `content` after it. When the name is taken, uses the
 * next time that gives a free one. Fails with `already_exists` when the settings allow no
 * free name.
 */
export async function createUniqueNote(
  draft: Draft,
  request: { readonly content?: string },
): Promise<{ readonly path: VaultPath }> {
  const settings = await readUniqueSettings(draft.vault.vault.parts.disk);
  for (const problem of settings.problems) draft.warn(problem);
  const wanted = await uniqueNotePath(settings, {
    nowMs: draft.nowMs,
    isTaken: async (path) => (await taken(draft, path)) !== undefined,
  });
  const { content = '' } = request;
  const begun = await templateFor(draft, settings.template, wanted);
  const { path } = await createNote(draft, { path: wanted, content: begun ?? content });
  if (begun !== undefined && content !== '') await appendNote(draft, { name: path, text: content });
  return { path };
}

/**
 * Returns the filled-in template; undefined when none is set, or when it is missing, which is only
 * a warning, as in the app.
 */
async function templateFor(
  draft: Draft,
  named: string | undefined,
  path: VaultPath,
): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const template = await noteAt(draft, named.replace(/^\/+/, ''));
  if (template !== undefined) {
    return templateText(draft, { template, path });
  }
  draft.warn(
    'The note was created without a template, because the template named in .obsidian/zk-prefixer.json does not exist.',
  );
  return undefined;
}

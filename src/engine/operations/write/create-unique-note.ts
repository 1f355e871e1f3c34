import type { VaultPath } from '../../../base/vault-path.ts';
import { stemOf } from '../../../base/vault-path.ts';
import { uniqueNotePath } from '../../new-notes/dated-path.ts';
import { templateText } from '../../new-notes/find-template.ts';
import { taken } from '../../new-notes/new-path.ts';
import { noteAt } from '../../notes/find-note.ts';
import { readUniqueSettings } from '../../settings/note-settings.ts';
import type { Draft } from '../../vault/draft.ts';
import { appendNote } from './append-note.ts';
import { createNote } from './create-note.ts';

/**
 * Makes a note that is named by the time, where the vault's settings want unique notes and from
 * their template, with `content` after it. A name that is taken becomes the next time (D05).
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

/** What the note begins with; a template that is missing is a warning, as in the app. */
async function templateFor(
  draft: Draft,
  named: string | undefined,
  path: VaultPath,
): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const template = await noteAt(draft, named.replace(/^\/+/, ''));
  if (template !== undefined) {
    return templateText(draft, { template, title: stemOf(path), timeMs: draft.nowMs });
  }
  draft.warn(
    'The note was made without a template: the one that .obsidian/zk-prefixer.json names is not there.',
  );
  return undefined;
}

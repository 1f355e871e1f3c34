import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
import { folderOf, foldName, stemOf } from '../../base/vault-path.ts';
import { noteAt } from '../notes/find-note.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { FileStat } from '../ports/records.ts';
import { seesAll } from '../ports/view.ts';
import { readTemplateSettings } from '../settings/note-settings.ts';
import type { Draft } from '../vault/draft.ts';
import { fillTemplate } from './fill-template.ts';

const shownMax = 20;

/**
 * Finds the template that a name means: a note in the template folder, at any depth if only one has
 * that name, or else the note at exactly that path. `.md` may be left out. Fails with `not_found`
 * and the list of templates, or with `ambiguous`.
 */
export async function findTemplate(
  draft: Draft,
  request: { readonly name: string; readonly folder: VaultFolder | undefined },
): Promise<VaultPath> {
  // A template folder that the caller may not see counts as none.
  const asked = request.folder ?? '';
  const folder = asked !== '' && draft.vault.seesFolder(asked) ? asked : undefined;
  const name = request.name.trim();
  const inFolder = folder ? await noteAt(draft, `${folder}/${name}`) : undefined;
  if (inFolder !== undefined) return inFolder;
  const templates = folder ? await templatesIn(draft, folder) : [];
  const named = templates.filter((path) => endsWithName(path, name));
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  const exact = await noteAt(draft, name);
  if (exact !== undefined) return exact;
  throw named.length > 1 ? severalTemplates(name, named) : noTemplate({ name, folder }, templates);
}

async function templatesIn(draft: Draft, folder: VaultPath): Promise<readonly VaultPath[]> {
  const notes = (await draft.filesIn(folder)).filter((path) => fileKind(path) === 'note');
  if (seesAll(draft.vault.view())) return notes;
  const seen: VaultPath[] = [];
  // Also leaves out symlinks to notes that the caller may not see.
  for (const path of notes) if ((await draft.kind(path)) === 'file') seen.push(path);
  return seen;
}

function endsWithName(path: VaultPath, name: string): boolean {
  const end = foldName(`/${name}`);
  return [end, `${end}.md`].some((wanted) => foldName(path).endsWith(wanted));
}

function severalTemplates(name: string, named: readonly VaultPath[]): VaultError {
  const candidates = named.slice(0, shownMax);
  return new VaultError(
    'ambiguous',
    `${named.length} templates are called "${name}"; give the path of the one you mean: ${candidates.join(', ')}.`,
    { details: { name, candidates, missing: 'template' } },
  );
}

function noTemplate(
  { name, folder }: { readonly name: string; readonly folder: VaultFolder | undefined },
  templates: readonly VaultPath[],
): VaultError {
  const candidates = templates.slice(0, shownMax);
  const hint = !folder
    ? "The vault's settings name no template folder: give the template's path."
    : candidates.length === 0
      ? `The template folder "${folder}" has no templates: give the template's path.`
      : `Templates are: ${candidates.join(', ')}.`;
  return new VaultError('not_found', `There is no template "${name}". ${hint}`, {
    details: { name, candidates, missing: 'template' },
  });
}

interface TemplateTextRequest {
  readonly template: VaultPath;
  /** The note that the text is for; absent for a preview. */
  readonly path?: VaultPath;
  /** The title of the note, if it is not the name of its file. */
  readonly title?: string | undefined;
  /** The time that `{{date}}` means; now if absent. */
  readonly timeMs?: number;
  /** For a note of the Periodic Notes plugin: its format; see `TemplateValues`. */
  readonly periodFormat?: string;
  /** The times of the note, if it exists already. */
  readonly stat?: Pick<FileStat, 'birthMs' | 'mtimeMs'>;
}

/**
 * Returns the text of a template, filled in for a note, in the vault's own date formats. Fails as
 * `fillTemplate` does.
 */
export async function templateText(draft: Draft, request: TemplateTextRequest): Promise<string> {
  const { nowMs } = draft;
  const { template, path, title, timeMs = nowMs, stat, periodFormat } = request;
  const { dateFormat, timeFormat, problems } = await readTemplateSettings(
    draft.vault.vault.parts.disk,
  );
  for (const problem of problems) draft.warn(problem);
  const { text } = await draft.read(template);
  return fillTemplate(text, {
    template,
    title: title ?? (path === undefined ? undefined : stemOf(path)),
    folder: path === undefined ? undefined : folderOf(path),
    timeMs,
    nowMs,
    createdMs: stat?.birthMs ?? nowMs,
    modifiedMs: stat?.mtimeMs ?? nowMs,
    dateFormat,
    timeFormat,
    periodFormat,
  });
}

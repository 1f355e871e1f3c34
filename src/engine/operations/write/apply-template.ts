import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { bodyStart } from '../../../markdown/properties/frontmatter-block.ts';
import { findTemplate, templateText } from '../../new-notes/find-template.ts';
import { findMarkdown } from '../../notes/find-note.ts';
import { fileKind } from '../../ports/file-kind.ts';
import { readTemplateSettings } from '../../settings/note-settings.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { appendNote } from './append-note.ts';
import { createNamedNote } from './create-note.ts';

interface ApplyTemplateRequest {
  /** The template's path, or its name in the template folder. */
  readonly template: string;
  /** The path of the new note. Give either this or `name`. */
  readonly path?: string;
  /** The existing note that the template is inserted into. */
  readonly name?: NoteName;
  /** The value of `{{title}}`; the note's name if absent. */
  readonly title?: string;
  /** Properties of the new note, which replace those of the template. */
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  /** The version that the note to insert into must have. */
  readonly version?: VersionStart;
}

/**
 * Creates a note from a template, or inserts a template into a note: its properties are added to
 * the note's own, its text goes to the end. Fails with `not_found` or `ambiguous` when a name does
 * not lead to one file, with `already_exists` when the new path is taken, and with `invalid_input`
 * when both or neither of `path` and `name` are given, and for a template with commands that cannot
 * be filled in.
 */
export async function applyTemplate(
  draft: Draft,
  request: ApplyTemplateRequest,
): Promise<{ path: VaultPath; created: boolean }> {
  const { path, name } = request;
  if (path !== undefined && name === undefined) {
    const created = await createFromTemplate(draft, { ...request, name: { path } });
    return { path: created.path, created: true };
  }
  if (name !== undefined && path === undefined) return insertInto(draft, { ...request, name });
  throw new VaultError(
    'invalid_input',
    'Give either the path of the note to make or the name of the note to insert into.',
  );
}

interface FromTemplateRequest {
  /** The new note, named as `createNamedNote` takes it. */
  readonly name: NoteName;
  readonly template: string;
  readonly title?: string;
  /**
   * Text that is added after that of the template. The properties that it begins with replace those
   * of the template, too, unless `properties` has others.
   */
  readonly content?: string;
  /** Properties that replace those of the template. */
  readonly properties?: Readonly<Record<string, PropertyValue>>;
}

/**
 * Creates a note from a template, with more text after it and other properties over those of the
 * template. `others` are files of the same name elsewhere. Fails as `applyTemplate` does.
 */
export async function createFromTemplate(
  draft: Draft,
  request: FromTemplateRequest,
): ReturnType<typeof createNamedNote> {
  const { name, template, title, content = '', properties = {} } = request;
  const kind = fileKind(typeof name === 'string' ? name : name.path);
  if (kind === 'canvas' || kind === 'base') {
    throw new VaultError(
      'invalid_input',
      'A template creates a note, so the path must be that of a note (.md).',
    );
  }
  const { entries } = await draft.vault.work('properties', content);
  const created = await createNamedNote(draft, {
    name,
    content: (path) => filledTemplate(draft, { template, path, title }),
    properties: { ...Object.fromEntries(entries), ...properties },
  });
  // A block without properties may be text between two horizontal rules, and stays.
  const text = entries.length === 0 ? content : content.slice(bodyStart(content));
  if (text !== '') await appendNote(draft, { name: { path: created.path }, text });
  return created;
}

async function insertInto(
  draft: Draft,
  request: ApplyTemplateRequest & { readonly name: NoteName },
): Promise<{ path: VaultPath; created: boolean }> {
  const path = await findMarkdown(draft, request.name);
  await draft.expect(path, request.version);
  const { template, title } = request;
  const { text, stat } = await draft.read(path);
  const filled = await filledTemplate(draft, { template, path, title, stat });
  await draft.write(path, await draft.vault.work('mergeProperties', text, filled));
  const body = filled.slice(bodyStart(filled));
  if (body.trim() !== '') await appendNote(draft, { name: path, text: body });
  return { path, created: false };
}

async function filledTemplate(
  draft: Draft,
  request: Omit<Parameters<typeof templateText>[1], 'template'> & { readonly template: string },
): Promise<string> {
  const { folder } = await readTemplateSettings(draft.vault.vault.parts.disk);
  const template = await findTemplate(draft, { name: request.template, folder });
  return templateText(draft, { ...request, template });
}

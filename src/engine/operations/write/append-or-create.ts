import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { extensionOf, vaultPath } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { withPortableProperties } from '../../../markdown/properties/portable-properties.ts';
import { checkMarkdown } from '../../notes/find-note.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { Draft } from '../../vault/draft.ts';
import { createNote } from './create-note.ts';

interface AppendOrCreateRequest {
  /** The exact path of the note. */
  readonly path: string;
  readonly content: string;
  /** The properties of a new note; an existing note keeps its own. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

/**
 * Adds a line end and a text to the end of the note at exactly this path, or creates the note and
 * its folders. Existing content does not change. Fails with `already_exists` when a file or folder
 * of the path exists with another case or Unicode form, because the text would end up elsewhere,
 * and with `invalid_input` for a path that is not a note, canvas or base.
 */
export async function appendOrCreate(
  draft: Draft,
  request: AppendOrCreateRequest,
): Promise<{ readonly path: VaultPath; readonly created: boolean }> {
  if (request.path.endsWith('/')) {
    throw new VaultError('invalid_input', 'Name the note, not only its folder.');
  }
  const path = vaultPath(request.path);
  if ((await draft.kind(path)) === 'file') {
    checkMarkdown(path);
    const { text } = await draft.read(path);
    await draft.write(path, `${text}\n${request.content}`);
    return { path, created: false };
  }
  checkExtension(path);
  const spelled = await draft.spell(path);
  // A path that the caller may not see is refused below, with the same words whether it exists or not.
  if (spelled !== path && draft.vault.sees(spelled)) throw spelledDifferently(spelled);
  await createNote(draft, { path, content: newText(path, request) });
  return { path, created: true };
}

/** Fails with `invalid_input` for a path that is not one of a note, canvas or base. */
function checkExtension(path: VaultPath): void {
  if (fileKind(path) !== 'attachment') return;
  const extension = extensionOf(path);
  const meant = path.trim();
  throw new VaultError(
    'invalid_input',
    /^[a-z][a-z0-9]*$/.test(extension)
      ? `Only notes (.md), canvases (.canvas) and bases (.base) can be made, not ".${extension}" files; end the path with ".md".`
      : `The path of a new note ends with ".md": "${fileKind(meant) === 'attachment' ? `${meant}.md` : meant}".`,
    { details: { path } },
  );
}

function newText(path: VaultPath, { content, properties }: AppendOrCreateRequest): string {
  if (fileKind(path) === 'note') return withPortableProperties(content, properties);
  if (Object.keys(properties).length > 0) {
    throw new VaultError(
      'invalid_input',
      `Only notes have properties, and "${path}" is not a note.`,
    );
  }
  return content === '' || content.endsWith('\n') ? content : `${content}\n`;
}

function spelledDifferently(spelled: VaultPath): VaultError {
  return new VaultError(
    'already_exists',
    `A folder in this path is spelled differently; use the path "${spelled}".`,
    { details: { path: spelled } },
  );
}

import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { extensionOf, vaultPath } from '../../base/vault-path.ts';
import type { PropertyValue } from '../../markdown/facts.ts';
import { withPortableProperties } from '../../markdown/portable-properties.ts';
import type { Draft } from '../draft.ts';
import { fileAt } from '../file-at.ts';
import { fileKind } from '../file-kind.ts';
import { createNote } from './create-note.ts';
import { checkMarkdown } from './find-markdown.ts';

export interface AppendOrCreateRequest {
  /** Exactly this file, `.md` optional. */
  readonly path: string;
  readonly content: string;
  /** Those of a new note; one that is there keeps what it has. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

/**
 * Adds a line end and a text to the end of a note, which stays byte for byte what it was; or makes
 * the note, with the folders it needs. Fails with `already_exists` when a file or a folder on the
 * way differs from the path in case or Unicode form alone: the text would end up elsewhere.
 */
export async function appendOrCreate(
  draft: Draft,
  request: AppendOrCreateRequest,
): Promise<{ readonly path: VaultPath; readonly created: boolean }> {
  if (request.path.endsWith('/')) {
    throw new VaultError('invalid_input', 'Name the note, not only its folder.');
  }
  const asked = vaultPath(request.path);
  const there = await fileAt(draft, asked);
  if (there !== undefined) {
    checkMarkdown(there);
    const { text } = await draft.read(there);
    await draft.write(there, `${text}\n${request.content}`);
    return { path: there, created: false };
  }
  const path = newNotePath(asked);
  const spelled = await draft.spell(path);
  // What the caller may not see is refused below, in the same words whatever is there.
  if (spelled !== path && draft.vault.sees(spelled)) throw spelledDifferently(spelled);
  await createNote(draft, { path, content: newText(path, request) });
  return { path, created: true };
}

/** The path with `.md`, unless it has an extension; one that makes it no note is refused. */
function newNotePath(asked: VaultPath): VaultPath {
  if (fileKind(asked) !== 'attachment') return asked;
  const extension = extensionOf(asked);
  if (/^[a-z][a-z0-9]*$/.test(extension)) {
    throw new VaultError(
      'invalid_input',
      `Only notes (.md), canvases (.canvas) and bases (.base) can be made, not ".${extension}" files; end the path with ".md".`,
      { details: { path: asked } },
    );
  }
  return vaultPath(`${asked}.md`);
}

function newText(path: VaultPath, { content, properties }: AppendOrCreateRequest): string {
  if (fileKind(path) !== 'note' && Object.keys(properties).length > 0) {
    throw new VaultError('invalid_input', `Only notes have properties; "${path}" is none.`);
  }
  const text = withPortableProperties(content, properties);
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function spelledDifferently(spelled: VaultPath): VaultError {
  return new VaultError(
    'already_exists',
    `A folder on the way is spelled differently; the path is "${spelled}" there.`,
    { details: { path: spelled } },
  );
}

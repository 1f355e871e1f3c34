import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Property } from '../../markdown/facts/facts.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { WrittenTags } from '../ports/note-work.ts';
import type { Draft } from '../vault/draft.ts';
import { personalTag, tagIdentity } from './allowed-tags.ts';

/** Whether a tag makes a note one of those that auto-context lists: `claude`, or one under it. */
export function isPersonal(tag: string): boolean {
  const identity = tagIdentity(tag);
  return identity === personalTag || identity.startsWith(`${personalTag}/`);
}

/** The text that says when to read a note; undefined when its properties have none. */
export function descriptionIn(properties: readonly Property[]): string | undefined {
  const value = properties.find(({ key }) => key.toLowerCase() === 'description')?.value;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/**
 * Asks for the description of a personal note, when the change on this draft adds the tag or takes
 * the description away. Nothing is said about a note that was like that before. `how` is a sentence
 * that says which tool sets the description. The answer gets a warning; with `isRefused`, fails with
 * `invalid_input` instead.
 */
export async function askForDescription(
  draft: Draft,
  path: VaultPath,
  { isRefused, how }: { readonly isRefused: boolean; readonly how: string },
): Promise<void> {
  if (fileKind(path) !== 'note') return;
  const lacksOne = async (text: string): Promise<boolean> =>
    mayBePersonal(text) && isUndescribed(await draft.vault.work('tags', text, 'note'));
  if (!(await lacksOne((await draft.read(path)).text))) return;
  if (await lacksOne((await draft.textBefore(path)) ?? '')) return;
  const needed = `A note with the tag "${personalTag}" needs the property "description": say when to read the note, not what is in it. ${how}`;
  if (isRefused) throw new VaultError('invalid_input', needed, { details: { path } });
  draft.warn(needed);
}

/** Whether the properties of a note have the tag at all, before the whole note is scanned for it. */
function mayBePersonal(text: string): boolean {
  if (!/^\uFEFF?---/.test(text)) return false;
  const end = text.indexOf('\n---');
  return end > 0 && text.slice(0, end).toLowerCase().includes(personalTag);
}

function isUndescribed({ inProperties, isDescribed }: WrittenTags): boolean {
  return !isDescribed && inProperties.some(isPersonal);
}

import type { VaultPath } from '../../../base/vault-path.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import type { Draft } from '../../vault/draft.ts';
import { removeNoteProperty } from './remove-note-property.ts';
import type { SetNotePropertyRequest } from './set-note-property.ts';
import { setNoteProperty } from './set-note-property.ts';

/**
 * Sets a property of a note, or removes it when the value is null. A string is written as a string,
 * whatever type the vault has for that property; aliases become a list in any case.
 */
export async function setOrRemoveProperty(
  draft: Draft,
  request: Omit<SetNotePropertyRequest, 'type'>,
): Promise<{ path: VaultPath; key: string; value: PropertyValue }> {
  const { key, value } = request;
  if (value !== null) return setNoteProperty(draft, { ...request, ...typeOf(key, value) });
  const { path, removed } = await removeNoteProperty(draft, request);
  if (!removed) draft.warn(`"${path}" has no property "${key}", so there was nothing to remove.`);
  return { path, key, value };
}

function typeOf(key: string, value: PropertyValue): { type?: 'text' | 'list' } {
  if (typeof value !== 'string') return {};
  return { type: key.toLowerCase() === 'aliases' ? 'list' : 'text' };
}

import { VaultError } from '../../../base/vault-error.ts';
import type { Section } from '../../../markdown/scan/sections.ts';
import { findNote } from '../../notes/find-note.ts';
import type { BoundVault, NoteText } from '../../vault/bound-vault.ts';
import { openSection } from './read-section.ts';

/** A note, or one section of it, that a caller named. */
interface Opened {
  readonly note: NoteText;
  /** Absent when the whole note is meant. */
  readonly section?: Section;
}

/**
 * Reads the note that a name means, or finds the section that `Note#Heading` means. The heading may
 * be a path through headings, with `>` or `#` between them. A name with `#` may also be that of a
 * note: it is tried when there is no such section. Fails as `readNote` and `readSection` do.
 */
export async function openNamed(vault: BoundVault, name: string): Promise<Opened> {
  const at = name.indexOf('#');
  const [before, heading] = at === -1 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)];
  if (heading.trim() === '') return whole(vault, name);
  const section = heading.split('#').join(' > ');
  try {
    return await openSection(vault, { name: before, section });
  } catch (failure) {
    if (!(failure instanceof VaultError) || failure.code !== 'not_found') throw failure;
    return whole(vault, name).catch(() => {
      throw failure;
    });
  }
}

async function whole(vault: BoundVault, name: string): Promise<Opened> {
  return { note: await vault.readText(await findNote(vault, name)) };
}

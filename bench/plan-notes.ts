import type { Random } from './random.ts';
import type { Script } from './vocabulary.ts';

/** What is known of a note before it is written, so that other notes can link to it. */
export interface PlannedNote {
  /** The path of its folder in the vault; empty for the root. */
  folder: string;
  name: string;
  script: Script;
  /** A heading that the note certainly has. */
  heading: string;
  /** A block id that the note certainly has; undefined if it has none. */
  block: string | undefined;
  /** Whether notes of this name exist in several folders. */
  ambiguous: boolean;
}

const NOTES_PER_FOLDER = 80;
const SUBFOLDERS = 6;
const HEADINGS = ['Notes', 'Summary', 'Open questions', 'Sources', 'Next steps', 'Background'];
const REPEATED_NAMES = ['Log', 'Ideas', 'Meeting notes', 'Reading', 'Open questions'];

/** Chooses names for the notes of a vault, and nested folders of about eighty notes each. */
export function planNotes(
  notes: number,
  words: Record<Script, readonly string[]>,
  random: Random,
): PlannedNote[] {
  const planned: PlannedNote[] = [];
  const folders: string[] = [];
  const taken = new Set<string>();
  while (planned.length < notes) {
    const folder = nextFolder(folders, words, random);
    folders.push(folder);
    const size = random.between(NOTES_PER_FOLDER / 2, (NOTES_PER_FOLDER * 3) / 2);
    for (let slot = 0; slot < size && planned.length < notes; slot += 1) {
      const index = planned.length;
      const script = scriptOf(index);
      const repeated = repeatedName(slot, folders.length);
      planned.push({
        folder,
        name: repeated ?? newName(words[script], script, taken, random),
        script,
        heading: HEADINGS[index % HEADINGS.length] ?? 'Notes',
        block: index % 4 === 0 ? `b${index.toString(36)}` : undefined,
        ambiguous: repeated !== undefined,
      });
    }
  }
  return planned;
}

/** The path of a planned note in the vault. */
export function pathOf(note: PlannedNote): string {
  return note.folder === '' ? `${note.name}.md` : `${note.folder}/${note.name}.md`;
}

// The first folder is the root. Below it, every folder has the same number of subfolders.
function nextFolder(
  folders: readonly string[],
  words: Record<Script, readonly string[]>,
  random: Random,
): string {
  const number = folders.length;
  if (number === 0) return '';
  const parent = folders[Math.floor((number - 1) / SUBFOLDERS)] ?? '';
  const name = `${capitalised(random.pick(words.latin))} ${number}`;
  return parent === '' ? name : `${parent}/${name}`;
}

function scriptOf(index: number): Script {
  if (index % 25 === 7) return 'han';
  return index % 25 === 13 ? 'cyrillic' : 'latin';
}

function repeatedName(slot: number, folderNumber: number): string | undefined {
  if (slot === 0) return 'Index';
  return slot === 20 ? REPEATED_NAMES[folderNumber % REPEATED_NAMES.length] : undefined;
}

function newName(
  words: readonly string[],
  script: Script,
  taken: Set<string>,
  random: Random,
): string {
  const separator = script === 'han' ? '' : ' ';
  let name = capitalised(random.pick(words)) + separator + random.pick(words);
  // A name has two words. If it is taken, further words are added, as happens in a growing vault.
  while (taken.has(name.toLowerCase())) name += separator + random.pick(words);
  taken.add(name.toLowerCase());
  return name;
}

/** The word with a capital first letter. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

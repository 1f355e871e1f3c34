import { createContext, type FunctionComponent } from 'preact';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { get } from '../page/api.ts';

type Note = ConsoleAnswer<'note'>;

/** Why an embedded note is not drawn. */
export type EmbedRefusal = 'itself' | 'deep' | 'many';

/**
 * What one page has embedded: each note is fetched once, and their number is bounded. Hostile notes may
 * embed each other thousands of times.
 */
export class EmbedBook {
  readonly #notes = new Map<string, Promise<Note>>();
  #embeds = 0;
  #elementsLeft: number = consoleNoteLimits.allEmbedElementsMax;
  #pictures = 0;

  /** Takes a place for an embedded note inside others, the outermost first, or says why it has none. */
  take(path: string, around: readonly string[]): EmbedRefusal | undefined {
    if (around.includes(path)) return 'itself';
    if (around.length > consoleNoteLimits.embedDepthMax) return 'deep';
    if (this.#embeds >= consoleNoteLimits.embedsMax) return 'many';
    this.#embeds++;
    return undefined;
  }

  /** Gives the place of an embedded note back. */
  leave(): void {
    this.#embeds--;
  }

  /** How many elements the next embedded note may have. */
  get elementsMax(): number {
    return Math.min(consoleNoteLimits.embedElementsMax, this.#elementsLeft);
  }

  /** Counts the elements of an embedded note. */
  drew(elements: number): void {
    this.#elementsLeft -= elements;
  }

  /** Takes a place for a picture; false when there is none. */
  takePicture(): boolean {
    if (this.#pictures >= consoleNoteLimits.picturesMax) return false;
    this.#pictures++;
    return true;
  }

  /** Gives the place of a picture back. */
  leavePicture(): void {
    this.#pictures--;
  }

  /** The note at a path, fetched when it is asked for first. */
  note(path: string): Promise<Note> {
    const found = this.#notes.get(path) ?? get<Note>('/note', { path });
    this.#notes.set(path, found);
    return found;
  }
}

/** A base to be shown: a file by itself or in a note, or a code block of a note. */
export interface BaseProps {
  /** The base, or the note in which the code block stands. */
  readonly path: string;
  /** The text of a code block. */
  readonly block?: string;
  /** The note that embeds the base. */
  readonly self?: string;
  /** The view that is wanted first. */
  readonly view?: string;
  /** The text of the base, to be shown below it. */
  readonly text?: string;
  /** Whether the base is what the page is about. */
  readonly isPage?: boolean;
  /** Whether it is an earlier version: only its text is shown, as its rows would be those of today. */
  readonly isOld?: boolean;
}

/** What is around an embedded note. */
interface Surroundings {
  /** What draws bases; it is loaded with the first one. */
  readonly Base: FunctionComponent<BaseProps>;
  readonly book: EmbedBook;
  /** The paths of the notes around it, the outermost first. */
  readonly around: readonly string[];
  readonly vault: string | undefined;
}

export const EmbedContext = createContext<Surroundings>({
  Base: () => null,
  book: new EmbedBook(),
  around: [],
  vault: undefined,
});

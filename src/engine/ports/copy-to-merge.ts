/** A file, a conflict copy of it, and the content that both have grown from, if that is known. */
export interface CopyToMerge {
  readonly original: Uint8Array;
  readonly copy: Uint8Array;
  readonly base?: Uint8Array;
  /** A side that may never have had some lines of the base: what it seems to have deleted is asked. */
  readonly doubts?: 'original' | 'copy';
}

/** Which lines to take where the original and the copy both changed something. */
export type CopySide = 'original' | 'copy' | 'both';

/** The sides that were chosen: by the numbers of the places, and for all others. */
export interface SidesChosen {
  readonly all?: CopySide;
  readonly each: ReadonlyMap<number, CopySide>;
}

/** A place where a side has to be chosen, with the lines of each; long ones are cut. */
export interface CopyChoice {
  /** Counted from 1. */
  readonly number: number;
  /** Where the lines of the original begin, from 1. */
  readonly line: number;
  readonly original: string;
  readonly copy: string;
}

export interface MergedCopy {
  /** The number of places where only the copy changed something: they are taken from it. */
  readonly fromCopy: number;
  /** The first of the places where a side has to be chosen, and how many there are. */
  readonly choices: readonly CopyChoice[];
  readonly total: number;
  /** Absent while a choice is open. */
  readonly text?: string;
}

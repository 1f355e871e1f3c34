import type { FactPart, FileFacts } from '../../ports/records.ts';
import type { DateValue } from './date-value.ts';
import type { ObjectValue } from './value.ts';

/**
 * What expressions know of the vault. Each function throws `MissingFacts` when the answer has not
 * been loaded; the caller then loads it and evaluates the expression again.
 */
export interface World {
  /** Read once for a query. */
  readonly nowMs: number;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** The type that the vault's settings give a property; undefined when they give none. */
  propertyType(name: string): string | undefined;
  /** `parseDate`; a date that many notes have is read once. */
  date(text: string): DateValue | undefined;
  /** Undefined when there is no such file. */
  file(path: string): FileFacts | undefined;
  /** One part of the facts of a file; empty when there is no such file. */
  part<Part extends FactPart>(path: string, part: Part): NonNullable<FileFacts[Part]>;
  /** The properties of a note as values (`noteProperties`), made once. */
  note(path: string): ObjectValue;
  /** The path of the file that a link with this path leads to from a file; null when there is none. */
  resolve(path: string, source: string): string | null;
}

/** Thrown when an expression needs facts that are not loaded yet. Never an error of the base. */
export class MissingFacts extends Error {
  /** The file and the part of its facts; without a part, the file itself. */
  readonly of: { readonly path: string; readonly part?: FactPart } | { readonly name: string };
  /** What else is missing, so that all of it is loaded at once. */
  readonly others: readonly MissingFacts[];

  constructor(of: MissingFacts['of'], others: readonly MissingFacts[] = []) {
    super('Facts are not loaded yet.');
    this.of = of;
    this.others = others;
  }
}

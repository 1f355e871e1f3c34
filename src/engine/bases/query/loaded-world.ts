import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { resolveLink } from '../../links/resolve-link.ts';
import type { FactPart, FileFacts } from '../../ports/records.ts';
import { type DateValue, parseDate } from '../values/date-value.ts';
import { noteProperties } from '../values/property-value.ts';
import type { ObjectValue } from '../values/value.ts';
import { MissingFacts, type World } from '../values/world.ts';

/** What a query knows besides the facts of files. */
interface WorldSettings {
  readonly nowMs: number;
  readonly random: () => number;
  /** The types that the vault's settings give properties, by name in lower case. */
  readonly propertyTypes: ReadonlyMap<string, string>;
}

/** The facts that were loaded for a query so far. */
export class LoadedWorld implements World {
  readonly nowMs: number;
  readonly random: () => number;
  readonly #types: ReadonlyMap<string, string>;
  readonly #files = new Map<string, FileFacts | undefined>();
  readonly #dates = new Map<string, DateValue>();
  readonly #notes = new Map<string, ObjectValue>();
  readonly #names = new Map<string, readonly { readonly path: string }[]>();

  constructor({ nowMs, random, propertyTypes }: WorldSettings) {
    this.nowMs = nowMs;
    this.random = random;
    this.#types = propertyTypes;
  }

  propertyType(name: string): string | undefined {
    return this.#types.get(name.toLowerCase());
  }

  date(text: string): DateValue | undefined {
    const known = this.#dates.get(text);
    if (known !== undefined) return known;
    const date = parseDate(text);
    if (date !== undefined && this.#dates.size < limits.baseDatesMax) this.#dates.set(text, date);
    return date;
  }

  file(path: string): FileFacts | undefined {
    const facts = this.#files.get(path);
    if (facts === undefined && !this.#files.has(path)) throw new MissingFacts({ path });
    return facts;
  }

  part<Part extends FactPart>(path: string, part: Part): NonNullable<FileFacts[Part]> {
    const found = (this.file(path) ?? noFile)[part];
    if (found === undefined) throw new MissingFacts({ path, part });
    return found;
  }

  note(path: string): ObjectValue {
    const known = this.#notes.get(path);
    if (known !== undefined) return known;
    const note = noteProperties(this, path);
    this.#notes.set(path, note);
    return note;
  }

  resolve(path: string, source: string): string | null {
    const found = resolveLink({ path, source }, (name) => {
      const files = this.#names.get(name);
      if (files === undefined) throw new MissingFacts({ name });
      return files;
    });
    return found?.path ?? null;
  }

  /** Adds facts to those that are known of a file. */
  put(facts: FileFacts): void {
    const known = this.#files.get(facts.path);
    this.#files.set(facts.path, known === undefined ? facts : { ...known, ...facts });
  }

  /** Notes that there is no such file. */
  putNone(path: string): void {
    if (!this.#files.has(path)) this.#files.set(path, undefined);
  }

  /** Notes which files have a folded name. */
  putNamed(name: string, files: readonly { readonly path: string }[]): void {
    this.#names.set(name, files);
  }

  /** Drops the facts of a file, which are loaded again if they are needed after all. */
  forget(path: string): void {
    this.#files.delete(path);
    this.#notes.delete(path);
  }
}

/** What is known of a file that does not exist. */
const noFile: FileFacts = {
  path: '' as VaultPath,
  size: 0,
  mtimeMs: 0,
  birthMs: 0,
  properties: [],
  tags: [],
  links: [],
  backlinks: [],
  tasks: 0,
  items: [],
};

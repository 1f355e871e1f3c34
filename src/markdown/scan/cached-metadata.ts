import { LineIndex, type TextPosition, type TextRange } from '../../base/text-range.ts';
import type { Link, NoteFacts, PropertyValue } from '../facts/facts.ts';

/** A place in a note as the app writes it. */
export interface CachedPosition {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

interface CachedLink {
  readonly link: string;
  readonly original: string;
  readonly displayText: string;
  readonly position: CachedPosition;
}

/** The facts of a note in the form of the app's `CachedMetadata`; empty fields are absent. */
export interface CachedMetadata {
  readonly headings?: readonly { heading: string; level: number; position: CachedPosition }[];
  readonly links?: readonly CachedLink[];
  readonly embeds?: readonly CachedLink[];
  /** Definitions of reference links. */
  readonly referenceLinks?: readonly (CachedLink & { id: string })[];
  readonly frontmatter?: Readonly<Record<string, PropertyValue>>;
  readonly frontmatterLinks?: readonly (Omit<CachedLink, 'position'> & { key: string })[];
  readonly frontmatterPosition?: CachedPosition;
  readonly tags?: readonly { tag: string; position: CachedPosition }[];
  readonly blocks?: Readonly<Record<string, { id: string; position: CachedPosition }>>;
  readonly listItems?: readonly {
    parent: number;
    position: CachedPosition;
    task?: string;
    id?: string;
  }[];
  readonly sections?: readonly { type: string; position: CachedPosition; id?: string }[];
  readonly footnotes?: readonly { id: string; position: CachedPosition }[];
  readonly footnoteRefs?: readonly { id: string; position: CachedPosition }[];
}

/** Turns facts into the app's `CachedMetadata`, with lines and columns from 0. */
export function toCachedMetadata(text: string, facts: NoteFacts): CachedMetadata {
  const index = new LineIndex(text);
  const at = ({ start, end }: TextRange): CachedPosition => ({
    start: index.positionAt(start),
    end: index.positionAt(end),
  });
  const original = (range: TextRange) => text.slice(range.start, range.end);
  const linkOf = ({ link, displayText, range }: Link): CachedLink => ({
    link,
    original: original(range),
    displayText,
    position: at(range),
  });
  const body = facts.links.filter((link) => link.form !== 'definition');
  const definitions = facts.links.filter((link) => link.form === 'definition');
  const identified = (entry: { id: string; range: TextRange }) => ({
    id: entry.id,
    position: at(entry.range),
  });
  return {
    ...filled({
      headings: facts.headings.map((heading) => ({
        heading: heading.text,
        level: heading.level,
        position: at(heading.range),
      })),
      links: body.filter((link) => !link.embed).map(linkOf),
      embeds: body.filter((link) => link.embed).map(linkOf),
      referenceLinks: definitions.map((link) => ({ id: link.displayText, ...linkOf(link) })),
      tags: facts.tags.map(({ tag, range }) => ({ tag, position: at(range) })),
      listItems: facts.listItems.map(({ parent, range, task, id }) => ({
        parent,
        position: at(range),
        ...(task !== undefined && { task }),
        ...(id !== undefined && { id }),
      })),
      sections: facts.blocks.map(({ type, range, id }) => ({
        type,
        position: at(range),
        ...(id !== undefined && { id }),
      })),
      footnotes: facts.footnotes.map(identified),
      footnoteRefs: facts.footnoteReferences.map(identified),
    }),
    ...(facts.blockIds.length > 0 && {
      blocks: Object.fromEntries(
        facts.blockIds.map((block) => [block.id.toLowerCase(), identified(block)]),
      ),
    }),
    ...frontmatterOf(facts, at),
  };
}

/** The part about the properties: nothing when the block is empty or invalid, as in the app. */
function frontmatterOf(
  facts: NoteFacts,
  at: (range: TextRange) => CachedPosition,
): Pick<CachedMetadata, 'frontmatter' | 'frontmatterLinks' | 'frontmatterPosition'> {
  const properties = facts.frontmatter?.properties;
  if (facts.frontmatter === undefined || properties === undefined) return {};
  const strings = new Map<string, string>();
  if (facts.propertyLinks.length > 0) {
    for (const { key, value } of properties) collectStrings(value, key, strings);
  }
  return {
    frontmatter: Object.fromEntries(properties.map(({ key, value }) => [key, value])),
    frontmatterLinks: facts.propertyLinks.map(({ key, link, displayText }) => ({
      key,
      link,
      // The app finds these links in the parsed values, so they have no quotes and escapes of YAML.
      original: strings.get(key)?.trim() ?? '',
      displayText,
    })),
    frontmatterPosition: at(facts.frontmatter.range),
  };
}

/** Collects every string of a value under its dotted key; of two with one key the first is kept. */
function collectStrings(value: PropertyValue, key: string, found: Map<string, string>): void {
  if (typeof value === 'string') {
    if (!found.has(key)) found.set(key, value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      collectStrings(inner, `${key}.${name}`, found);
    }
  }
}

/** The entries of an object whose arrays hold something. */
function filled<T extends Record<string, readonly unknown[]>>(arrays: T): Partial<T> {
  const entries = Object.entries(arrays).filter(([, array]) => array.length > 0);
  return Object.fromEntries(entries) as Partial<T>;
}

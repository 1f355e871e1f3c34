import type { TextRange } from '../../base/text-range.ts';

/** A property's value as Obsidian reads it (YAML 1.2 core). */
export type PropertyValue =
  | null
  | string
  | number
  | boolean
  | readonly PropertyValue[]
  | { readonly [key: string]: PropertyValue };

// The facts have the fields and rules of Obsidian's metadata cache; "the app" is Obsidian.

/** Something in the text that is wrong, but never a reason to refuse the note. */
export interface Problem {
  readonly code: 'invalid_properties' | 'invalid_canvas' | 'invalid_base' | 'too_deep';
  readonly message: string;
  readonly range: TextRange;
}

/** One property of a note. */
export interface Property {
  readonly key: string;
  readonly value: PropertyValue;
  /** Its lines, from the key to the end of the value, without the last line end. */
  readonly range: TextRange;
  readonly keyRange: TextRange;
  /** The value as written, quotes included; empty where nothing is written. */
  readonly valueRange: TextRange;
}

/** A string that a property holds, and where it is written (quotes included). */
export interface PropertyText {
  readonly text: string;
  readonly range: TextRange;
}

/** The block of properties at the start of a note. */
export interface Frontmatter {
  /** From the opening `---` to the end of the closing `---`, without its line end. */
  readonly range: TextRange;
  /** The YAML between the two lines, with its last line end. */
  readonly content: TextRange;
  /** In the order they are written; absent when the block is empty or invalid. */
  readonly properties?: readonly Property[];
}

export interface Heading {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** The text without its `#` characters; links and emphasis stay as they are written. */
  readonly text: string;
  readonly range: TextRange;
}

/** The kinds of block at the root of a note, i.e. not inside another; the app's "sections". */
export type BlockType =
  | 'yaml'
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'code'
  | 'html'
  | 'comment'
  | 'callout'
  | 'blockquote'
  | 'table'
  | 'thematicBreak'
  | 'definition'
  | 'footnoteDefinition'
  | 'math';

export interface Block {
  readonly type: BlockType;
  readonly range: TextRange;
  /** Its `^id`, as written without the caret. */
  readonly id?: string;
}

/** A `^id` and what it names: a root block or a list item. */
export interface BlockId {
  readonly id: string;
  /** What it names. */
  readonly range: TextRange;
  /** The id itself, without the caret. */
  readonly idRange: TextRange;
}

export interface ListItem {
  readonly range: TextRange;
  /**
   * The line of the item that contains this one, or, at the top of a list, the negative of the line
   * on which the list begins (-1 when that is line 0), as in the app.
   */
  readonly parent: number;
  /** The character between the brackets of a task; absent when the item is not a task. */
  readonly task?: string;
  /** The place of that character. */
  readonly taskRange?: TextRange;
  readonly id?: string;
}

type LinkForm = 'wikilink' | 'markdown' | 'definition' | 'canvas' | 'base';

/** A link from a note to a file of the vault, or to a place inside itself. */
export interface Link {
  readonly form: LinkForm;
  readonly embed: boolean;
  /** The target, decoded: path and subpath, e.g. `Folder/Note#Heading`. */
  readonly link: string;
  /** `link` up to the first `#`; empty for a link inside the same note. */
  readonly path: string;
  /** `link` from the first `#` on; empty when there is none. */
  readonly subpath: string;
  /** The alias or link text, or else what the app shows (with ` > ` for `#`). */
  readonly displayText: string;
  /** The whole link, from the first bracket (or `!`) to the last. */
  readonly range: TextRange;
  /** The path as written (encoded, without angle brackets): what a rename replaces. */
  readonly pathRange: TextRange;
  /** The alias or link text as written; absent where there is none. */
  readonly displayRange?: TextRange;
  /** For Markdown links: whether the destination stands in angle brackets. */
  readonly angled?: boolean;
  /** For file nodes of a canvas with a subpath: where it is written, inside its quotes. */
  readonly subpathRange?: TextRange;
  /** For links of a base: the quote of the string that they stand in; empty when it has none. */
  readonly quote?: string;
}

/** A link that is a property's value. `key` is the dotted path, e.g. `related.0`. */
export interface PropertyLink extends Link {
  readonly key: string;
}

export interface Tag {
  /** With its `#`, as written. */
  readonly tag: string;
  readonly range: TextRange;
}

/** A quote that begins with `[!type]`. */
export interface Callout {
  /** Lower-cased, e.g. `todo`. */
  readonly type: string;
  readonly title: string;
  /** `+` if it can be folded, `-` if it is folded at first; absent if neither is written. */
  readonly fold?: '+' | '-';
  readonly range: TextRange;
}

export interface FootnoteDefinition {
  readonly id: string;
  readonly range: TextRange;
}

export interface FootnoteReference {
  readonly id: string;
  readonly range: TextRange;
}

/** Everything known about the text of one note. All arrays are in order of their ranges. */
export interface NoteFacts {
  readonly frontmatter?: Frontmatter;
  readonly headings: readonly Heading[];
  readonly blocks: readonly Block[];
  readonly blockIds: readonly BlockId[];
  readonly listItems: readonly ListItem[];
  /** Links and embeds in the body, definitions of reference links included. */
  readonly links: readonly Link[];
  readonly propertyLinks: readonly PropertyLink[];
  /** Tags in the body. */
  readonly tags: readonly Tag[];
  /** Tags in the properties, each with a `#`; the range is the value as written. */
  readonly propertyTags: readonly Tag[];
  readonly aliases: readonly PropertyText[];
  readonly callouts: readonly Callout[];
  readonly footnotes: readonly FootnoteDefinition[];
  readonly footnoteReferences: readonly FootnoteReference[];
  /** Obsidian comments (`%% … %%`) and HTML comments. */
  readonly comments: readonly TextRange[];
  /** Code blocks and inline code. */
  readonly code: readonly TextRange[];
  readonly problems: readonly Problem[];
}

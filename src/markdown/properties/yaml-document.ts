import { type Document, type ErrorCode, type ParsedNode, parseDocument } from 'yaml';
import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';

export type YamlDocument = Document.Parsed<ParsedNode>;

/** Why a piece of YAML cannot be used. The message never quotes the note. */
export class YamlRefusal extends Error {
  readonly code: 'invalid' | 'too_deep';
  /** Relative to the YAML, not to the note. */
  readonly range: TextRange;

  constructor(code: 'invalid' | 'too_deep', message: string, range: TextRange) {
    super(message);
    this.code = code;
    this.range = range;
  }
}

/**
 * Parses YAML 1.2 with the core schema and keeps where everything is written. Throws `YamlRefusal`,
 * and nothing else, when it is not valid. Does not look for duplicate keys, because the library
 * compares every key with every other; `YamlValues` does.
 */
export function readYaml(source: string): YamlDocument {
  if (source.length > limits.yamlCharsMax) {
    const range = { start: 0, end: source.length };
    throw new YamlRefusal('invalid', 'The block is too large to be read.', range);
  }
  const document = composed(source);
  const error = document.errors[0];
  if (error !== undefined) {
    const start = Math.min(error.pos[0], source.length);
    const end = Math.min(Math.max(error.pos[1], start), source.length);
    throw new YamlRefusal('invalid', messageOf(error.code), { start, end });
  }
  return document;
}

function composed(source: string): YamlDocument {
  try {
    return parseDocument(source, {
      version: '1.2',
      schema: 'core',
      // Dates, sets and binaries of YAML 1.1 are not property values, so their tags are ignored.
      resolveKnownTags: false,
      uniqueKeys: false,
      keepSourceTokens: true,
      prettyErrors: false,
      // `silent` would also hide that there is a second document.
      logLevel: 'error',
    });
  } catch {
    // The library recurses, and throws on a few inputs instead of reporting an error.
    const range = { start: 0, end: source.length };
    throw new YamlRefusal('too_deep', 'The block is nested too deeply to be read.', range);
  }
}

const messages: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'An alias (`*name`) has no anchor.',
  BAD_INDENT: 'A line is not indented as its neighbours are.',
  BLOCK_AS_IMPLICIT_KEY: 'A value that contains ": " must be quoted.',
  MISSING_CHAR: 'A quote, a bracket, or the ":" after a name is missing.',
  MULTIPLE_DOCS: 'The block contains more than one YAML document.',
  TAB_AS_INDENT: 'A tab is used as indentation; YAML wants spaces.',
  BAD_SCALAR_START: 'A value that starts with "@" or "`" must be quoted.',
  UNEXPECTED_TOKEN: 'There is text where YAML expects none; a value may need quotes.',
};

function messageOf(code: ErrorCode): string {
  return messages[code] ?? 'The block is not valid YAML.';
}

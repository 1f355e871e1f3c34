import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  Lexer,
  type ParsedNode,
  Parser,
} from 'yaml';
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
export function readYaml(source: string, nestingMax: number = limits.nestingMax): YamlDocument {
  if (source.length > limits.yamlCharsMax) {
    const range = { start: 0, end: source.length };
    throw new YamlRefusal('invalid', 'The block is too large to be read.', range);
  }
  const [document, second] = documentsOf(source, nestingMax);
  const error = document.errors[0];
  if (error !== undefined) throw invalid(source, error.code, error.pos);
  if (second !== undefined) throw invalid(source, 'MULTIPLE_DOCS', second.range);
  return document;
}

function invalid(
  source: string,
  code: ErrorCode,
  [from, to]: readonly [from: number, to: number, ...unknown[]],
): YamlRefusal {
  const start = Math.min(from, source.length);
  const end = Math.min(Math.max(to, start), source.length);
  return new YamlRefusal('invalid', messages[code] ?? 'The block is not valid YAML.', {
    start,
    end,
  });
}

/** The first document, and the second if there is one. */
function documentsOf(source: string, nestingMax: number): [YamlDocument, YamlDocument?] {
  const composer = new Composer<ParsedNode>({
    version: '1.2',
    schema: 'core',
    // Dates, sets and binaries of YAML 1.1 are not property values, so their tags are ignored.
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: true,
    prettyErrors: false,
    logLevel: 'error',
  });
  try {
    const [first, second] = composer.compose(tokensOf(source, nestingMax), true, source.length);
    if (first !== undefined) return second === undefined ? [first] : [first, second];
  } catch {
    // Too deep, or one of the few inputs on which the library throws instead of reporting an error.
  }
  const range = { start: 0, end: source.length };
  throw new YamlRefusal('too_deep', 'The block is nested too deeply to be read.', range);
}

/**
 * The tokens of a piece of YAML. Throws when it nests too deep. The library does not recurse to find
 * tokens, but to make nodes of them, and where the stack ends while V8 compiles a regular
 * expression, the process ends instead of an error being thrown.
 */
function* tokensOf(source: string, nestingMax: number): Generator<CST.Token> {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(source)) {
    yield* parser.next(lexeme);
    // Around the collections that nest there is the document, and inside them a scalar.
    if (parser.stack.length > nestingMax + 3) throw new Error('too deep');
  }
  yield* parser.end();
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

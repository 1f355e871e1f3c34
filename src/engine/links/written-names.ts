import { foldName } from '../../base/vault-path.ts';

/** A file's bytes as one character each (Latin-1), and its text, which is decoded only if needed. */
interface WrittenFile {
  readonly bytes: string;
  readonly text: () => string;
}

/** With more names, the words of a file are looked up in a set instead of testing each name. */
const namesTested = 24;

/**
 * Returns a test whether a file may have a link whose last name (`linkSegment`) is one of these. It
 * never misses one, however the link is written: as a wikilink, a Markdown link with percent-encoding,
 * escapes or character references, in YAML or in JSON. It says yes for some files that have no such
 * link, because it does not parse them. Its cost is linear in the text.
 */
export function writtenNames(segments: readonly string[]): (file: WrittenFile) => boolean {
  // A link names a note with or without ".md", so the shorter name is part of both.
  const names = Array.from(new Set(segments.map((name) => name.replace(/\.md$/, ''))));
  if (names.length === 0) return () => false;
  // In the text, such a mark may become one character with what stands before the name.
  if (names.some((name) => /^\p{M}/u.test(name))) return () => true;
  return names.length > namesTested ? wordsTest(names) : patternTest(names);
}

function patternTest(names: readonly string[]): (file: WrittenFile) => boolean {
  const plain = names.filter(isAscii);
  const others = names.filter((name) => !isAscii(name));
  const inBytes = plain.length === 0 ? undefined : anyOf(plain.map(boundedPattern));
  const plainInText = plain.length === 0 ? undefined : anyOf(plain.map(loosePattern));
  const inText = others.length === 0 ? undefined : anyOf(others.map(loosePattern));
  return (file) => {
    if (inBytes?.test(file.bytes)) return true;
    const mayBeEncoded = isEncoded(file.bytes);
    if (inText === undefined && !mayBeEncoded) return false;
    const text = file.text();
    if (inText?.test(foldName(text))) return true;
    if (!mayBeEncoded) return false;
    const decoded = decodeAll(text);
    // A name of ASCII characters needs no folding: the patterns ignore case.
    return plainInText?.test(decoded) === true || inText?.test(foldName(decoded)) === true;
  };
}

/** The same for many names: each file has the longest word of a name, or has no link to it. */
function wordsTest(names: readonly string[]): (file: WrittenFile) => boolean {
  const words = new Set<string>();
  for (const name of names) {
    const longest = (name.match(word) ?? []).reduce((a, b) => (b.length > a.length ? b : a), '');
    // Every file may have a link to a name without letters and digits.
    if (longest === '') return () => true;
    words.add(longest);
  }
  const hasOne = (text: string): boolean => {
    for (const [found] of text.matchAll(word)) if (words.has(found)) return true;
    return false;
  };
  return (file) => {
    const text = file.text();
    if (hasOne(foldName(text))) return true;
    // An escape such as "\t" before a word is one word with it, so the words are looked for inside.
    return isEncoded(file.bytes) && hasOne(foldName(decodeAll(text, ' ')));
  };
}

/** Letters, digits and marks, as few names have anything else in the middle of a word. */
const word = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * What may stand for other characters: a backslash, a percent code, a character reference, and the
 * three characters that Unicode holds equal to an ASCII one ("K", ";" and "`").
 */
function isEncoded(bytes: string): boolean {
  // Single texts are found three times as fast as by one regular expression.
  if (encodedAs.some((each) => bytes.includes(each))) return true;
  if (bytes.includes('%') && /%[0-9a-f]{2}/i.test(bytes)) return true;
  return bytes.includes('&') && /&[#a-z]/i.test(bytes);
}

const encodedAs = ['\\', '\xe2\x84\xaa', '\xcd\xbe', '\xe1\xbf\xaf'];

/** A name of ASCII characters in bytes; no letter or digit stands directly before or after it. */
function boundedPattern(name: string): string {
  const before = /^[a-z0-9]/.test(name) ? '(?<![a-z0-9])' : '';
  const after = /[a-z0-9]$/.test(name) ? '(?![a-z0-9])' : '';
  return `${before}${loosePattern(name)}${after}`;
}

/**
 * A folded name in text. White space may be of another kind, because YAML makes a space of a line end,
 * and because a no-break space counts as a space ("\_" in YAML; two bytes in UTF-8). YAML doubles "'".
 */
function loosePattern(name: string): string {
  return name
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replace(/'+/g, "'+")
    .replace(/\s+/g, '[\\s_\\xc2]+');
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i');
}

/**
 * The text with everything replaced that can stand for another character, in the order in which formats
 * are nested: JSON or YAML outside, then Markdown. What is left after each step is in the result, one
 * after the other, because a format may end there. `letter` is put in place of escapes with a letter,
 * such as "\t"; without it, the letter stays.
 */
function decodeAll(text: string, letter?: string): string {
  const steps = [text];
  const step = (sign: string, decode: (last: string) => string): void => {
    const last = steps.at(-1) ?? '';
    if (last.includes(sign)) steps.push(decode(last));
  };
  step('\\', (last) => withoutEscapes(last, letter));
  step('&', withoutReferences);
  step('%', (last) =>
    last.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
      try {
        return decodeURIComponent(codes);
      } catch {
        return codes;
      }
    }),
  );
  if (steps.length > 1) steps.shift(); // The text itself has been searched.
  return steps.join('\n').replace(/[\u212a\u037e\u1fef]/g, (sign) => sign.normalize('NFC'));
}

function withoutEscapes(text: string, letter: string | undefined): string {
  const plain = text
    .replace(
      /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\x([0-9a-fA-F]{2})/g,
      (all, four?: string, eight?: string, two?: string) =>
        characterOf(Number.parseInt(four ?? eight ?? two ?? '', 16)) ?? all,
    )
    .replace(/\\\r?\n[ \t]*/g, '');
  return (letter === undefined ? plain : plain.replace(/\\[a-z]/gi, letter)).replaceAll('\\', '');
}

function withoutReferences(text: string): string {
  return text
    .replace(
      /&#(\d{1,7});|&#x([0-9a-f]{1,6});/gi,
      (all, decimal?: string, hex?: string) =>
        characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ??
        all,
    )
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => references[name] ?? '');
}

function characterOf(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const references: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
  return /^[\x00-\x7f]*$/.test(text);
}

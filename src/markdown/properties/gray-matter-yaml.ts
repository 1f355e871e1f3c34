import type { PropertyValue } from '../facts/facts.ts';
import { isList, isMapValue } from './property-equal.ts';
import { plainValue } from './yaml-plain.ts';

// Follows the writer of js-yaml 3, which gray-matter uses, byte for byte. docs/server.md lists where
// and why the bytes differ; each such place below says "unlike gray-matter".

/**
 * Writes properties as gray-matter does, with a last line end, so that readers of YAML 1.1
 * (gray-matter, most programs) and of YAML 1.2 (Obsidian) read the same data.
 */
export function grayMatterYaml(properties: ReadonlyMap<string, PropertyValue>): string {
  const out: string[] = [];
  writeMap(properties, 0, out);
  return `${out.join('')}\n`;
}

type Entries = Iterable<readonly [key: string, value: PropertyValue]>;

/** Adds the lines of a map; the first one is not indented. */
function writeMap(entries: Entries, level: number, out: string[]): void {
  let start = '';
  for (const [key, value] of entries) {
    const name = nameYaml(key);
    // A reader looks for the colon only so far.
    const isLong = name.length > 1024;
    out.push(start, isLong ? `? ${name}${newLine(level)}:` : `${name}:`);
    writeValue(value, { level: level + 1, isCompact: isLong }, out);
    start = newLine(level);
  }
}

/** Adds what stands after a colon or a dash; `isCompact` puts the first line of a block right there. */
function writeValue(
  value: PropertyValue,
  { level, isCompact }: { readonly level: number; readonly isCompact: boolean },
  out: string[],
): void {
  const first = isCompact ? ' ' : newLine(level);
  if (isList(value)) {
    if (value.length === 0) out.push(' []');
    for (const [index, item] of value.entries()) {
      out.push(index === 0 ? first : newLine(level), '-');
      writeValue(item, { level: level + 1, isCompact: true }, out);
    }
  } else if (isMapValue(value)) {
    const entries = Object.entries(value);
    out.push(entries.length === 0 ? ' {}' : first);
    writeMap(entries, level, out);
  } else if (typeof value === 'number') {
    out.push(` ${numberYaml(value)}`);
  } else {
    out.push(` ${typeof value === 'string' ? stringYaml(value, level) : String(value)}`);
  }
}

function newLine(level: number): string {
  return `\n${'  '.repeat(level)}`;
}

function numberYaml(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf';
  if (Object.is(value, -0)) return '-0.0';
  return String(value).replace(/^(-?\d+)e-/, '$1.e-');
}

function nameYaml(name: string): string {
  return name.includes('\n') || unprintable.test(name) ? doubleQuoted(name) : lineYaml(name);
}

function stringYaml(text: string, level: number): string {
  // Unlike gray-matter: it loses the last of several line ends, Obsidian the spaces of a last line.
  const endsBlank = /(?:^|\n) *\n$|\n +$/.test(text);
  if (endsBlank || unprintable.test(text)) return doubleQuoted(text);
  const width = Math.max(40, 80 - 2 * level);
  const lines = text.split('\n');
  const isFolded = lines.some((line) => line.length > width && !line.startsWith(' '));
  if (lines.length === 1 && !isFolded) return lineYaml(text);
  return blockYaml(lines, { level, width: isFolded ? width : undefined });
}

/** A string of one line, in quotes where it needs them. */
function lineYaml(text: string): string {
  const isPlain = plain.test(text) && !otherType.test(text) && plainValue(text) === text;
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Several lines as they are, or folded to a width. */
function blockYaml(
  lines: readonly string[],
  { level, width }: { level: number; width: number | undefined },
): string {
  const isEnded = lines.at(-1) === '';
  const firstFilled = lines.find((line) => line !== '');
  const header = `${firstFilled?.startsWith(' ') ? '2' : ''}${isEnded ? '' : '-'}`;
  const written = width === undefined ? lines : foldedLines(lines, width);
  const indent = '  '.repeat(level);
  const block = (isEnded ? written.slice(0, -1) : written).map((line) =>
    line === '' ? '\n' : `\n${indent}${line}`,
  );
  return `${width === undefined ? '|' : '>'}${header}${block.join('')}`;
}

/**
 * Lines of a folded string: a line end between two lines of text is written as two, because a
 * single one is read as a space. Lines that begin with a space are kept by readers as they are.
 */
function foldedLines(lines: readonly string[], width: number): string[] {
  const folded: string[] = [];
  let isKept = lines[0] === '' || lines[0]?.startsWith(' ') === true;
  for (const [index, line] of lines.entries()) {
    if (index > 0 && line !== '') {
      const startsKept = line.startsWith(' ');
      if (!isKept && !startsKept) folded.push('');
      isKept = startsKept;
    }
    folded.push(...foldLine(line, width));
  }
  return folded;
}

/** Cuts a line at single spaces, each part as long as the width allows. */
function foldLine(line: string, width: number): string[] {
  if (line.startsWith(' ')) return [line];
  const parts: string[] = [];
  let start = 0;
  let space = 0;
  for (const { index } of line.matchAll(/ (?! |$)/g)) {
    if (index - start > width) {
      const end = space > start ? space : index;
      parts.push(line.slice(start, end));
      start = end + 1;
    }
    space = index;
  }
  if (line.length - start > width && space > start) {
    parts.push(line.slice(start, space));
    start = space + 1;
  }
  parts.push(line.slice(start));
  return parts;
}

function doubleQuoted(text: string): string {
  const escaped = text.replace(escapes, (character) => {
    const letter = letters[short.indexOf(character)];
    if (letter !== undefined) return `\\${letter}`;
    const hex = character.charCodeAt(0).toString(16).toUpperCase();
    return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

// Unlike gray-matter, emoji and other characters beyond 16 bits count as printable, so that a search
// for them finds them.
const unprintable =
  /[^\n\x20-\x7e\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
const escapes = new RegExp(`["\\\\\\n]|${unprintable.source}`, 'gu');

// Characters with an escape of one letter, and these letters.
const short = '\0\x07\b\t\n\v\f\r\x1b"\\\x85\xa0\u2028\u2029';
const letters = '0abtnvfre"\\N_LP';

/** Text that needs no quotes unless it looks like a number, a date or the like. */
const plain = /^(?![-?:,[\]{}#&*!|=>'"%@` ])(?!.*(?:[,[\]{}:]| #)).*[^ ]$/su;

/** What YAML 1.1 takes for something else than text; `plainValue` knows what 1.2 does. */
const otherType = new RegExp(
  `^(?!.*_$)(?:${[
    '[yY]|[nN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|<<',
    String.raw`\d{4}-\d\d-\d\d`,
    String.raw`\+?(?:0b[01_]+|0x[\da-fA-F_]+|0[0-7_]+)`,
    String.raw`\+?(?:0|[1-9][\d_]*)(?:\.[\d_]*)?(?:[eE][-+]?\d+)?`,
    String.raw`\.[\d_]+(?:[eE][-+]?\d+)?`,
  ].join('|')})$`,
);

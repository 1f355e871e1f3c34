import type { Pair } from 'yaml';
import { pairStart } from './yaml-nodes.ts';

/** The blanks before a property's name. */
export function indentOf(source: string, pair: Pair): string {
  const start = pairStart(pair, source);
  return source.slice(lineStart(source, start), start);
}

/** Indents lines like the other properties of the block, and gives them its line ends. */
export function indented(text: string, indent: string, eol: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${indent}`).replaceAll('\n', eol);
}

/** Where the line that holds an offset begins. */
export function lineStart(source: string, offset: number): number {
  return offset === 0 ? 0 : source.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line that holds an offset ends, before its line end. */
export function lineEnd(source: string, offset: number): number {
  const newline = source.indexOf('\n', offset);
  if (newline === -1) return source.length;
  return newline > offset && source.charAt(newline - 1) === '\r' ? newline - 1 : newline;
}

/** Where the line after the one that holds an offset begins. */
export function nextLine(source: string, offset: number): number {
  const newline = source.indexOf('\n', offset);
  return newline === -1 ? source.length : newline + 1;
}

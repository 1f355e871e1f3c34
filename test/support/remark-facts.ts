import remarkParse, { type Eat, type Parser, type Tokenizer } from 'remark-parse';
import unified from 'unified';
import type { Node } from 'unist';
import { scanNote } from '../../src/markdown/scan/scan-note.ts';

/** What both parsers can say about a text, as lines that a failing test can show. */
export interface ComparedFacts {
  readonly blocks: readonly string[];
  readonly headings: readonly string[];
  readonly listItems: readonly string[];
  readonly links: readonly string[];
  readonly code: readonly string[];
  readonly tags: readonly string[];
}

/** What our scanner finds. */
export function scannedFacts(text: string): ComparedFacts {
  const facts = scanNote(text);
  const at = ({ range }: { range: { start: number; end: number } }) =>
    `${range.start}-${range.end}`;
  const inBody = facts.links.filter((link) => link.form !== 'definition');
  return {
    blocks: facts.blocks.map((block) => `${block.type} ${at(block)}`),
    headings: facts.headings.map((heading) => `${heading.level} ${at(heading)}`),
    listItems: facts.listItems.map(at),
    links: inBody.map((link) => `${link.form} ${at(link)}`),
    code: facts.code.map((range) => at({ range })),
    tags: facts.tags.map((tag) => `${tag.tag} ${at(tag)}`),
  };
}

interface MarkdownNode extends Node {
  readonly children?: readonly MarkdownNode[];
  readonly depth?: number;
  readonly url?: string;
  readonly value?: string;
}

const parser = unified().use(remarkParse, { gfm: true, commonmark: true }).use(addTagsAndWikilinks);

/**
 * What remark-parse 8 finds, the parser of which the app's is a child: with the two options that
 * the app sets, and with tags and wikilinks added the way its plugins add tokens.
 */
export function remarkFacts(text: string): ComparedFacts {
  const root = parser.parse(text) as MarkdownNode;
  const found = { blocks: [], headings: [], listItems: [], links: [], code: [], tags: [] };
  const facts: { [K in keyof ComparedFacts]: string[] } = found;
  for (const node of root.children ?? []) {
    facts.blocks.push(`${node.type} ${at(node)}`);
    if (node.type === 'heading') facts.headings.push(`${node.depth} ${at(node)}`);
  }
  const visit = (node: MarkdownNode): void => {
    if (node.type === 'listItem') facts.listItems.push(itemAt(node));
    if (node.type === 'code' || node.type === 'inlineCode') facts.code.push(at(node));
    if (node.type === 'tag') facts.tags.push(`${node.value} ${at(node)}`);
    if (node.type === 'wikilink') facts.links.push(`wikilink ${at(node)}`);
    if (isMarkdownLink(node, text)) facts.links.push(`markdown ${at(node)}`);
    for (const child of node.children ?? []) visit(child);
  };
  visit(root);
  return facts;
}

const startOf = (node: MarkdownNode): number => node.position?.start.offset ?? -1;
const endOf = (node: MarkdownNode): number => node.position?.end.offset ?? -1;
const at = (node: MarkdownNode): string => `${startOf(node)}-${endOf(node)}`;

/** The app ends an item where the block before its first nested list ends. */
function itemAt(node: MarkdownNode): string {
  const list = node.children?.findIndex((child) => child.type === 'list') ?? -1;
  const before = node.children?.[list - 1];
  return `${startOf(node)}-${endOf(before ?? node)}`;
}

/** Whether a node is a link or image written with brackets that leads to a file. */
function isMarkdownLink(node: MarkdownNode, text: string): boolean {
  if (node.type !== 'link' && node.type !== 'image') return false;
  if (!/^!?\[/.test(text.slice(startOf(node), endOf(node)))) return false;
  const url = node.url ?? '';
  return url.trim() !== '' && !/^(?:[a-z][a-z0-9+.-]+:|\/\/)/i.test(url);
}

function addTagsAndWikilinks(this: { Parser?: unknown }): void {
  const { prototype } = this.Parser as { prototype: Parser };
  prototype.inlineTokenizers['tag'] = token(
    /^#[^\s\u2000-\u206f\u2e00-\u2e7f'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\]+/,
    (value, from) => {
      const found = value.slice(from - 1).search(/\s#/);
      return found === -1 ? -1 : found + from;
    },
    (value) => (/^#\d+$/.test(value) ? undefined : { type: 'tag', value }),
  );
  prototype.inlineTokenizers['wikilink'] = token(
    /^!?\[\[(?!\[)(?!\s*\]\])(?:(?!\[\[|\]\])[^\n])+\]\]/,
    (value, from) => {
      const found = value.slice(from).search(/!?\[\[/);
      return found === -1 ? -1 : found + from;
    },
    (value) => ({ type: 'wikilink', value }),
  );
  prototype.inlineMethods.unshift('wikilink');
  prototype.inlineMethods.splice(prototype.inlineMethods.indexOf('text'), 0, 'tag');
}

function token(
  pattern: RegExp,
  locator: (value: string, from: number) => number,
  nodeOf: (value: string) => Node | undefined,
): Tokenizer {
  const tokenize = (eat: Eat, value: string) => {
    const found = pattern.exec(value)?.[0];
    const node = found === undefined ? undefined : nodeOf(found);
    return found === undefined || node === undefined ? undefined : eat(found)(node);
  };
  return Object.assign(tokenize, { locator }) as Tokenizer;
}

/**
 * The text with what only the app knows made harmless, character for character: comments, math,
 * highlights, footnotes, callouts, tasks with other characters, and properties.
 */
export function withoutExtensions(text: string): string {
  return text
    .replace(/^(\ufeff?)---/, '$1aaa')
    .replace(/%(?=%)/g, 'p')
    .replace(/\$/g, 's')
    .replace(/=(?==[^=\s])/g, 'e')
    .replace(/\^(?=\[)/g, 'x')
    .replace(/\[(?=[\^!])/g, 'x')
    .replace(/\[[^ xX\t\n](?=\][ \t])/g, '[x')
    .replace(/\[(?=.\](?:[\r\n]|$))/g, '(');
}

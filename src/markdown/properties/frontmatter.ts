import type { Frontmatter, Problem, PropertyLink, PropertyText, Tag } from '../facts/facts.ts';
import { type FrontmatterBlock, findFrontmatter } from './frontmatter-block.ts';
import { propertyLinksOf } from './property-links.ts';
import type { PropertyBlock } from './property-strings.ts';
import { aliasesOf, propertyTagsOf } from './property-strings.ts';
import { parseYamlBlock } from './yaml-block.ts';
import { YamlRefusal } from './yaml-document.ts';
import { parseYamlFast } from './yaml-fast.ts';

/** Everything known about the block of properties at the start of a note. */
interface FrontmatterFacts {
  readonly frontmatter: Frontmatter;
  readonly propertyLinks: readonly PropertyLink[];
  readonly propertyTags: readonly Tag[];
  readonly aliases: readonly PropertyText[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the properties of a note; undefined when it has no block of properties. Never throws: a
 * block that is not valid YAML has one problem and no properties, as in the app.
 */
export function parseFrontmatter(text: string): FrontmatterFacts | undefined {
  const found = findFrontmatter(text);
  if (found === undefined) return undefined;
  const { range, content } = found;
  const block = readBlock(text, found);
  if (block === undefined || 'problem' in block) {
    return {
      frontmatter: { range, content },
      propertyLinks: [],
      propertyTags: [],
      aliases: [],
      problems: block === undefined ? [] : [block.problem],
    };
  }
  return {
    frontmatter: { range, content, properties: block.properties },
    propertyLinks: propertyLinksOf(text, block),
    propertyTags: propertyTagsOf(block),
    aliases: aliasesOf(block),
    problems: [],
  };
}

/** Reads a block, the fast way where its YAML is simple; undefined when it has no properties. */
function readBlock(
  text: string,
  { content }: FrontmatterBlock,
): PropertyBlock | { problem: Problem } | undefined {
  try {
    return parseYamlFast(text, content) ?? parseYamlBlock(text, content);
  } catch (error) {
    if (!(error instanceof YamlRefusal)) throw error;
    const range = {
      start: error.range.start + content.start,
      end: error.range.end + content.start,
    };
    const code = error.code === 'too_deep' ? 'too_deep' : 'invalid_properties';
    return { problem: { code, message: error.message, range } };
  }
}

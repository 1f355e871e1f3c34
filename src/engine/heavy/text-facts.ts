import type { TextRange } from '../../base/text-range.ts';
import { LineIndex } from '../../base/text-range.ts';
import type { NoteFacts } from '../../markdown/facts/facts.ts';
import type { CachedPosition } from '../../markdown/scan/cached-metadata.ts';
import { toCachedMetadata } from '../../markdown/scan/cached-metadata.ts';
import { sectionsOf } from '../../markdown/scan/sections.ts';
import { linksOf } from '../links/link-style.ts';
import type { TextFacts } from '../ports/note-work.ts';
import type { FileKind } from '../ports/records.ts';
import { factsOf } from '../text/scan-file.ts';

/** Finds everything that is known about the text of a file, with exact positions. */
export function textFacts(text: string, kind: FileKind): TextFacts {
  const facts = factsOf(kind, text);
  return {
    facts: toCachedMetadata(text, facts),
    allTags: [...facts.propertyTags, ...facts.tags].map(({ tag }) => tag),
    propertyTags: hasTagsProperty(facts) ? facts.propertyTags.map(({ tag }) => tag) : null,
    links: new Map(linksOf(facts).map(({ link, path }) => [link, path])),
    more: moreOf(text, facts),
  };
}

function hasTagsProperty(facts: NoteFacts): boolean {
  const tags = facts.frontmatter?.properties?.find(({ key }) => key.toLowerCase() === 'tags');
  return tags !== undefined && tags.value !== null;
}

function moreOf(text: string, facts: NoteFacts): TextFacts['more'] {
  const lines = new LineIndex(text);
  const at = ({ start, end }: TextRange): { position: CachedPosition } => ({
    position: { start: lines.positionAt(start), end: lines.positionAt(end) },
  });
  return {
    aliases: facts.aliases.map(({ text: alias, range }) => ({ alias, ...at(range) })),
    properties: (facts.frontmatter?.properties ?? []).map(({ key, range }) => ({
      key,
      ...at(range),
    })),
    propertyTags: facts.propertyTags.map(({ tag, range }) => ({ tag, ...at(range) })),
    propertyLinks: facts.propertyLinks.map(({ key, link, range }) => ({ key, link, ...at(range) })),
    headingSections: sectionsOf(text, facts).map(({ path, range }) => ({ path, ...at(range) })),
    callouts: facts.callouts.map(({ range, ...callout }) => ({ ...callout, ...at(range) })),
    comments: facts.comments.map(at),
    code: facts.code.map(at),
    problems: facts.problems.map(({ range, ...problem }) => ({ ...problem, ...at(range) })),
  };
}

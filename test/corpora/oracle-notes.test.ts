import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NoteFacts } from '../../src/markdown/facts/facts.ts';
import { toCachedMetadata } from '../../src/markdown/scan/cached-metadata.ts';
import { scanNote } from '../../src/markdown/scan/scan-note.ts';
import { sharedFolder } from '../support/unpack-vaults.ts';

// Notes as the running app has them in its cache: text, metadata with positions, and tags.

interface Dump {
  readonly fileContents: string;
  readonly cachedMetadata: Readonly<Record<string, unknown>>;
  readonly getAllTags: readonly string[];
  readonly parseFrontMatterTags: readonly string[] | null;
}

const folder = join(sharedFolder(), 'obsidian', 'oracle');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const dumpOf = (name: string): Dump => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Dump;

/** `parseFrontMatterTags` of the app: null when there is no property `tags` with a value. */
function frontmatterTags(facts: NoteFacts): readonly string[] | null {
  const tags = facts.frontmatter?.properties?.find(({ key }) => key.toLowerCase() === 'tags');
  if (tags === undefined || tags.value === null) return null;
  return facts.propertyTags.map(({ tag }) => tag);
}

describe("our facts equal the app's cache", () => {
  it('for no fewer notes than were dumped', () => {
    expect(names.length).toBeGreaterThanOrEqual(59);
  });

  it.each(names)('%s', (name) => {
    const { fileContents, cachedMetadata, getAllTags, parseFrontMatterTags } = dumpOf(name);
    const facts = scanNote(fileContents);
    expect(toCachedMetadata(fileContents, facts)).toEqual(cachedMetadata);
    const tags = [...facts.propertyTags, ...facts.tags].map(({ tag }) => tag);
    expect(tags).toEqual(getAllTags);
    expect(frontmatterTags(facts)).toEqual(parseFrontMatterTags);
  });
});

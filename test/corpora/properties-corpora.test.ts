import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../src/markdown/properties/frontmatter.ts';
import { findFrontmatter } from '../../src/markdown/properties/frontmatter-block.ts';
import { removeProperty, setProperty } from '../../src/markdown/properties/set-property.ts';
import { parseYamlBlock } from '../../src/markdown/properties/yaml-block.ts';
import { parseYamlFast } from '../../src/markdown/properties/yaml-fast.ts';
import { scanBase } from '../../src/markdown/scan/base-file.ts';
import { scanCanvas } from '../../src/markdown/scan/canvas.ts';
import { applyEdits } from '../../src/markdown/text/text-edit.ts';

const shared = resolve(process.env['VAULTDOOR_SHARED'] ?? '../shared');
const vaults = readdirSync(join(shared, 'vaults'))
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.slice(0, -'.tar.gz'.length));

let folder = '';
const files = new Map<string, string>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultdoor-properties-'));
  for (const vault of vaults) {
    const archive = join(shared, 'vaults', `${vault}.tar.gz`);
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.(md|canvas|base)$/.test(path)) {
      files.set(path, readFileSync(path, 'utf8'));
    }
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function* textsOf(extension: string): Generator<[path: string, text: string]> {
  for (const [path, text] of files) if (path.endsWith(extension)) yield [path, text];
}

describe('properties of real notes', () => {
  it('are read by the fast path exactly as by the whole parser', () => {
    let blocks = 0;
    let fast = 0;
    let invalid = 0;
    for (const [path, text] of textsOf('.md')) {
      const block = findFrontmatter(text);
      if (block === undefined) continue;
      blocks++;
      if ((parseFrontmatter(text)?.problems.length ?? 0) > 0) invalid++;
      const quick = parseYamlFast(text, block.content);
      if (quick === undefined) continue;
      fast++;
      expect(quick, path).toStrictEqual(parseYamlBlock(text, block.content));
    }
    const share = ((100 * fast) / blocks).toFixed(1);
    console.log(`fast path: ${fast} of ${blocks} blocks (${share} %); ${invalid} invalid`);
    expect(fast / blocks).toBeGreaterThan(0.8);
  });

  it('are left as they were by a property that comes and goes', () => {
    let edited = 0;
    for (const [path, text] of textsOf('.md')) {
      const facts = parseFrontmatter(text);
      if (facts === undefined) continue;
      if (facts.problems.length > 0) {
        expect(() => setProperty(text, 'vaultdoor-test', 'x'), path).toThrow();
        continue;
      }
      for (const value of ['x', ['[[A]]', 'b']]) {
        const added = applyEdits(text, setProperty(text, 'vaultdoor-test', value));
        const restored = applyEdits(added, removeProperty(added, 'vaultdoor-test'));
        // The one exception: with its only property, an empty block goes too.
        if (facts.frontmatter.properties !== undefined) expect(restored === text, path).toBe(true);
        edited++;
      }
    }
    expect(edited).toBeGreaterThan(1000);
  });

  it('keep every other line when one of them changes', () => {
    for (const [path, text] of textsOf('.md')) {
      const properties = parseFrontmatter(text)?.frontmatter.properties ?? [];
      const property = properties[Math.floor(properties.length / 2)];
      if (property === undefined) continue;
      const value = Array.isArray(property.value) ? [...property.value, 'vaultdoor'] : 'vaultdoor';
      const after = applyEdits(text, setProperty(text, property.key, value));
      expect(after.startsWith(text.slice(0, property.range.start)), path).toBe(true);
      expect(after.endsWith(text.slice(property.range.end)), path).toBe(true);
    }
  });
});

describe('canvases and bases of real vaults', () => {
  it('are valid, and every range cuts the path out of the source', () => {
    let links = 0;
    for (const [path, text] of textsOf('.canvas')) {
      const facts = scanCanvas(text);
      expect(facts.problems, path).toEqual([]);
      for (const { form, path: target, pathRange } of facts.links) {
        const written = JSON.parse(`"${text.slice(pathRange.start, pathRange.end)}"`) as string;
        if (form !== 'markdown') expect(written, path).toBe(target);
        links++;
      }
    }
    for (const [path, text] of textsOf('.base')) {
      const facts = scanBase(text);
      expect(facts.problems, path).toEqual([]);
      for (const { path: target, pathRange } of facts.links) {
        expect(text.slice(pathRange.start, pathRange.end), path).toBe(target);
        links++;
      }
    }
    console.log(`${links} links in canvases and bases`);
    expect(links).toBeGreaterThan(20);
  });
});

describe('what the app read', () => {
  interface Dump {
    readonly fileContents: string;
    readonly parseFrontMatterTags: readonly string[] | null;
    readonly cachedMetadata: {
      readonly frontmatter?: Record<string, unknown>;
      readonly frontmatterLinks?: readonly Record<string, string>[];
      readonly frontmatterPosition?: { readonly end: { readonly offset: number } };
    };
  }
  const oracle = join(shared, 'obsidian', 'oracle');
  const dumps = readdirSync(oracle).filter((name) => name.endsWith('.json'));
  it.each(dumps)('%s', (name) => {
    const dump = JSON.parse(readFileSync(join(oracle, name), 'utf8')) as Dump;
    const { frontmatter, frontmatterLinks = [], frontmatterPosition } = dump.cachedMetadata;
    const text = dump.fileContents;
    const facts = parseFrontmatter(text);
    const entries = facts?.frontmatter.properties?.map(({ key, value }) => [key, value]);
    expect(entries && Object.fromEntries(entries)).toEqual(frontmatter ?? undefined);
    expect(facts?.propertyTags.map(({ tag }) => tag) ?? []).toEqual(
      dump.parseFrontMatterTags ?? [],
    );
    expect(
      (facts?.propertyLinks ?? []).map(({ key, link, displayText, range }) => ({
        key,
        link,
        displayText,
        original: text.slice(range.start, range.end),
      })),
    ).toEqual(frontmatterLinks);
    if (frontmatterPosition !== undefined) {
      expect(facts?.frontmatter.range.end).toBe(frontmatterPosition.end.offset);
    }
  });
});

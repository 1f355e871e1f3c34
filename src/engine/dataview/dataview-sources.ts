import { foldName, isVaultPath, type VaultPath, vaultFolder } from '../../base/vault-path.ts';
import { splitLink } from '../../markdown/facts/link-text.ts';
import type { FactSource } from '../bases/query/fact-source.ts';
import type { Settler } from '../bases/query/settle-rows.ts';
import { ExpressionError } from '../bases/syntax/expression-error.ts';
import { isTagOrNested } from '../bases/values/equality.ts';
import { linkFrom } from '../bases/values/link-from.ts';
import type { World } from '../bases/values/world.ts';
import { unresolvedName } from '../links/resolve-link.ts';
import type { FactConditions } from '../ports/records.ts';
import type { DataviewSource } from './dataview-query.ts';

/** The notes that a source names: as conditions for the index, and as a test of each path. */
export interface ResolvedSource {
  readonly conditions: FactConditions;
  /** Throws `MissingFacts` while a fact of the file is unknown. */
  has(path: string): boolean;
}

interface SourceContext {
  readonly facts: FactSource;
  readonly world: World;
  readonly settler: Settler;
  readonly self: string | undefined;
}

/**
 * Finds out what a source means: whether a text is a folder or a note, and which notes a link leads to.
 * Throws `ExpressionError` when a note that the source needs does not exist.
 */
export async function resolveSource(
  source: DataviewSource | undefined,
  context: SourceContext,
): Promise<ResolvedSource> {
  if (source === undefined) return { conditions: {}, has: () => true };
  switch (source.kind) {
    case 'tag':
      return tagSource(source.tag, context.world);
    case 'folder':
      return folderSource(source.path, context.facts);
    case 'incoming':
      return incomingSource(source.link, context);
    case 'outgoing':
      return outgoingSource(source, context);
    case 'not': {
      const { has } = await resolveSource(source.item, context);
      return { conditions: {}, has: (path) => !has(path) };
    }
    default: {
      const items: ResolvedSource[] = [];
      for (const item of source.items) {
        await context.facts.turn();
        items.push(await resolveSource(item, context));
      }
      if (source.kind === 'or') {
        return { conditions: {}, has: (path) => items.some((item) => item.has(path)) };
      }
      const conditions = joined(items.map((item) => item.conditions));
      return { conditions, has: (path) => items.every((item) => item.has(path)) };
    }
  }
}

/** What files must meet that meet all of these. Of several folders, the index is asked for the first. */
function joined(all: readonly FactConditions[]): FactConditions {
  const folders = all.find((each) => each.folders !== undefined)?.folders;
  const tags = all.flatMap((each) => each.tags ?? []);
  const linksTo = all.flatMap((each) => each.linksTo ?? []);
  return {
    ...(folders === undefined ? {} : { folders }),
    ...(tags.length === 0 ? {} : { tags: tags.slice(0, conditionsMax) }),
    ...(linksTo.length === 0 ? {} : { linksTo: linksTo.slice(0, conditionsMax) }),
  };
}

/** How many conditions of one kind the index is asked for. The test of each path has all of them. */
const conditionsMax = 10;

function tagSource(tag: string, world: World): ResolvedSource {
  return {
    conditions: { tags: [[tag.slice(1)]] },
    has: (path) => world.part(path, 'tags').some((each) => isTagOrNested(each, tag)),
  };
}

/** A folder with all below it, or else a note by its path, with or without `.md`. */
async function folderSource(written: string, facts: FactSource): Promise<ResolvedSource> {
  const asked = written.replace(/\/+$/, '');
  if (asked === '') return { conditions: {}, has: () => true };
  const isFolder = { has: (path: string) => path.startsWith(`${asked}/`) };
  const files = await facts.load([asked, `${asked}.md`], []);
  const folders = isVaultPath(asked) ? [vaultFolder(asked)] : [];
  const conditions = folders.length === 0 ? {} : { folders };
  if (files.length === 0) return { conditions, ...isFolder };
  const [inFolder] = await facts.files({ conditions, parts: [], limit: 1 });
  if (inFolder !== undefined && isFolder.has(inFolder.path)) return { conditions, ...isFolder };
  const paths = new Set<string>(files.map(({ path }) => path));
  const parent = asked.slice(0, Math.max(0, asked.lastIndexOf('/')));
  return {
    conditions: parent === '' ? {} : { folders: [vaultFolder(parent)] },
    has: (path) => paths.has(path),
  };
}

/** The note that a link of a source leads to; undefined when there is none. */
function leadsTo(
  link: string,
  { world, settler, self }: SourceContext,
): Promise<string | undefined> {
  const { path } = splitLink(link.replace(/\|.*$/s, ''));
  if (path.trim() === '') return Promise.resolve(self);
  return settler.one(() => linkFrom({ world, source: self ?? '' }, path).path ?? undefined);
}

/** The notes that link to a note. Where there is no such note, those whose links say its name. */
async function incomingSource(link: string, context: SourceContext): Promise<ResolvedSource> {
  const { world, settler } = context;
  const target = await leadsTo(link, context);
  if (target !== undefined) {
    const sources = new Set<string>(await settler.one(() => world.part(target, 'backlinks')));
    return { conditions: { linksTo: [target as VaultPath] }, has: (path) => sources.has(path) };
  }
  const name = nameOf(splitLink(link.replace(/\|.*$/s, '')).path);
  return {
    conditions: {},
    has: (path) =>
      world
        .part(path, 'links')
        .some((each) => each.target === undefined && nameOf(each.path) === name),
  };
}

function nameOf(written: string): string {
  return foldName(unresolvedName(written));
}

async function outgoingSource(
  { link, range }: DataviewSource & { kind: 'incoming' | 'outgoing' },
  context: SourceContext,
): Promise<ResolvedSource> {
  const { world, settler } = context;
  const source = await leadsTo(link, context);
  if (source === undefined) {
    throw new ExpressionError(
      'unknown_member',
      `There is no note [[${link}]] to start from.`,
      range,
    );
  }
  const links = await settler.one(() => world.part(source, 'links'));
  const targets = new Set(links.map(({ target }) => target as string | undefined));
  return { conditions: {}, has: (path) => targets.has(path) };
}

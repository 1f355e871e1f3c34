import { afterEach, describe, expect, it } from 'vitest';
import { fill, note } from '../../../test/support/index-records.ts';
import { vaultFolder, vaultPath } from '../../base/vault-path.ts';
import type { GraphOutlineRequest } from '../../engine/ports/graph-outline.ts';
import type { IndexStore, NeighborhoodRequest } from '../../engine/ports/index-store.ts';
import { type View, wholeVault } from '../../engine/ports/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

let store: IndexStore;
afterEach(() => store.close());

/** Notes by name, with what they link to. */
async function linked(notes: Readonly<Record<string, readonly string[]>>): Promise<void> {
  store = await openSqliteIndex({ file: ':memory:' });
  await fill(store, {
    files: ['logo.png'],
    notes: Object.entries(notes).map(([name, links]) => note(`${name}.md`, links)),
  });
}

async function around(
  name: string,
  request: Partial<NeighborhoodRequest> = {},
  view: View = wholeVault,
): Promise<{ nodes: string; edges: string; truncated: boolean }> {
  const bounds = { limit: 100, linksMax: 100, noteLinksMax: 100 };
  const whole = { depth: 1, direction: 'both', ...bounds, ...request } as const;
  const graph = await store.neighborhood(view, vaultPath(`${name}.md`), whole);
  const bare = (path: string): string => path.replace('.md', '');
  return {
    nodes: graph.nodes.map(({ path, depth }) => `${bare(path)}${depth}`).join(' '),
    edges: graph.edges.map(({ from, to }) => `${bare(from)}>${bare(to)}`).join(' '),
    truncated: graph.truncated,
  };
}

const chain = {
  A: ['B', 'C', 'B', 'Nowhere', 'A', 'logo.png'],
  B: ['D'],
  C: ['A'],
  D: ['E'],
  E: [],
  X: ['A', 'logo.png'],
};

describe('the neighborhood of a note', () => {
  it.each<[string, Partial<NeighborhoodRequest>, string, string]>([
    ['both ways', {}, 'A0 B1 C1 X1', 'A>B A>C C>A X>A'],
    ['along its links', { direction: 'out' }, 'A0 B1 C1', 'A>B A>C'],
    ['against them', { direction: 'in' }, 'A0 C1 X1', 'C>A X>A'],
    ['two links away', { depth: 2, direction: 'out' }, 'A0 B1 C1 D2', 'A>B A>C B>D C>A'],
    ['as far as it goes', { depth: 5, direction: 'out' }, 'A0 B1 C1 D2 E3', 'A>B A>C B>D C>A D>E'],
  ])('goes %s', async (_name, request, nodes, edges) => {
    await linked(chain);
    expect(await around('A', request)).toEqual({ nodes, edges, truncated: false });
  });

  it('does not go through an attachment, but can begin at one', async () => {
    await linked(chain);
    expect((await around('X')).nodes).toBe('X0 A1');
    const path = vaultPath('logo.png');
    const request = { depth: 1, direction: 'in', limit: 9, linksMax: 9, noteLinksMax: 9 } as const;
    const { nodes } = await store.neighborhood(wholeVault, path, request);
    expect(nodes.map((node) => node.path)).toEqual(['logo.png', 'A.md', 'X.md']);
  });

  it.each<[string, View, string]>([
    ['is not there', { ...wholeVault, hide: ['B.md'] }, 'A0 C1 X1'],
    ['cannot be gone through', { ...wholeVault, hide: ['D.md'] }, 'A0 B1 C1 X1'],
    ['cannot be begun at', { ...wholeVault, hide: ['A.md'] }, ''],
  ])('what is hidden %s', async (_name, view, nodes) => {
    await linked(chain);
    expect((await around('A', { depth: 5 }, view)).nodes).toBe(nodes);
  });

  it('is empty for a path that no file has', async () => {
    await linked(chain);
    expect(await around('Missing')).toEqual({ nodes: '', edges: '', truncated: false });
  });

  it.each<[string, Partial<NeighborhoodRequest>, number, boolean]>([
    ['all of them', { limit: 20 }, 20, false],
    ['as many neighbors as it may have', { limit: 5 }, 5, true],
    ['as many links as it may look at', { linksMax: 7 }, 7, true],
    ['as many links as of one note', { noteLinksMax: 3 }, 3, true],
    ['exactly as many links as there are', { linksMax: 20 }, 20, false],
  ])('of a hub has %s, and says whether there are more', async (_name, request, count, more) => {
    const sources = Array.from({ length: 20 }, (_, n) => [`N${n}`, ['Hub']] as const);
    await linked({ Hub: [], ...Object.fromEntries(sources) });
    const { edges, truncated } = await around('Hub', { direction: 'in', ...request });
    expect(edges.split(' ')).toHaveLength(count);
    expect(truncated).toBe(more);
  });
});

describe('the outline of the graph', () => {
  const graph = {
    ...{ A: ['B', 'F/C', 'B', 'Nowhere', 'A', 'logo.png'], B: ['A'] },
    ...{ 'F/C': ['F/D', 'A'], 'F/D': [], 'F/G/E': ['A'], X: [] },
  };
  const outlined = async (request: Partial<GraphOutlineRequest> = {}, view: View = wholeVault) => {
    await linked(graph);
    const bounds = { limit: 100, linesMax: 100, foldersMax: 100 };
    const found = await store.outline(view, { folder: '', ...bounds, ...request });
    const path = (at: number | undefined) => (found.nodes[at ?? -1]?.[0] ?? '').replace('.md', '');
    const edges = found.edges.flatMap((from, at) =>
      at % 2 === 0 ? [`${path(from)}>${path(found.edges[at + 1])}`] : [],
    );
    return {
      counts: [found.notes, found.drawn],
      totals: [found.pairs, found.groups, found.lines],
      nodes: found.nodes.map(([, , degree], at) => `${path(at)} ${degree}`),
      edges: edges.toSorted().join(' '),
      folders: found.folders.map(({ folder, notes, links }) => `${folder} ${notes} ${links}`),
      between: found.between,
    };
  };

  it('has every note, the best linked first, and each pair of links once', async () => {
    expect(await outlined()).toEqual({
      counts: [6, 6],
      totals: [6, 2, 1],
      nodes: ['A 5', 'F/C 3', 'B 2', 'F/D 1', 'F/G/E 1', 'X 0'],
      edges: 'A>B A>F/C B>A F/C>A F/C>F/D F/G/E>A',
      folders: [' 3 5', 'F 3 4'],
      between: [[0, 1, 3]],
    });
  });

  it('draws no more than asked, and counts all', async () => {
    expect(await outlined({ limit: 2 })).toMatchObject({
      counts: [6, 2],
      nodes: ['A 5', 'F/C 3'],
      edges: 'A>F/C F/C>A',
      folders: [' 3 5', 'F 3 4'],
    });
  });

  it('has bounds for links and folders, the largest of these, and counts all', async () => {
    expect(await outlined({ linesMax: 2 })).toMatchObject({
      totals: [6, 2, 1],
      edges: 'A>B A>F/C',
      between: [[0, 1, 3]],
    });
    expect(await outlined({ foldersMax: 1 })).toMatchObject({
      totals: [6, 2, 0],
      folders: [' 3 5'],
      between: [],
    });
  });

  it('has the largest folders in their order, and the strongest lines between them', async () => {
    await linked({
      ...{ 'A/1': ['C/1'], 'B/1': ['C/1'], 'C/1': ['D/1', 'D/2'], 'C/2': [] },
      ...{ 'D/1': ['A/1'], 'D/2': [], 'D/3': [] },
    });
    const request = { folder: vaultFolder(''), limit: 9, linesMax: 1, foldersMax: 3 };
    const { folders, groups, between, lines } = await store.outline(wholeVault, request);
    expect([folders.map(({ folder }) => folder), groups]).toEqual([['A', 'C', 'D'], 4]);
    expect([between, lines]).toEqual([[[1, 2, 2]], 3]);
  });

  it('is that of a folder, of what the view admits', async () => {
    const within = vaultPath('F');
    expect(await outlined({ folder: within }, { ...wholeVault, within })).toMatchObject({
      counts: [3, 3],
      edges: 'F/C>F/D',
      folders: ['F 2 1', 'F/G 1 0'],
    });
    expect(await outlined({ tag: 'none' })).toMatchObject({ counts: [0, 0], folders: [] });
  });
});

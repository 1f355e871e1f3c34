import { describe, expect, it } from 'vitest';
import { vaultFolder, vaultPath } from '../../base/vault-path.ts';
import { legendOf } from './graph-looks.ts';
import { aroundShape, folderShape, groupsOf, noteShape } from './graph-shape.ts';
import { startPositions } from './start-positions.ts';

const p = vaultPath;
const outline = {
  notes: 4,
  drawn: 4,
  nodes: [
    [p('A/x.md'), vaultFolder('A'), 2],
    [p('A/B/y.md'), vaultFolder('A/B'), 1],
    [p('A/C/D/z.md'), vaultFolder('A/C/D'), 1],
    [p('w.md'), vaultFolder(''), 0],
  ],
  pairs: 2,
  edges: [0, 1, 0, 2],
  groups: 2,
  folders: [
    { folder: vaultFolder('A'), notes: 3, links: 2 },
    { folder: vaultFolder(''), notes: 1, links: 0 },
  ],
  lines: 1,
  between: [[0, 1, 5]],
} as const;

describe('the shape of a graph', () => {
  it.each([
    ['', ['A', 'A', 'A', '']],
    ['A', ['A', 'A/B', 'A/C', '']],
  ])('has the folders below "%s" as groups', (folder, groups) => {
    expect(noteShape(outline, folder).nodes.map(({ group }) => group)).toEqual(groups);
  });

  it('of folders has a bubble for each', () => {
    expect(folderShape(outline)).toEqual({
      kind: 'folders',
      nodes: [
        { path: 'A', label: 'A', group: 'A', links: 2, notes: 3 },
        { path: '', label: '', group: '', links: 0, notes: 1 },
      ],
      edges: [0, 1],
    });
  });

  it('around a note counts the links that are drawn, once for each pair', () => {
    const nodes = ['a.md', 'b.md', 'c.md'].map((path, depth) => ({ path: p(path), depth }));
    const edges = [
      { from: p('a.md'), to: p('b.md') },
      { from: p('a.md'), to: p('a.md') },
      { from: p('c.md'), to: p('gone.md') },
    ];
    const shape = aroundShape({ nodes, edges, truncated: false });
    expect(shape.edges).toEqual([0, 1]);
    expect(shape.nodes.map(({ links }) => links)).toEqual([1, 1, 0]);
  });

  it('has its largest groups in the legend', () => {
    const shape = noteShape(outline, '');
    expect(groupsOf(shape)).toEqual([
      ['A', 3],
      ['', 1],
    ]);
    const { groups, others } = legendOf(shape);
    expect([groups.map(({ colour }) => colour), others]).toEqual([['c1', 'accent'], 0]);
  });

  it('begins where it began yesterday, no two nodes at one place', () => {
    const shape = noteShape(outline, '');
    const points = Array.from(startPositions(shape));
    expect(Array.from(startPositions(shape))).toEqual(points);
    const places = outline.nodes.map((_, at) => points.slice(2 * at, 2 * at + 2).join());
    expect(new Set(places).size).toBe(4);
  });
});

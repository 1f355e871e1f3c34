import { describe, expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { ChangeStep } from '../ports/state-store.ts';
import { changeTrail, PathTrail } from './path-trail.ts';

type Row = readonly [behaviour: string, moves: readonly string[], path: string, now: string];

/** `a > b` moves a file, `a/ > b/` a folder, `+ a` makes a file and `- a` deletes it. */
const rows: readonly Row[] = [
  ['stays where nothing moved', ['b > c'], 'a', 'a'],
  ['follows a file', ['a > b'], 'a', 'b'],
  ['follows a file on and on', ['a > b', 'x > y', 'b > c'], 'a', 'c'],
  ['follows a file there and back', ['a > b', 'b > a'], 'a', 'a'],
  ['follows the folder around a file', ['F/ > G/', 'G/ > H/I/'], 'F/a', 'H/I/a'],
  ['follows a folder itself', ['F/ > G/'], 'F', 'G'],
  ['follows file and folder in turn', ['F/a > F/b', 'F/ > G/', 'G/b > c'], 'F/a', 'c'],
  ['does not take another file of the same name for it', ['a > b', 'a > c'], 'a', 'b'],
  ['knows it again when it was deleted and brought back', ['- a', '+ a', 'a > b'], 'a', 'b'],
  ['stays while another comes and goes', ['- a', 'x > a', 'a > y'], 'a', 'a'],
  ['goes on after another came and went', ['- a', 'x > a', 'a > x', '+ a', 'a > b'], 'a', 'b'],
  [
    'knows which of two deleted files was brought back',
    ['- a', 'x > a', '- a', '+ a', 'a > x', '+ a', 'a > b'],
    'a',
    'b',
  ],
  [
    'stays while another folder comes and goes',
    ['- F/a', 'X/ > F/', 'F/ > X/', '+ F/a'],
    'F/a',
    'F/a',
  ],
  ['does not take a name that begins alike for the folder', ['F/ > G/'], 'F2/a', 'F2/a'],
];

const places: readonly Row[] = [
  ['stays while another folder comes and goes', ['X/ > F/', 'F/ > X/'], 'F/a', 'F/a'],
  ['goes on after another folder came and went', ['X/ > F/', 'F/ > X/', 'F/ > G/'], 'F/a', 'G/a'],
  ['moves with the folders around another folder', ['X/ > F/G/', 'F/ > H/'], 'F/G/a', 'H/G/a'],
  ['is where its folder is', ['F/ > G/'], 'F/a', 'G/a'],
  ['does not follow files that had the name meanwhile', ['a > b'], 'a', 'a'],
  ['does not follow folders that had the name meanwhile', ['F/ > G/'], 'F', 'F'],
];

describe('PathTrail', () => {
  it.each(rows)('now: %s', (_, moves, path, now) => {
    expect(forwards(moves).now(vaultPath(path))).toBe(now);
    expect(backwards(moves).now(vaultPath(path))).toBe(now);
  });

  it.each(places)('place: %s', (_, moves, path, place) => {
    expect(forwards(moves).place(vaultPath(path))).toBe(place);
    expect(backwards(moves).place(vaultPath(path))).toBe(place);
  });
});

function forwards(moves: readonly string[]): PathTrail {
  const trail = new PathTrail();
  for (const move of moves) trail.addAfter(parse(move));
  return trail;
}

function backwards(moves: readonly string[]): PathTrail {
  const trail = new PathTrail();
  for (const move of moves.toReversed()) trail.addBefore(parse(move));
  return trail;
}

function parse(move: string): Parameters<PathTrail['addBefore']>[0] {
  if (move.startsWith('+')) return { do: 'create', path: vaultPath(move.slice(2)) };
  if (move.startsWith('-')) return { do: 'delete', path: vaultPath(move.slice(2)) };
  const [from = '', to = ''] = move.split(' > ');
  const kind = from.endsWith('/') ? 'moveFolder' : 'move';
  return { do: kind, path: vaultPath(from), to: vaultPath(to) };
}

describe('the trail of a change', () => {
  const [a, b, c] = [vaultPath('a'), vaultPath('b'), vaultPath('c')];
  const [before, after] = ['before', 'after'] as Version[] as [Version, Version];
  const write = (path: typeof a, from?: typeof a, isNew = false): ChangeStep => ({
    do: 'write',
    path,
    after,
    token: '',
    ...(isNew ? {} : { before }),
    ...(from === undefined ? {} : { from }),
  });

  it.each<[string, readonly ChangeStep[], readonly string[]]>([
    ['two files that change places', [write(a, b), write(b, a)], ['b', 'a', 'c']],
    ['files in a circle', [write(a, b), write(b, c), write(c, a)], ['c', 'a', 'b']],
    ['one that makes room for a new file', [write(a), write(c, a, true)], ['c', 'b', 'c']],
    [
      'one that was put in the place of another',
      [write(b, a), { do: 'delete', path: a }],
      ['b', 'b', 'c'],
    ],
    ['one that replaced another', [{ do: 'move', path: a, to: b, over: before }], ['b', 'b', 'c']],
  ])('follows %s', (_, steps, now) => {
    const trail = new PathTrail();
    for (const step of changeTrail(steps)) trail.addAfter(step);
    expect([a, b, c].map((path) => trail.now(path))).toEqual(now);
  });

  it('knows a replaced file again when it was brought back', () => {
    const trail = new PathTrail();
    const over: ChangeStep = { do: 'move', path: a, to: b, over: before };
    for (const step of [...changeTrail([over]), ...changeTrail([write(b), write(a, b, true)])]) {
      trail.addAfter(step);
    }
    trail.addAfter({ do: 'move', path: b, to: c });
    expect([a, b].map((path) => trail.now(path))).toEqual(['a', 'c']);
  });
});

import { describe, expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { ServedNotes } from '../vault/served-notes.ts';
import { ServedMemory } from './served-memory.ts';

type ServedLimits = ConstructorParameters<typeof ServedMemory>[0];

const roomy: ServedLimits = { connectionsMax: 9, connectionNotesMax: 9, servedBytesMax: 10_000 };
const a = vaultPath('a.md');
const b = vaultPath('b.md');
const v1 = 'v1' as Version;
const v2 = 'v2' as Version;

function memory(limits: Partial<ServedLimits> = {}): ServedMemory {
  return new ServedMemory({ ...roomy, ...limits });
}

function show(served: ServedNotes, path: string, text: string, version = v1): void {
  served.shown({ path: vaultPath(path), text, version });
}

describe('what a connection was shown', () => {
  it('is whole when it was shown at once, or piece by piece', () => {
    const served = memory().forConnection('x');
    const note = { path: a, text: 'one\ntwo\n', version: v1 };
    served.shown(note, { start: 0, end: 4 });
    expect(served.of(a)).toMatchObject({ whole: false, shown: [{ start: 0, end: 4 }] });
    served.shown(note, { start: 4, end: 7 });
    expect(served.of(a)).toMatchObject({ whole: true, text: 'one\ntwo\n', version: v1 });
  });

  it('begins anew with another version', () => {
    const served = memory().forConnection('x');
    show(served, 'a.md', 'one two');
    served.shown({ path: a, text: 'one 2', version: v2 }, { start: 4, end: 5 });
    expect(served.of(a)).toMatchObject({ version: v2, whole: false });
  });

  it('is known by any spelling of its name', () => {
    const served = memory().forConnection('x');
    show(served, 'Übung.md', 'text');
    expect(served.of(vaultPath('u\u0308bung.md'))).toMatchObject({ text: 'text' });
    served.changed({
      from: vaultPath('Übung.md'),
      to: vaultPath('übung.md'),
      before: v1,
      after: v2,
    });
    expect(served.of(vaultPath('Übung.md'))).toMatchObject({ version: v2, whole: true });
  });

  it('is its own, and gone when it has ended', () => {
    const all = memory();
    show(all.forConnection('x'), 'a.md', 'text');
    expect(all.forConnection('y').of(a)).toBeUndefined();
    expect(all.forConnection('x').of(a)).toBeDefined();
    all.forget('x');
    expect(all.forConnection('x').of(a)).toBeUndefined();
  });
});

describe('a change by the connection itself', () => {
  it('keeps what it knew, at the version after', () => {
    const served = memory().forConnection('x');
    show(served, 'a.md', 'one');
    served.changed({ from: a, to: a, before: v1, after: v2, text: 'one two' });
    expect(served.of(a)).toMatchObject({ version: v2, whole: true, text: 'one two' });
  });

  it('teaches it nothing when it knew another version, or none', () => {
    const served = memory().forConnection('x');
    served.changed({ from: a, to: a, before: v1, after: v2, text: 'new' });
    expect(served.of(a)).toBeUndefined();
    show(served, 'a.md', 'old');
    served.changed({ from: a, to: a, before: v2, after: 'v3' as Version, text: 'new' });
    expect(served.of(a)).toMatchObject({ version: v1, text: 'old' });
  });

  it('makes a note that it made known whole', () => {
    const served = memory().forConnection('x');
    served.changed({ to: a, after: v1, text: 'new' });
    expect(served.of(a)).toMatchObject({ version: v1, whole: true, text: 'new' });
  });

  it.each([
    ['known as it was', v1, v2],
    ['known at another version', v2, v1],
  ])('follows a note that moves, %s', (_, before, expected) => {
    const served = memory().forConnection('x');
    show(served, 'a.md', 'text');
    show(served, 'b.md', 'another note that was there');
    served.changed({ from: a, to: b, before, after: v2, text: 'text' });
    expect(served.of(a)).toBeUndefined();
    expect(served.of(b)).toMatchObject({ version: expected, text: 'text' });
  });
});

describe('memory has limits', () => {
  it('lets the least recently used notes go', () => {
    const served = memory({ connectionNotesMax: 2 }).forConnection('x');
    show(served, 'a.md', 'a');
    show(served, 'b.md', 'b');
    served.of(a);
    show(served, 'c.md', 'c');
    expect(served.of(b)).toBeUndefined();
    expect(served.of(a)).toBeDefined();
  });

  it('lets the least recently used connections go', () => {
    const all = memory({ connectionsMax: 2 });
    for (const id of ['x', 'y', 'x', 'z']) show(all.forConnection(id), 'a.md', id);
    expect(all.forConnection('y').of(a)).toBeUndefined();
    expect(all.forConnection('x').of(a)).toBeDefined();
  });

  it('lets texts go first, and remembers versions without them', () => {
    const all = memory({ servedBytesMax: 20 });
    show(all.forConnection('x'), 'a.md', '12345678');
    show(all.forConnection('y'), 'a.md', '12345678');
    expect(all.forConnection('x').of(a)).toEqual({
      version: v1,
      whole: true,
      shown: [{ start: 0, end: 8 }],
    });
    expect(all.forConnection('y').of(a)).toMatchObject({ text: '12345678' });
  });

  it('counts a text once, however often it is shown or changed', () => {
    const served = memory({ servedBytesMax: 20 }).forConnection('x');
    for (let turn = 0; turn < 5; turn++) show(served, 'a.md', '1234567890');
    for (let turn = 0; turn < 5; turn++) {
      served.changed({ from: a, to: a, before: v1, after: v1, text: '1234567890' });
    }
    expect(served.of(a)).toMatchObject({ text: '1234567890' });
  });
});

import { describe, expect, it } from 'vitest';
import { KeyReader } from './keys.ts';

interface Press {
  readonly key: string;
  readonly ctrl?: boolean;
  readonly inField?: boolean;
  readonly atMs?: number;
}

function pressed(presses: readonly Press[], singles = true): (string | undefined)[] {
  const reader = new KeyReader();
  return presses.map(({ key, ctrl = false, inField = false, atMs = 0 }) => {
    const action = reader.read({ key, ctrl, alt: false, timeMs: atMs, inField }, { singles });
    return action?.do === 'go' ? `go ${action.screen}` : action?.do;
  });
}

describe('keys', () => {
  it.each<[presses: Press[], expected: (string | undefined)[], singles?: boolean]>([
    [
      [{ key: 'j' }, { key: 'k' }],
      ['next', 'previous'],
    ],
    [
      [{ key: 'u' }, { key: 'U' }, { key: 'r' }],
      ['undo', 'undo-session', 'redo'],
    ],
    [
      [{ key: 'g' }, { key: 'p' }],
      [undefined, 'go approvals'],
    ],
    [
      [{ key: 'g' }, { key: 'g' }],
      [undefined, 'go graph'],
    ],
    [
      [{ key: 'g' }, { key: 'j' }],
      [undefined, 'next'],
    ],
    [
      [{ key: 'g' }, { key: 'a', atMs: 5_000 }],
      [undefined, undefined],
    ],
    [[{ key: 'u', inField: true }], [undefined]],
    [[{ key: 'Escape', inField: true }], ['back']],
    [[{ key: 'k', ctrl: true, inField: true }], ['find']],
    [[{ key: 'u', ctrl: true }], [undefined]],
    [[{ key: 'u' }, { key: 'Escape' }], [undefined, 'back'], false],
    [
      [{ key: 'Enter' }, { key: 'y' }, { key: 'toString' }],
      [undefined, undefined, undefined],
    ],
  ])('%j', (presses, expected, singles) => {
    expect(pressed(presses, singles)).toEqual(expected);
  });
});

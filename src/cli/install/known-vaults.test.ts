import { describe, expect, it } from 'vitest';
import { vaultsIn } from './known-vaults.ts';

describe('vaultsIn', () => {
  it('reads what Obsidian writes', () => {
    const text = '{"vaults":{"a1":{"path":"/v","ts":5,"open":true},"b2":{"path":"C:\\\\w"}}}';
    expect(vaultsIn(text)).toEqual([
      { path: '/v', openedMs: 5 },
      { path: 'C:\\w', openedMs: 0 },
    ]);
  });

  it.each([
    '',
    'oops',
    'null',
    '[]',
    '{}',
    '{"vaults":null}',
    '{"vaults":{"a":null,"b":{"path":1}}}',
  ])('finds none in %j', (text) => {
    expect(vaultsIn(text)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { Published, Publisher } from '../../ports/publisher.ts';
import { publishAdr } from './publish-adr.ts';

/** A publisher that answers what it was given. */
async function open(files: Readonly<Record<string, string>>) {
  const given: { name: string; text: string; title: string }[] = [];
  const answer: Published = { file: 'docs/adr/x', pushed: false, notes: [] };
  const publisher: Publisher = {
    publish: async ({ name, bytes, title }) => {
      given.push({ name, text: new TextDecoder().decode(bytes), title });
      return answer;
    },
  };
  return { ...(await openWrittenVault(files, { parts: { publisher } })), given };
}

describe('publishAdr', () => {
  it.each([
    ['# Use SQLite\n', 'ADR-001: Use SQLite'],
    ['# ADR-001: Use SQLite\n', 'ADR-001: Use SQLite'],
    ['# ADR-001 – Use SQLite\n', 'ADR-001: Use SQLite'],
    ['---\nadr: 1\n---\n\n## Context\n', 'ADR-001: Context'],
    ['# ADR-001\n', 'ADR-001'],
    ['no heading', 'ADR-001'],
    [`# ${'x'.repeat(200)}`, `ADR-001: ${'x'.repeat(79)}…`],
  ])('publishes %j as it is, as %j', async (text, title) => {
    const { vault, given } = await open({ 'adr/ADR-001-use-sqlite.md': text });
    await publishAdr(vault, { path: 'adr/ADR-001-use-sqlite.md' });
    expect(given).toEqual([{ name: 'ADR-001-use-sqlite.md', text, title }]);
  });

  it.each([
    ['notes/ADR-001-x.md', 'invalid_input'],
    ['adr/sub/ADR-001-x.md', 'invalid_input'],
    ['adr/README.md', 'invalid_input'],
    ['adr/ADR-1-x.md', 'invalid_input'],
    ['adr/ADR-001.md', 'invalid_input'],
    ['adr/ADR-001-a b.md', 'invalid_input'],
    ['adr/ADR-001-a..b.md', 'invalid_input'],
    ['adr/ADR-001--x.md', 'invalid_input'],
    ['adr/ADR-001-x', 'invalid_input'],
    ['adr/../adr/ADR-001-x.md', 'outside_vault'],
    ['adr/ADR-009-none.md', 'not_found'],
  ])('publishes no %s: %s', async (path, code) => {
    const files = { 'notes/ADR-001-x.md': 'x', 'adr/sub/ADR-001-x.md': 'x', 'adr/README.md': 'x' };
    const { vault, given } = await open({ ...files, 'adr/ADR-001-x.md': 'x' });
    expect(await failureOf(publishAdr(vault, { path }))).toMatchObject({ code });
    expect(given).toEqual([]);
  });

  it.each([
    ['in another folder', { ...allScopes, folders: [vaultPath('devlog')] }],
    ['hidden', { ...allScopes, hide: ['adr/**'] }],
  ])('does not know one that is %s for the caller', async (_, scopes) => {
    const { as, given } = await open({ 'adr/ADR-001-x.md': 'x' });
    const publishing = publishAdr(as({ scopes }), { path: 'adr/ADR-001-x.md' });
    expect(await failureOf(publishing)).toMatchObject({ code: 'not_found' });
    expect(given).toEqual([]);
  });

  it('says how to set it up where it is not', async () => {
    const { vault } = await openWrittenVault({ 'adr/ADR-001-x.md': 'x' });
    const { code, message } = await failureOf(publishAdr(vault, { path: 'adr/ADR-001-x.md' }));
    expect([code, message]).toEqual(['unavailable', expect.stringContaining('--adr-repo')]);
  });
});

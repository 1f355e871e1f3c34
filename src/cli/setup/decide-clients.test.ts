import { expect, it } from 'vitest';
import { clients } from '../install/client-places.ts';
import { serverOf } from '../install/server-entry.ts';
import { heldTo } from './decide-clients.ts';
import type { FoundClient } from './found-clients.ts';

const vault = { name: 'Notes', path: '/home/you/Notes' };
const other = (...flags: readonly string[]) => ({
  command: 'npx',
  args: ['-y', '@bitbonsai/mcpvault@latest', '/home/you/Notes/', ...flags],
});
const ours = (path: string, ...flags: readonly string[]) => ({
  command: 'vaultdoor',
  args: ['stdio', '--vault', path, ...flags],
});

function claudeDesktop(config: Readonly<Record<string, object>>): FoundClient {
  const servers = Object.entries(config).map(([name, value]) => serverOf(name, value));
  const id = 'claude-desktop';
  return {
    id,
    client: clients[id],
    files: [],
    ours: servers.filter(({ isOurs }) => isOurs),
    others: servers.filter(({ isOurs }) => !isOurs),
    local: [],
  };
}

const read = { right: 'read', entry: 'obsidian' };
it.each<readonly [string, Readonly<Record<string, object>>, object | undefined]>([
  ['nothing', {}, undefined],
  ['a server that only reads', { obsidian: other('--read-only') }, read],
  ['a server that also writes', { obsidian: other() }, undefined],
  [
    'one that reads and one that writes',
    { obsidian: other('--read-only'), more: other() },
    undefined,
  ],
  [
    'one that only reads another vault',
    { obsidian: { command: 'npx', args: ['mcpvault', '/elsewhere', '--read-only'] } },
    undefined,
  ],
  [
    'an entry of ours, for a vault that does not exist, that may propose',
    { old: ours('/nonexistent/usb/Old', '--propose') },
    { right: 'propose', entry: 'old' },
  ],
  [
    'an entry of ours for this vault, which says itself what it may do',
    { obsidian: other('--read-only'), ours: ours('/home/you/Notes') },
    undefined,
  ],
])('a new app is held to what it had: %s', (_, config, held) => {
  expect(heldTo([claudeDesktop(config)], vault, undefined)).toEqual(held);
});

it('an app may not do more than it may now because of another entry', () => {
  const client = claudeDesktop({ obsidian: other('--read-only') });
  expect(heldTo([client], vault, 'read')).toBeUndefined();
  expect(heldTo([client], vault, 'propose')).toEqual(read);
});

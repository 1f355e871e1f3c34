import { expect, it } from 'vitest';
import { localEntries, removeLocal } from './local-entries.ts';

const ours = {
  command: 'node',
  args: ['/x/vaultdoor.js', 'stdio', '--vault', '/n', '--read-only'],
};

it('finds our entries that hold in one folder, and how to take them out', () => {
  const text = JSON.stringify({
    mcpServers: { everywhere: ours },
    projects: {
      '/code': { mcpServers: { notes: ours, other: { command: 'x' } } },
      '/none': {},
      '/odd': { mcpServers: [] },
    },
  });
  const [found, more] = localEntries(text);
  expect(more).toBeUndefined();
  expect(found).toMatchObject({ folder: '/code', server: { name: 'notes', vault: '/n' } });
  expect(found && removeLocal(found)).toBe('claude mcp remove --scope local notes');
});

it.each([undefined, '', '{}', '{"projects": 1}'])('finds none in %j', (text) => {
  expect(localEntries(text)).toEqual([]);
});

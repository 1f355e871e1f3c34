import { describe, expect, it } from 'vitest';
import type { Door } from '../../base/caller.ts';
import { shownClient } from './client-name.ts';

describe('shownClient', () => {
  it.each<
    [door: Door, client: string | undefined, name: string, letters: string, version?: string]
  >([
    ['mcp-stdio', 'claude-ai/0.14.0', 'Claude Desktop', 'CD', '0.14.0'],
    ['mcp-http', 'claude-ai/0.1.0', 'Claude', 'Cl', '0.1.0'],
    ['mcp-http', 'cursor-vscode/1.0.0', 'Cursor', 'Cu', '1.0.0'],
    ['mcp-http', 'my script/2', 'my script', 'MS', '2'],
    ['mcp-http', 'constructor', 'constructor', 'co'],
    ['mcp-http', 'zed', 'zed', 'ze'],
    ['mcp-http', 'evil\u202e\nname/1', 'evil name', 'EN', '1'],
    ['mcp-http', 'you/1', 'An app called “you”', 'AA', '1'],
    ['mcp-http', 'Cursor · token “laptop”/1', 'Cursor token “laptop”', 'CT', '1'],
    ['mcp-http', '💥/1', '💥', '?', '1'],
    ['mcp-http', undefined, 'An app', 'AA'],
    ['bridge', undefined, 'A script', 'AS'],
    ['cli', undefined, 'You', 'Me'],
    ['console', 'anything', 'You', 'Me'],
  ])('%s %j', (door, client, name, letters, version) => {
    const shown = shownClient(door, client);
    expect([shown.name, shown.letters, shown.version]).toEqual([name, letters, version]);
  });

  it('cuts long names', () => {
    expect(shownClient('mcp-http', 'x'.repeat(10_000)).name).toHaveLength(60);
  });
});

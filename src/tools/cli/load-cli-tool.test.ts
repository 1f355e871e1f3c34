import { expect, it } from 'vitest';
import { cliToolGroups } from './cli-toolset.ts';
import { cliToolNames, loadCliTool } from './load-cli-tool.ts';

it('loads every command by its name, and knows no other', async () => {
  const tools = cliToolGroups.flatMap((group) => group.tools);
  expect([...cliToolNames].sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const tool of tools) expect(await loadCliTool(tool.name)).toBe(tool);
  expect(await loadCliTool('nothing')).toBeUndefined();
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolsetVault } from '../../../test/support/toolset-service.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { allScopes } from '../../base/caller.ts';
import type { AnyTool } from '../define/define-tool.ts';
import { listedTool } from '../service/listed-tool.ts';
import { obsidianToolset } from './obsidian-toolset.ts';

const { tools } = obsidianToolset();

const files = {
  '.obsidian/app.json': '{"x":"PRIVATE"}',
  '.obsidian/templates.json': '{"folder":"T"}',
  '.secret/N.md': 'PRIVATE',
  'x/.hidden.md': 'PRIVATE',
  'A.md': '- [ ] a\n',
  'T/T.md': 't',
};

/** A value for every argument that a tool needs, and what it takes beside them. */
const values: Readonly<Record<string, unknown>> = {
  name: 'A',
  path: 'A',
  content: 'x',
  to: 'x/',
  new_name: 'B',
  query: 'x',
  property: 'p',
  value: 'v',
  line: 1,
  template: 'T',
  folder: 'T',
  version: 1,
  from: 1,
  id: 'app:reload',
};

/** The arguments that name a file or a folder. */
const naming = ['name', 'path', 'to', 'new_name', 'template', 'folder'];
const hidden = [
  '.obsidian/app.json',
  '.secret/N.md',
  '.secret',
  'x/.hidden.md',
  '../A.md',
  '/A.md',
];

function argumentsOf(tool: AnyTool): string[] {
  return Object.keys(listedTool(tool).inputSchema['properties'] as object);
}

function needed(tool: AnyTool): Record<string, unknown> {
  const { required = [] } = listedTool(tool).inputSchema as { required?: readonly string[] };
  return Object.fromEntries(required.map((name) => [name, values[name]]));
}

let vault: ToolsetVault;

beforeAll(async () => {
  vault = await openToolset(files, { ...obsidianToolset() });
});

afterAll(() => vault.close());

const places = tools.flatMap((tool) =>
  argumentsOf(tool)
    .filter((argument) => naming.includes(argument))
    .flatMap((argument) => [argument, ...(argument === 'name' ? ['path'] : [])])
    .map((argument) => [tool, argument] as const),
);

describe('every tool', () => {
  it.each(places.map(([tool, argument]) => [tool.name, argument, tool] as const))(
    '%s refuses what is hidden or outside as %s',
    async (name, argument, tool) => {
      for (const place of hidden) {
        const { name: _, ...rest } = needed(tool);
        const others = argument === 'path' ? rest : needed(tool);
        const { ok, text } = await vault.call(name, { ...others, [argument]: place });
        expect(ok, `${place}: ${text}`).toBe(false);
        expect(text).not.toContain('PRIVATE');
      }
      expect(vault.files()).toEqual(files);
    },
  );

  it.each(
    tools.filter(({ effect }) => effect !== 'read').map((tool) => [tool.name, tool] as const),
  )('%s does nothing for someone who may only read', async (name, tool) => {
    const scopes = { ...allScopes, effects: ['read'] as const };
    const { code } = await vault.call(name, { ...needed(tool), url: 'https://x.org' }, { scopes });
    expect(code).toBe('forbidden');
    expect(vault.files()).toEqual(files);
  });

  it.each(
    tools.filter(({ effect }) => effect === 'read').map((tool) => [tool.name, tool] as const),
  )('%s changes nothing', async (name, tool) => {
    await vault.call(name, needed(tool));
    expect(vault.files()).toEqual(files);
  });

  it('records nothing of what a note holds', () => {
    const recorded = tools.flatMap(({ record }) => record);
    const texts = ['content', 'value', 'query', 'search', 'title'];
    expect(recorded.filter((name) => texts.includes(name))).toEqual([]);
    const unknown = tools.flatMap((tool) =>
      tool.record.filter((name) => !Object.keys(tool.input.shape).includes(name)),
    );
    expect(unknown).toEqual([]);
  });
});

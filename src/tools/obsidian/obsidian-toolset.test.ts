import { describe, expect, it } from 'vitest';
import { obsidianCalls } from '../../../test/contract/obsidian-calls.ts';
import { sentList } from '../../../test/support/sent-list.ts';
import { listedTool } from '../service/listed-tool.ts';
import { obsidianToolset } from './obsidian-toolset.ts';

const { tools } = obsidianToolset();
const names = tools.map(({ name }) => name);
describe('the obsidian toolset', () => {
  it('has the tools of test/contract/obsidian-calls.ts, begins with the nine of the seed', () => {
    expect(names.toSorted()).toEqual(obsidianCalls.map(({ tool }) => tool).toSorted());
    const ofSeed = obsidianCalls.filter(({ isOfSeed }) => isOfSeed).map(({ tool }) => tool);
    expect(ofSeed).toHaveLength(9);
    expect(names.slice(0, ofSeed.length).toSorted()).toEqual(ofSeed.toSorted());
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^obsidian_[a-z_]+$/.test(name))).toEqual([]);
  });

  it('is listed in less than 24,000 bytes', () => {
    const { length } = new TextEncoder().encode(sentList(obsidianToolset()));
    expect(length).toBeLessThan(24_000);
    expect(length).toBeGreaterThan(12_000);
  });

  it('lists obsidian_create_note with the words of the seed', () => {
    const [create] = tools.map(listedTool);
    expect(create).toMatchObject({
      name: 'obsidian_create_note',
      description: 'Create a new note in the vault',
    });
    expect(create?.inputSchema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Note name (without .md extension) or exact path' },
        content: { type: 'string', description: 'Initial note content (markdown)' },
        overwrite: { type: 'boolean', description: 'Overwrite if file exists' },
      },
      required: ['name'],
    });
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s shows each argument with a type and a description, and no path beside a name',
    (_name, tool) => {
      const { properties } = listedTool(tool).inputSchema as {
        properties: Record<string, { type?: unknown; description?: string }>;
      };
      const bad = Object.entries(properties).filter(
        ([, { type, description = '' }]) => type === undefined || description === '',
      );
      expect(bad).toEqual([]);
      expect('name' in properties && 'path' in properties).toBe(false);
      expect(tool.description.length).toBeLessThan(120);
    },
  );

  it.each<[string, readonly string[]]>([
    ['obsidian_append_note', ['name', 'content']],
    ['obsidian_move_note', ['name', 'to']],
    ['obsidian_task_set', ['name', 'line']],
    ['obsidian_property_set', ['name', 'property', 'value']],
    ['obsidian_history_diff', ['name', 'from']],
    ['obsidian_search', ['query']],
    ['obsidian_daily_append', ['content']],
  ])('%s needs %j', (name, required) => {
    const tool = tools.find((each) => each.name === name);
    expect(tool && listedTool(tool).inputSchema['required']).toEqual(required);
  });

  it.each(obsidianCalls)('says that $tool is one to $effect', ({ tool: name, effect }) => {
    expect(tools.find((tool) => tool.name === name)?.effect).toBe(effect);
  });
});

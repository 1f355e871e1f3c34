import { describe, expect, it } from 'vitest';
import { sentList } from '../../../test/support/sent-list.ts';
import { listedTool } from '../service/listed-tool.ts';
import { notesToolset } from './notes-toolset.ts';

const options = { tagPolicy: 'enforce', history: true, contextEveryMs: 0 } as const;
const tools = notesToolset(options).tools;
const seedTools = [
  'append_note',
  'append_section',
  'create_note',
  'delete_note',
  'get_frontmatter',
  'get_links',
  'insert_note',
  'list_notes',
  'read_note',
  'read_section',
  'rename_note',
  'replace_note',
  'search_notes',
  'set_frontmatter',
  'update_note',
];

describe('the notes toolset', () => {
  it('has the fifteen tools of the seed, and two for history unless they are left out', () => {
    const names = tools.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...seedTools, 'list_changes', 'undo_change'].toSorted());
    const without = notesToolset({ ...options, history: false }).tools;
    expect(without.map(({ name }) => name).toSorted()).toEqual(seedTools);
  });

  it('is listed in less than 12,000 bytes, some 3,000 tokens', () => {
    const { length } = new TextEncoder().encode(sentList(notesToolset(options)));
    expect(length).toBeLessThan(12_000);
    expect(length / 4).toBeLessThan(3_000);
    expect(length).toBeGreaterThan(5_000);
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
      expect(Object.keys(properties)).not.toContain('path');
      expect(tool.description.length).toBeLessThan(260);
    },
  );

  it('says which tools write and which take away', () => {
    const named = (effect: string): string[] =>
      tools.filter((tool) => tool.effect === effect).map(({ name }) => name);
    expect(named('destroy')).toEqual(['delete_note', 'undo_change']);
    expect(named('read').toSorted()).toEqual([
      'get_frontmatter',
      'get_links',
      'list_changes',
      'list_notes',
      'read_note',
      'read_section',
      'search_notes',
    ]);
  });
});

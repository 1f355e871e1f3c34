import { describe, expect, it } from 'vitest';
import { notesCalls } from '../../../test/contract/notes-calls.ts';
import { notesListMax } from '../../../test/support/notes-list-limits.ts';
import { sentList } from '../../../test/support/sent-list.ts';
import { openToolset } from '../../../test/support/toolset-service.ts';
import { listedTool } from '../service/listed-tool.ts';
import { notesToolset } from './notes-toolset.ts';

const options = { tagPolicy: 'enforce', history: true, contextEveryMs: 0 } as const;
const tools = notesToolset(options).tools;
/** What seed 003 names; a new tool does not come here. */
const seedTools =
  'append_note append_section create_note delete_note get_frontmatter get_links insert_note list_notes read_note read_section rename_note replace_note search_notes set_frontmatter update_note';
describe('the notes toolset', () => {
  it('has the tools of test/contract/notes-calls.ts, those of the seed among them', () => {
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      notesCalls.map(({ tool }) => tool).toSorted(),
    );
    const ofSeed = notesCalls.filter(({ isOfSeed }) => isOfSeed).map(({ tool }) => tool);
    expect(ofSeed.toSorted().join(' ')).toBe(seedTools);
  });

  it('leaves out the tools for history where they are not wanted', () => {
    const without = notesToolset({ ...options, history: false }).tools;
    const left = tools.filter((tool) => !without.some(({ name }) => name === tool.name));
    expect(left.map(({ name }) => name)).toEqual(['list_changes', 'undo_change']);
  });

  it('names none of them in the answer to a rename that joins two tags', async () => {
    const files = { 'a.md': '#old #new\n', 'b.md': '#old\n' };
    const vault = await openToolset(files, notesToolset({ ...options, history: false }));
    const { text } = await vault.call('rename_note', { old_name: '#old', new_name: '#new' });
    expect(text).toContain('1 note had the new tag already.');
    expect(text).not.toContain('undo_change');
  });

  it.each([false, true])(
    'is no longer than test/support/notes-list-limits.ts allows',
    (attachFrom) => {
      const { length } = new TextEncoder().encode(
        sentList(notesToolset({ ...options, attachFrom })),
      );
      expect(tools.length).toBeLessThanOrEqual(notesListMax.tools);
      expect(length).toBeLessThanOrEqual(notesListMax.bytes);
      expect(length).toBeGreaterThan(5_000);
    },
  );

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s shows each argument with a type and a description, and read_note alone a path beside a name',
    (_name, tool) => {
      const { properties } = listedTool(tool).inputSchema as {
        properties: Record<string, { type?: unknown; description?: string }>;
      };
      const bad = Object.entries(properties).filter(
        // What `limit` and `offset` are, their names say.
        ([name, { type, description = '' }]) =>
          type === undefined || (description === '' && !['limit', 'offset'].includes(name)),
      );
      expect(bad).toEqual([]);
      expect('path' in properties).toBe(tool.name === 'read_note');
      expect(tool.description.length).toBeLessThan(260);
    },
  );

  it.each(notesCalls)('says that $tool is one to $effect', ({ tool: name, effect }) => {
    expect(tools.find((tool) => tool.name === name)?.effect).toBe(effect);
  });

  it('lets the name of a note tell which of several vaults is meant', () => {
    const naming = tools.filter((tool) => {
      const { required = [] } = listedTool(tool).inputSchema as { required?: readonly string[] };
      return required.includes('name') && !/^(?:create_note|write_attachment)$/.test(tool.name);
    });
    expect(naming.filter(({ existing }) => existing !== 'name').map(({ name }) => name)).toEqual(
      [],
    );
    expect(naming.length).toBeGreaterThan(5);
  });
});

import { describe, expect, it } from 'vitest';
import { allScopes, type Right } from '../../base/caller.ts';
import { notesIntroduction } from './instructions.ts';

function notesInstructions(
  options: Parameters<typeof notesIntroduction>[0],
  effects: readonly Right[],
): string {
  return notesIntroduction(options).instructions?.(effects) ?? '';
}

describe('the instructions of the notes toolset', () => {
  it('are short', () => {
    const text = notesInstructions({ tagPolicy: 'strict', history: true }, allScopes.effects);
    expect(text.length).toBeLessThanOrEqual(1_200);
    expect(text).toContain('rename_note');
  });

  it('speak only of tools that are served', () => {
    const text = notesInstructions({ tagPolicy: 'enforce', history: false }, allScopes.effects);
    expect(text).not.toMatch(/list_changes|undo_change/);
    expect(text).toContain('Ask the user before creating new tags or deleting notes.');
  });

  it('promise no list of notes where auto-context is off', () => {
    const options = { tagPolicy: 'enforce', history: true, contextPlace: 'off' } as const;
    expect(notesInstructions(options, allScopes.effects)).not.toContain("the tag 'claude'");
  });

  it('name no tool that writes to who may only read', () => {
    const text = notesInstructions({ tagPolicy: 'enforce', history: true }, ['read']);
    expect(text).not.toMatch(/replace_note|rename_note|set_frontmatter|undo|new tags|delet/);
    expect(text).toContain('search_notes');
    expect(text).toContain("the tag 'claude'");
  });

  it('say where who may only propose finds what became of it', () => {
    const rights: readonly Right[] = ['read', 'propose'];
    for (const history of [true, false]) {
      const text = notesInstructions({ tagPolicy: 'enforce', history }, rights);
      expect(text).toMatch(/only proposed here.*list_proposals says later what became/);
    }
  });

  it('ask for no agreement about tags where none is needed', () => {
    const text = notesInstructions({ tagPolicy: 'off', history: true }, allScopes.effects);
    expect(text).toContain('Ask the user before deleting notes.');
    expect(text).toContain('undo_change');
  });
});

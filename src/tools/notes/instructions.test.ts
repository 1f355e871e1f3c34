import { describe, expect, it } from 'vitest';
import { notesInstructions } from './instructions.ts';

describe('notesInstructions', () => {
  it('are short', () => {
    const text = notesInstructions({ tagPolicy: 'strict', history: true });
    expect(text.length).toBeLessThanOrEqual(1_200);
    expect(text).toContain('rename_note');
  });

  it('speak only of tools that are served', () => {
    const text = notesInstructions({ tagPolicy: 'enforce', history: false });
    expect(text).not.toMatch(/list_changes|undo_change/);
    expect(text).toContain('Ask the user before creating new tags or deleting notes.');
  });

  it('ask for no agreement about tags where none is needed', () => {
    const text = notesInstructions({ tagPolicy: 'off', history: true });
    expect(text).toContain('Ask the user before deleting notes.');
    expect(text).toContain('undo_change');
  });
});

import { describe, expect, it } from 'vitest';
import { diffText } from '../../tools/cli/change-text.ts';
import { paintFor } from './terminal.ts';

const terminal = { isTTY: true };
const pipe = { isTTY: false };

describe('paintFor', () => {
  it('has colours on a terminal only, and none where they are not wanted', () => {
    expect(paintFor(terminal, {}).bad('x')).toBe('\u001b[31mx\u001b[39m');
    expect(paintFor(terminal, { NO_COLOR: '' }).bad('x')).toBe('\u001b[31mx\u001b[39m');
    expect(paintFor(terminal, { NO_COLOR: '1' }).bad('x')).toBe('x');
    expect(paintFor(terminal, { TERM: 'dumb' }).bad('x')).toBe('x');
    expect(paintFor(pipe, {}).bad('x')).toBe('x');
  });

  const note = '\ta\u001b[2Jb\r\nc\rd\u202ee\n\n日本 👩‍👩‍👧\n';
  it('lets no note steer a terminal, with colours or without', () => {
    const seen = '\ta·[2Jb\r\nc·d·e\n\n日本 👩‍👩‍👧\n';
    expect(paintFor(terminal, {}).content(note)).toBe(seen);
    expect(paintFor(terminal, { NO_COLOR: '1' }).content(note)).toBe(seen);
    expect(diffText(`+${note}`, paintFor(terminal, {}))).not.toContain('\u001b[2J');
  });

  it('hands a note on as it is to anything else', () => {
    expect(paintFor(pipe, {}).content(note)).toBe(note);
    expect(diffText(`+${note}`, paintFor(pipe, {}))).toBe(`+${note}`);
  });
});

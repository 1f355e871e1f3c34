import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { diffText } from '../../tools/cli/change-text.ts';
import { askAt, paintFor, progressLine } from './terminal.ts';

const terminal = { isTTY: true, columns: 80 };
const pipe = { isTTY: false };
const red = '\u001b[31mx\u001b[39m';

describe('paintFor', () => {
  it.each([
    [terminal, {}, red],
    [terminal, { NO_COLOR: '' }, red],
    [terminal, { NO_COLOR: '1' }, 'x'],
    [terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, 'x'],
    [terminal, { TERM: 'dumb' }, 'x'],
    [terminal, { TERM: 'dumb', FORCE_COLOR: '1' }, red],
    [terminal, { CLICOLOR: '0' }, 'x'],
    [terminal, { FORCE_COLOR: '0' }, 'x'],
    [terminal, { CLICOLOR_FORCE: '0' }, red],
    [pipe, {}, 'x'],
    [pipe, { FORCE_COLOR: '1' }, red],
    [pipe, { FORCE_COLOR: '' }, 'x'],
    [pipe, { CLICOLOR_FORCE: '1' }, red],
    [pipe, { CLICOLOR_FORCE: '0' }, 'x'],
  ])('%j with %j', (stream, env, expected) => {
    expect(paintFor(stream, env).bad('x')).toBe(expected);
  });

  const note = '\ta\u001b[2Jb\r\nc\rd\u202ee\n\n日本 👩‍👩‍👧\n';
  it('lets no note steer a terminal, with colours or without', () => {
    const seen = '\ta·[2Jb\r\nc·d·e\n\n日本 👩‍👩‍👧\n';
    expect(paintFor(terminal, {}).content(note)).toBe(seen);
    expect(paintFor(terminal, { NO_COLOR: '1' }).content(note)).toBe(seen);
    expect(diffText(`+${note}`, paintFor(terminal, {}))).not.toContain('\u001b[2J');
  });

  it('hands a note on as it is to anything else, even with colours', () => {
    expect(paintFor(pipe, {}).content(note)).toBe(note);
    expect(paintFor(pipe, { FORCE_COLOR: '1' }).content(note)).toBe(note);
    expect(diffText(`+${note}`, paintFor(pipe, {}))).toBe(`+${note}`);
  });

  it('cuts lines and tells relative times at a terminal only', () => {
    const ago = Date.now() - 3 * 60_000;
    expect(paintFor(terminal, {}).when(ago)).toBe('3 minutes ago');
    expect(paintFor(pipe, {}).when(ago)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(paintFor(terminal, {}).when(0)).toMatch(/^19(69|70)-\d\d-\d\d \d\d:\d\d$/);
    expect(paintFor(terminal, {}).columns).toBe(80);
    expect(paintFor(pipe, { FORCE_COLOR: '1' }).columns).toBeUndefined();
    expect(paintFor({ isTTY: true, columns: 0 }, {}).columns).toBeUndefined();
  });
});

describe('progressLine', () => {
  function written(stream: { isTTY: boolean; columns?: number }) {
    let nowMs = 0;
    let text = '';
    const write = (part: string | Uint8Array): boolean => {
      text += String(part);
      return true;
    };
    const line = progressLine({ ...stream, write }, () => nowMs);
    const at = (ms: number, message: string): void => {
      nowMs = ms;
      line.show({ done: 0, message });
    };
    return { at, clear: line.clear, text: () => text };
  }

  it('shows nothing within half a second, then each message once, and removes it', () => {
    const { at, clear, text } = written({ isTTY: true, columns: 12 });
    at(400, 'early');
    expect(text()).toBe('');
    at(600, 'reading');
    at(700, 'reading');
    at(800, 'a message that is too long\u001b[2J');
    clear();
    clear();
    expect(text()).toBe('\r\u001b[Kreading\r\u001b[Ka message …\r\u001b[K');
  });

  it('shows nothing in a pipe', () => {
    const { at, clear, text } = written({ isTTY: false });
    at(5_000, 'reading');
    clear();
    expect(text()).toBe('');
  });
});

describe('askAt', () => {
  it.each<[typed: string, enter: 'yes' | undefined, prompt: string, isYes: boolean]>([
    ['\n', 'yes', 'Undo? [Y/n] ', true],
    ['Yes\n', 'yes', 'Undo? [Y/n] ', true],
    ['n\n', 'yes', 'Undo? [Y/n] ', false],
    ['what\n', 'yes', 'Undo? [Y/n] ', false],
    ['', 'yes', 'Undo? [Y/n] ', false],
    ['\n', undefined, 'Undo? [y/N] ', false],
    ['y\n', undefined, 'Undo? [y/N] ', true],
  ])('takes %j, where Enter means %s', async (typed, enter, prompt, isYes) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true }) as unknown as ReadStream;
    let shown = '';
    const write = (text: string): boolean => {
      shown += text;
      return true;
    };
    const ask = askAt(stdin, { isTTY: true, write }, new AbortController().signal);
    const answer = ask?.('Undo?', enter);
    (stdin as unknown as PassThrough).end(typed);
    expect(await answer).toBe(isYes);
    expect(shown).toBe(prompt);
  });

  it('asks nobody where input or output is not a terminal', () => {
    const { signal } = new AbortController();
    const stdin = Object.assign(new PassThrough(), { isTTY: false }) as unknown as ReadStream;
    expect(askAt(stdin, { isTTY: true, write: () => true }, signal)).toBeUndefined();
  });
});

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Shell } from '../shell/shell.ts';
import { askYes } from './ask-question.ts';

/** What a person who types these lines answers, and what is shown meanwhile. */
async function typed(...lines: readonly string[]) {
  const stdin = new PassThrough();
  let shown = '';
  const left = [...lines];
  const stderr = {
    write: (text: string) => {
      shown += text;
      const line = /\[Y\/n\] $/.test(text) ? left.shift() : undefined;
      if (line !== undefined) setImmediate(() => stdin.write(`${line}\n`));
    },
  };
  const { signal } = new AbortController();
  const answer = await askYes({ stdin, stderr, signal } as unknown as Shell, 'Choose it now?');
  return { answer, shown };
}

describe('a question for y or n', () => {
  it.each([
    ['', true],
    ['y', true],
    ['Yes', true],
    ['n', false],
    ['no', false],
  ])('takes %j', async (line, answer) => {
    expect((await typed(line)).answer).toBe(answer);
  });

  it('is asked again after anything else, which is not repeated', async () => {
    const { answer, shown } = await typed('four words of nine', 'y');
    expect(answer).toBe(true);
    expect(shown.match(/Choose it now/g)).toHaveLength(2);
    expect(shown).toContain('Type y or n.');
    expect(shown).not.toContain('four words');
  });

  it('is given up after too many such answers', async () => {
    await expect(typed(...Array.from({ length: 20 }, () => 'x'))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

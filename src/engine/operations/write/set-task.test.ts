import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { setTask } from './set-task.ts';

type SetTaskRequest = Parameters<typeof setTask>[1];

const note = '# Head\r\n- [ ] open\r\n  1. [x] done [ ]\r\n- [/] half\n- [] none\n> - [ ] quoted';

async function check(request: Omit<SetTaskRequest, 'name'>) {
  const opened = await openWrittenVault({ 'Note.md': note });
  try {
    const result = await opened.change(setTask, { name: 'Note', ...request });
    expect(await opened.indexFaults()).toEqual([]);
    return { result, text: opened.text('Note.md') };
  } finally {
    await opened.close();
  }
}

describe('setTask', () => {
  it.each<readonly [line: number, status: string | undefined, before: string, after: string]>([
    [2, undefined, '- [ ] open', '- [x] open'],
    [3, undefined, '1. [x] done [ ]', '1. [ ] done [ ]'],
    [4, undefined, '- [/] half', '- [ ] half'],
    [6, undefined, '> - [ ] quoted', '> - [x] quoted'],
    [2, 'done', '- [ ] open', '- [x] open'],
    [3, 'done', '[x] done', '[x] done'],
    [3, 'todo', '[x] done', '[ ] done'],
    [2, '>', '- [ ] open', '- [>] open'],
    [2, 'X', '- [ ] open', '- [X] open'],
  ])('line %i to %j changes that character alone', async (line, status, before, after) => {
    const { result, text } = await check(status === undefined ? { line } : { line, status });
    expect(text).toBe(note.replace(before, after));
    expect(result).toMatchObject({ path: 'Note.md', line });
    expect(result.change === undefined).toBe(before === after);
  });

  it('answers the task as it is now', async () => {
    const { result } = await check({ line: 2 });
    expect(result).toMatchObject({ status: 'x', text: 'open', heading: 'Head' });
  });

  it.each<readonly [request: Omit<SetTaskRequest, 'name'>, code: string, says: RegExp]>([
    [{ line: 1 }, 'not_found', /tasks are on lines 2, 3, 4, 6/],
    [{ line: 5 }, 'not_found', /no task on line 5/],
    [{ line: 99 }, 'not_found', /line 99/],
    [{ line: 2, status: 'later' }, 'invalid_input', /one character/],
    [{ line: 2, status: '\n' }, 'invalid_input', /no longer be a task/],
    [{ line: 2, version: 'other' as never }, 'conflict', /read it again/],
  ])('refuses %j', async (request, code, says) => {
    await expect(check(request)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
  });
});

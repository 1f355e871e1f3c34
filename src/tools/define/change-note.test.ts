import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { VaultError } from '../../base/vault-error.ts';
import { createNote } from '../../engine/operations/write/create-note.ts';
import type { TagRules } from '../../engine/tags/tag-rules.ts';
import { changeNote } from './change-note.ts';

/** What was asked of a person who answers so, how the call ended, and the files that are there. */
async function create(
  tags: readonly string[],
  answer: boolean | undefined,
  rules: TagRules = { policy: 'enforce', newTags: [] },
) {
  const opened = await openWrittenVault({ 'A.md': '#vc\n' });
  const questions: string[] = [];
  const ask = (question: string): Promise<boolean> => {
    questions.push(question);
    return Promise.resolve(answer === true);
  };
  const vault = opened.as(answer === undefined ? {} : { ask });
  const request = { path: 'New', properties: { tags: [...tags] } };
  const ended = await changeNote(vault, createNote, request, { tags: rules }).then(
    ({ newTags }) => newTags,
    (error: VaultError) => error.code,
  );
  const files = Object.keys(opened.files());
  await opened.close();
  return { questions, ended, made: files.includes('New.md') };
}

describe('changeNote under rules about tags', () => {
  it.each<[name: string, Parameters<typeof create>, Awaited<ReturnType<typeof create>>]>([
    [
      'asks nobody about what is allowed',
      [['VC'], false],
      { questions: [], ended: [], made: true },
    ],
    [
      'goes on when the person agrees',
      [['vc', 'career'], true],
      {
        questions: ["May the new tag 'career' be added to the vault?"],
        ended: ['career'],
        made: true,
      },
    ],
    [
      'lets the refusal stand when they do not',
      [['a', 'b'], false],
      {
        questions: ["May the new tags 'a', 'b' be added to the vault?"],
        ended: 'tag_not_allowed',
        made: false,
      },
    ],
    [
      'lets it stand where nobody can be asked',
      [['career'], undefined],
      { questions: [], ended: 'tag_not_allowed', made: false },
    ],
    [
      'asks only about what is not agreed to yet',
      [['a', 'b'], true, { policy: 'strict', newTags: ['a'] }],
      {
        questions: ["May the new tag 'b' be added to the vault?"],
        ended: ['a', 'b'],
        made: true,
      },
    ],
    [
      'asks nobody to read a long list',
      [Array.from({ length: 21 }, (_, at) => `n${at}`), true],
      { questions: [], ended: 'tag_not_allowed', made: false },
    ],
  ])('%s', async (_name, args, expected) => {
    expect(await create(...args)).toEqual(expected);
  });

  it('passes other failures on, and asks once at most', async () => {
    const opened = await openWrittenVault({});
    let asked = 0;
    const ask = (): Promise<boolean> => Promise.resolve(++asked > 0);
    const rules: TagRules = { policy: 'enforce', newTags: [] };
    const failing = (code: 'conflict' | 'tag_not_allowed') =>
      changeNote(
        opened.as({ ask }),
        () => Promise.reject(new VaultError(code, 'No.', { details: { tags: ['x'] } })),
        {},
        { tags: rules },
      );
    await expect(failing('conflict')).rejects.toMatchObject({ code: 'conflict' });
    expect(asked).toBe(0);
    await expect(failing('tag_not_allowed')).rejects.toMatchObject({ code: 'tag_not_allowed' });
    expect(asked).toBe(1);
    await opened.close();
  });
});

describe('changeNote with advice', () => {
  it('adds the advice for the code of a failure, and none to other failures', async () => {
    const opened = await openWrittenVault({});
    const there = 'There is already "A.md".';
    const failing = () =>
      Promise.reject(new VaultError('already_exists', there, { details: { path: 'A.md' } }));
    const create = (advice: Parameters<typeof changeNote>[3]) =>
      changeNote(opened.as({}), failing, {}, advice);
    await expect(create({})).rejects.toMatchObject({ message: there });
    await expect(create({ advice: { already_exists: 'Append.' } })).rejects.toMatchObject({
      code: 'already_exists',
      message: `${there} Append.`,
      details: { path: 'A.md' },
    });
    await expect(create({ advice: { not_found: 'Look.' } })).rejects.toMatchObject({
      message: there,
    });
    await expect(
      create({ advice: { already_exists: ({ details }) => `Not ${details['path']}.` } }),
    ).rejects.toMatchObject({ message: `${there} Not A.md.` });
    await opened.close();
  });

  it('gives advice on the failure that the person answered to last', async () => {
    const opened = await openWrittenVault({});
    const vault = opened.as({ ask: () => Promise.resolve(false) });
    const request = { path: 'New', properties: { tags: ['x'] } };
    const refused = changeNote(vault, createNote, request, {
      tags: { policy: 'enforce', newTags: [] },
      advice: { tag_not_allowed: 'Leave it.' },
    });
    await expect(refused).rejects.toThrow(/nested ones \(a of a\/b\)\. Leave it\.$/);
    await opened.close();
  });
});

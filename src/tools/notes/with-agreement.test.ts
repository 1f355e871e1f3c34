import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { VaultError } from '../../base/vault-error.ts';
import { createNote } from '../../engine/operations/write/create-note.ts';
import { type TagRules, withTagRules } from '../../engine/tags/tag-rules.ts';
import { withAgreement } from './with-agreement.ts';

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
  const ended = await withAgreement(vault, rules, (agreed) =>
    vault.change(withTagRules(createNote, agreed), request),
  ).then(
    ({ newTags }) => newTags,
    (error: VaultError) => error.code,
  );
  const files = Object.keys(opened.files());
  await opened.close();
  return { questions, ended, made: files.includes('New.md') };
}

describe('withAgreement', () => {
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
      withAgreement(opened.as({ ask }), rules, () =>
        Promise.reject(new VaultError(code, 'No.', { details: { tags: ['x'] } })),
      );
    await expect(failing('conflict')).rejects.toMatchObject({ code: 'conflict' });
    expect(asked).toBe(0);
    await expect(failing('tag_not_allowed')).rejects.toMatchObject({ code: 'tag_not_allowed' });
    expect(asked).toBe(1);
    await opened.close();
  });
});

import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { TagPolicy } from '../decide/tag-policy.ts';
import { appendNote } from '../operations/write/append-note.ts';
import { createNote } from '../operations/write/create-note.ts';
import { replaceInNote } from '../operations/write/replace-in-note.ts';
import { setNoteProperty } from '../operations/write/set-note-property.ts';
import { updateBody } from '../operations/write/update-body.ts';
import type { Operation } from '../vault/draft.ts';
import { applyTagRules, type NoteResult, type TagRules } from './tag-rules.ts';

/** A vault with the tags `vc`, `vc/project`, `Person` and, nested, `area/desk/x`; N has its own. */
const files = {
  'A.md': '---\ntags: [vc, vc/project]\n---\n#Person and `#code`\n',
  'B.md': '#area/desk/x #person\n',
  'N.md': '---\ntags: [own]\n---\nText #mine\n',
};

interface Asked {
  readonly policy?: TagPolicy;
  readonly newTags?: readonly string[];
  readonly hide?: readonly string[];
}

/** The operation with the rules applied to what it planned, as `changeNote` runs them. */
function withTagRules<Request, Result extends NoteResult>(
  operation: Operation<Request, Result>,
  rules: TagRules,
): Operation<Request, Result & { readonly newTags: readonly string[] }> {
  return async (draft, request) => applyTagRules(draft, await operation(draft, request), rules);
}

/** What became of a change: its answer and the file, or the refusal, with the file untouched. */
async function run<Request extends object, Result extends { path: never }>(
  operation: unknown,
  request: object,
  { policy = 'enforce', newTags = [], hide = [] }: Asked = {},
) {
  const opened = await openWrittenVault(files);
  const before = opened.files();
  try {
    const vault = opened.as({ scopes: { ...allScopes, hide } });
    const ruled = withTagRules(operation as Operation<Request, Result>, { policy, newTags });
    const answer = await vault.change(ruled, request as Request);
    return { newTags: answer.newTags, answer, text: opened.text(answer.path) };
  } catch (error) {
    if (!(error instanceof VaultError) || error.code !== 'tag_not_allowed') throw error;
    expect(opened.files()).toEqual(before);
    return { refused: error.details['tags'], message: error.message, details: error.details };
  } finally {
    await opened.close();
  }
}

const create = (content: string, asked?: Asked) => run(createNote, { path: 'New', content }, asked);
const append = (text: string, asked?: Asked) => run(appendNote, { name: 'N', text }, asked);
const setTags = (value: unknown, asked?: Asked) =>
  run(setNoteProperty, { name: 'N', key: 'tags', value }, asked);

describe('tags in properties', () => {
  const noted = (tags: string): string => `---\ntags: ${tags}\n---\n`;

  it.each<[name: string, content: string, refused: readonly string[] | undefined]>([
    ['allows what the vault has', noted('[vc, vc/project, area/desk/x]'), undefined],
    ['allows tags that others are nested under', noted('[area, area/desk]'), undefined],
    ['refuses claude as any other', noted('[claude, "#CLAUDE"]'), ['claude']],
    ['does not allow what is nested under an allowed one', noted('[vc/other]'), ['vc/other']],
    ['refuses what the vault does not have', noted('[vc, career]'), ['career']],
    ['names each refused tag once', noted('[a, "#A", b]'), ['a', 'b']],
    ['does not count a tag in code', noted('[code]'), ['code']],
    ['reads one tag (T16)', noted('career'), ['career']],
    ['reads JSON (T20)', '---\n{"tags":"career"}\n---\n', ['career']],
    ['refuses what is meant as tags (T17)', noted('career, vc'), ['career']],
    ['refuses under the old name of the property (T19)', '---\ntag: career\n---\n', ['career']],
    ['takes a name in any case', '---\nTAGS: [career]\n---\n', ['career']],
    ['leaves alone what is no tag', noted('[7, null, "two words", "#"]'), undefined],
    ['leaves alone what is no valid YAML', '---\ntags: [career\n---\n', undefined],
  ])('%s', async (_name, content, refused) => {
    expect((await create(content)).refused).toEqual(refused);
  });

  it('are refused before anything is written, whichever way they come', async () => {
    const properties = { tags: ['career'] };
    expect((await run(createNote, { path: 'New', properties })).refused).toEqual(['career']);
    expect((await setTags('vc, career')).refused).toEqual(['career']);
    const empty = await run(replaceInNote, { name: 'B', find: '#area', put: '---\ntags: x\n---' });
    expect(empty.refused).toBeUndefined(); // In the middle of a line it is text.
  });

  it('are only the fault of the change that adds them', async () => {
    expect((await setTags(['own', 'mine', 'vc'])).newTags).toEqual([]);
    const opened = await openWrittenVault(files);
    // Somebody else has just written it; the index does not know yet.
    opened.disk.write('N.md', '---\ntags: [late]\n---\n#later\n');
    const ruled = withTagRules(appendNote, { policy: 'strict', newTags: [] });
    const answer = await opened.change(ruled, { name: 'N', text: '#late #later' });
    expect(answer.newTags).toEqual([]);
    await opened.close();
  });

  it('are those that the caller can see', async () => {
    const answer = await create(noted('[vc]'), { hide: ['A.md'] });
    expect(answer.refused).toEqual(['vc']);
    expect(answer.message).not.toContain('project');
  });

  it('are written when the user has agreed, and reported', async () => {
    const answer = await create(noted('[vc, "#Career", b]'), { newTags: ['#career', 'B'] });
    expect(answer).toMatchObject({ newTags: ['Career', 'b'], text: noted('[vc, "Career", b]') });
    expect((await create(noted('[career/x]'), { newTags: ['career'] })).refused).toEqual([
      'career/x',
    ]);
  });

  it.each<[value: unknown, text: string, stored: unknown]>([
    [['VC', '#PERSON'], '[vc, Person]', ['vc', 'Person']],
    ['Area/Desk', '[area/desk]', ['area/desk']],
    [['own', 'VC/Project'], '[own, vc/project]', ['own', 'vc/project']],
    [['OWN'], '[own]', ['own']],
  ])('are spelled as in the vault: %j', async (value, text, stored) => {
    const answer = await setTags(value);
    expect(answer.text).toBe(`---\ntags: ${text}\n---\nText #mine\n`);
    expect(answer.answer).toMatchObject({ value: stored, newTags: [] });
  });

  it('keep every other byte of the block', async () => {
    const content = "---\n# mine\ntags:\n  - 'VC' # first\n  - 7\nx: {a: 1}\n---\n";
    const expected = "---\n# mine\ntags:\n  - 'vc' # first\n  - 7\nx: {a: 1}\n---\n";
    expect((await create(content)).text).toBe(expected);
  });
});

describe('tags in text', () => {
  it.each<[policy: TagPolicy, refused: readonly string[] | undefined]>([
    ['off', undefined],
    ['warn', undefined],
    ['enforce', ['career', 'Job/x']],
    ['strict', ['career', 'Job/x']],
  ])('under %s', async (policy, refused) => {
    const answer = await append('#career `#code` #VC #Job/x #JOB/X #mine', { policy });
    expect(answer.refused).toEqual(refused);
    if (refused !== undefined) return;
    expect(answer.newTags).toEqual(policy === 'off' ? [] : ['career', 'Job/x']);
    expect(answer.text).toContain('#career `#code` #VC');
  });

  it('count in every change of text', async () => {
    const replaced = await run(replaceInNote, { name: 'N', find: 'Text', put: '#new' });
    expect(replaced.refused).toEqual(['new']);
    expect((await run(updateBody, { name: 'N', text: '#mine #new' })).refused).toEqual(['new']);
    expect((await create('#new', { policy: 'strict' })).refused).toEqual(['new']);
    expect((await create('#new', { policy: 'strict', newTags: ['new'] })).newTags).toEqual(['new']);
  });

  it('are nothing new where the note had them', async () => {
    expect((await append('#mine #own', { policy: 'strict' })).newTags).toEqual([]);
  });
});

describe('policies', () => {
  it.each<[policy: TagPolicy, newTags: readonly string[], text: string]>([
    ['off', [], '---\ntags: [VC, career]\n---\n'],
    ['warn', ['career'], '---\ntags: [vc, career]\n---\n'],
  ])('%s refuses nothing', async (policy, newTags, text) => {
    expect(await create('---\ntags: [VC, career]\n---\n', { policy })).toMatchObject({
      newTags,
      text,
    });
  });
});

describe('the refusal', () => {
  it('reads as the seed says, with the closest tags first', async () => {
    const { message, details } = await create('---\ntags: [person/x, projct]\n---\n');
    expect(message).toBe(
      "Tags 'person/x', 'projct' not in allowed list. Allowed: vc/project, Person, " +
        'area, area/desk, area/desk/x, mine, own, vc. Ask user before creating new tags. ' +
        'Pass the tags the user has agreed to as a list in `new_tags`, which every tool that writes text takes, also where it is not listed. Allowed are the tags that notes of ' +
        'the vault have, and those above nested ones (a of a/b).',
    );
    expect(details).toEqual({
      tags: ['person/x', 'projct'],
      allowed: 'vc/project Person area area/desk area/desk/x mine own vc'.split(' '),
    });
  });
});

describe('a change that is planned again', () => {
  it('counts what it adds to the note as it is then', async () => {
    const opened = await openWrittenVault(files);
    let runs = 0;
    const interrupted: typeof appendNote = async (draft, request) => {
      const result = await appendNote(draft, request);
      if (runs++ === 0) opened.disk.write('N.md', '---\ntags: [own]\n---\n#early\n');
      return result;
    };
    const ruled = withTagRules(interrupted, { policy: 'warn', newTags: [] });
    const answer = await opened.change(ruled, { name: 'N', text: '#early #career' });
    expect(runs).toBe(2);
    expect(answer.newTags).toEqual(['career']);
    expect(opened.text('N.md')).toBe('---\ntags: [own]\n---\n#early\n#early #career\n');
    await opened.close();
  });
});

describe('a vault that is still being indexed', () => {
  const slow = async () => {
    const opened = await openWrittenVault(files);
    opened.keeper.rebuild(); // Until the rebuild ends nothing is ready.
    return opened;
  };

  it('keeps nobody waiting for a mere report', async () => {
    const opened = await slow();
    const vault = opened.as({ indexWaitMs: 0 });
    const ruled = withTagRules(appendNote, { policy: 'warn', newTags: [] });
    const answer = await vault.change(ruled, { name: { path: 'N.md' }, text: '#career' });
    expect(answer).toMatchObject({ path: 'N.md', newTags: [] });
    expect(opened.text('N.md')).toContain('#career');
    await opened.close();
  });

  it('is waited for where a refusal depends on it', async () => {
    const opened = await slow();
    const ruled = withTagRules(setNoteProperty, { policy: 'enforce', newTags: [] });
    const request = { name: { path: 'N.md' }, key: 'tags', value: ['VC'] };
    const impatient = opened.as({ indexWaitMs: 0 }).change(ruled, request);
    await expect(impatient).rejects.toMatchObject({ code: 'timeout' });
    const patient = await opened.as({}).change(ruled, request);
    expect(patient.value).toEqual(['vc']);
    await opened.close();
  });
});

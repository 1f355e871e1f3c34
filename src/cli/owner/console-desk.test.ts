import { describe, expect, it } from 'vitest';
import { agent, openDesk } from '../../../test/support/desk-vault.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import { consoleScopes } from '../../engine/decide/console-scopes.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { deskAnswers } from './console-desk.ts';

/** The desk of a vault as the console asks it. */
async function openConsoleDesk(
  files: Readonly<Record<string, string>>,
  rights: Parameters<typeof consoleScopes>[0]['effects'] = ['read', 'write', 'destroy'],
) {
  const at = await openDesk(files);
  const answers = deskAnswers({
    vaultOf: () => openedVault(at.whole),
    names: async () => new Map([['t1', 'laptop']]),
  });
  const ask = async (what: keyof typeof answers, given: { id?: string; body?: object } = {}) =>
    answers[what]({
      id: given.id ?? '',
      query: new URLSearchParams(),
      body: { ...given.body },
      caller: { ...testCaller(), door: 'console', scopes: consoleScopes({ effects: rights }) },
      session: { id: 's', sinceMs: 0, usedMs: 0 },
      isPlainHttp: false,
    });
  return { ...at, ask };
}

describe('proposals', () => {
  it('are listed with what they would do, shown, and accepted as shown', async () => {
    const { ask, propose, text } = await openConsoleDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' }, { ...agent, token: 't1' });
    expect(await ask('proposals')).toMatchObject({
      open: [
        {
          id,
          tool: 'append_note',
          asker: { client: 'agent', tokenName: 'laptop' },
          files: [{ path: 'A.md', did: 'changed' }],
        },
      ],
      decided: [],
    });
    const { proposal } = (await ask('proposal', { id })) as {
      proposal: { shownAs: string; diff: string };
    };
    expect(proposal.diff).toContain('+two');
    const body = { names: [proposal.shownAs] };
    expect(await ask('accept-proposals', { body })).toEqual({
      results: [{ outcome: 'made', id, change: 1 }],
    });
    expect(text('A.md')).toBe('one\ntwo\n');
    expect(await ask('proposals')).toMatchObject({ at: 1, open: [], decided: [{ id, change: 1 }] });
    expect(await ask('accept-proposals', { body })).toMatchObject({
      results: [{ outcome: 'decided', proposal: { state: 'accepted' } }],
    });
  });

  it('are refused, one or several, with a reason on one line', async () => {
    const { ask, propose } = await openConsoleDesk({ 'A.md': 'one\n' });
    const names = [
      await propose('append_note', { name: 'A', text: 'two' }),
      await propose('append_note', { name: 'A', text: 'three' }),
      'p99',
    ];
    const body = { names, reason: ' Not \n now ' };
    expect(await ask('refuse-proposals', { body })).toMatchObject({
      results: [
        { outcome: 'refused', id: names[0] },
        { outcome: 'refused', id: names[1] },
        { outcome: 'failed', id: 'p99', error: { code: 'not_found' } },
      ],
    });
    expect(await ask('proposals')).toMatchObject({ decided: [{ reason: 'Not now' }, {}] });
  });

  it.each([
    ['nothing', {}],
    ['no names', { names: [] }],
    ['other fields', { names: ['p1'], all: true }],
    ['a long reason', { names: ['p1'], reason: 'x'.repeat(limits.consoleReasonCharsMax + 1) }],
  ])('are not decided with %s', async (_, body) => {
    const { ask } = await openConsoleDesk({});
    await expect(ask('refuse-proposals', { body })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('questions', () => {
  it('are listed and answered', async () => {
    const { ask, whole, time } = await openConsoleDesk({});
    const { id } = await whole.parts.questions.ask({
      about: 'brake',
      text: 'May it delete 30 files?',
      asker: { door: 'mcp-http', client: 'agent' },
      askerKey: 'secret key',
      tool: 'delete_note',
      argsHash: 'hash',
      paths: [],
      files: 30,
      timeMs: time.nowMs,
    });
    const listed = await ask('questions');
    expect(listed).toMatchObject({ open: [{ id, files: 30 }], decided: [] });
    expect(JSON.stringify(listed)).not.toContain('secret key');
    const body = { says: 'deny', reason: 'No.' };
    expect(await ask('answer-question', { id, body })).toMatchObject({
      question: { id, answer: body },
    });
    expect(await ask('questions')).toMatchObject({ open: [], decided: [{ id }] });
    const wrong = ask('answer-question', { id, body: { says: 'perhaps' } });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

it.each<[Parameters<typeof consoleScopes>[0]['effects'], string]>([
  [['read'], 'forbidden'],
  [['read', 'propose'], 'made'],
])('on a server that may %j, accepting is %s', async (rights, outcome) => {
  const { ask, propose } = await openConsoleDesk({ 'A.md': 'one\n' }, rights);
  const names = [await propose('append_note', { name: 'A', text: 'two' })];
  const accepted = ask('accept-proposals', { body: { names } });
  if (outcome === 'forbidden') await expect(accepted).rejects.toMatchObject({ code: outcome });
  else expect(await accepted).toMatchObject({ results: [{ outcome }] });
});

import { describe, expect, it } from 'vitest';
import { counted } from '../../../test/support/counts.ts';
import { allScopes, type Door, type Effect, type Right, type Scopes } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { checkAllowed, decide } from './decide.ts';
import { type TagPolicy, tagPolicies } from './tag-policy.ts';

type Caller = Parameters<typeof decide>[0];
type Plan = Parameters<typeof decide>[1];

/** What is combined with everything else. */
interface Case {
  readonly rights: readonly Right[];
  readonly effect: Effect | undefined;
  readonly atOnce: Plan['atOnce'] | undefined;
  readonly sees: keyof typeof views;
  readonly wholeVault: Plan['wholeVault'] | undefined;
  readonly unseen: Plan['unseen'];
  readonly marks: Plan['marks'];
  readonly policy: TagPolicy;
  readonly tags: number;
  readonly hasForm: boolean;
  readonly brake: number | undefined;
  readonly destroys: number;
  readonly destroyed: number;
  readonly releasedMs: number | undefined;
  readonly deniedMs: number | undefined;
  readonly waits: boolean;
  readonly door: Door;
}

const views = {
  all: {},
  folder: { folders: [vaultPath('Work')] },
  unhidden: { hide: ['Secret/**'] },
  untagged: { hideTags: ['private'] },
  unmarked: { hideProperties: ['private=true'] },
} satisfies Readonly<Record<string, Partial<Scopes>>>;

/** A caller who may do everything, and a plan in which no rule finds anything. */
const plain: Case = {
  rights: ['read', 'write', 'destroy'],
  effect: 'write',
  atOnce: undefined,
  sees: 'all',
  wholeVault: undefined,
  unseen: undefined,
  marks: undefined,
  policy: 'enforce',
  tags: 0,
  hasForm: false,
  brake: undefined,
  destroys: 0,
  destroyed: 0,
  releasedMs: undefined,
  deniedMs: undefined,
  waits: false,
  door: 'mcp-stdio',
};

const allRights: Case['rights'][] = [
  [],
  ['read'],
  ['read', 'write'],
  ['read', 'write', 'destroy'],
  ['read', 'propose'],
  ['read', 'write', 'propose'],
];
const doors: Case['door'][] = ['cli', 'mcp-stdio', 'mcp-http', 'bridge', 'remote', 'console'];
const everyEffect: Case['effect'][] = [undefined, 'read', 'write', 'destroy'];

/** Every combination of these values, one after the other; when it must be quick, every seventh. */
function* product(values: { readonly [Key in keyof Case]?: readonly Case[Key][] }) {
  const keys = Object.keys(values) as (keyof Case)[];
  const counts = keys.map((key) => values[key]?.length ?? 0);
  const total = counts.reduce((all, count) => all * count, 1);
  for (let number = 0; number < total; number += counted({ quick: 7, full: 1 })) {
    const chosen: Record<string, unknown> = { ...plain };
    let rest = number;
    for (const [at, key] of keys.entries()) {
      const count = counts[at] ?? 1;
      chosen[key] = values[key]?.[rest % count];
      rest = Math.floor(rest / count);
    }
    yield chosen as unknown as Case;
  }
}

function callerOf({ rights, sees, hasForm, brake, door }: Case): Caller {
  return {
    door,
    scopes: {
      ...allScopes,
      effects: rights,
      ...views[sees],
      ...(brake === undefined ? {} : { brakeFiles: brake }),
    },
    ...(hasForm ? { ask: () => Promise.resolve(true) } : {}),
  };
}

function planOf(one: Case): Plan {
  const { effect, atOnce, wholeVault, unseen, marks, policy } = one;
  const { destroys, destroyed, releasedMs, deniedMs, waits } = one;
  const tags = Array.from({ length: one.tags }, (_, at) => `tag${at}`);
  return {
    ...(effect && { effect }),
    ...(atOnce && { atOnce }),
    ...(wholeVault && { wholeVault }),
    ...{ unseen, marks, newTags: { policy, tags } },
    ...{ destroys, destroyed, releasedMs, deniedMs, waits },
  };
}

/** The decision in one word, so that many can be compared quickly. */
function wordOf(decision: ReturnType<typeof decide>): string {
  if (decision.do === 'refuse') return `refuse ${decision.code}`;
  return decision.do === 'ask' ? `ask ${decision.whom}` : decision.do;
}

// The rules again, as a person would say them. The first one that holds decides.

const lacks = ({ rights, effect }: Case): boolean =>
  effect !== undefined && !rights.includes(effect);
const proposes = (one: Case): boolean =>
  lacks(one) && one.effect !== 'read' && one.rights.includes('propose');
const isTagRefused = ({ policy, tags }: Case): boolean =>
  tags > 0 && ['enforce', 'strict'].includes(policy);

const rules: readonly (readonly [says: string, when: (one: Case) => boolean])[] = [
  ['refuse forbidden', (one) => lacks(one) && !proposes(one)],
  ['refuse forbidden', (one) => proposes(one) && one.atOnce !== undefined],
  ['refuse forbidden', ({ wholeVault, sees }) => wholeVault === 'sync' && sees === 'folder'],
  ['refuse forbidden', ({ wholeVault, sees }) => wholeVault === 'bookmarks' && sees === 'folder'],
  ['refuse forbidden', ({ wholeVault, sees }) => wholeVault === 'app' && sees !== 'all'],
  ['refuse forbidden', ({ wholeVault, sees }) => wholeVault === 'history' && sees !== 'all'],
  ['refuse forbidden', ({ unseen }) => unseen !== undefined],
  ['refuse forbidden', ({ marks }) => marks !== undefined],
  ['refuse tag_not_allowed', (one) => isTagRefused(one) && !one.hasForm],
  ['refuse tag_not_allowed', (one) => isTagRefused(one) && one.tags > 20],
  ['ask caller', isTagRefused],
  ['propose', proposes],
  ['allow', ({ door }) => door === 'cli' || door === 'console'],
  ['allow', ({ destroys }) => destroys === 0],
  ['allow', ({ releasedMs, deniedMs }) => releasedMs !== undefined && deniedMs === undefined],
  ['allow', ({ releasedMs = 0, deniedMs = 0 }) => releasedMs > deniedMs],
  ['ask owner', ({ deniedMs }) => deniedMs !== undefined],
  ['ask owner', ({ waits }) => waits],
  ['allow', ({ brake }) => brake === undefined],
  ['ask owner', ({ destroyed, brake = 0 }) => destroyed > brake],
  ['ask owner', ({ destroys, brake = 0 }) => destroys > brake],
  ['allow', () => true],
];

function expected(one: Case): string | undefined {
  return rules.find(([, when]) => when(one))?.[0];
}

/** Compares all cases; answers the first few that differ, and how often each answer came. */
function compare(cases: Iterable<Case>): { wrong: unknown[]; counts: Record<string, number> } {
  const wrong: unknown[] = [];
  const counts: Record<string, number> = {};
  for (const one of cases) {
    const got = wordOf(decide(callerOf(one), planOf(one)));
    counts[got] = (counts[got] ?? 0) + 1;
    const wanted = expected(one);
    if (got !== wanted && wrong.length < 3) wrong.push({ ...one, got, wanted });
  }
  return { wrong, counts };
}

const everyAnswer = [
  'allow',
  'ask caller',
  'ask owner',
  'propose',
  'refuse forbidden',
  'refuse tag_not_allowed',
];

describe('the first rule that holds decides', () => {
  it('among all rules together', () => {
    const { wrong, counts } = compare(
      product({
        rights: allRights,
        effect: everyEffect,
        atOnce: [undefined, 'outside'],
        sees: ['all', 'folder'],
        wholeVault: [undefined, 'app'],
        unseen: [undefined, 'files'],
        marks: [undefined, 'added'],
        tags: [0, 1],
        hasForm: [false, true],
        brake: [undefined, 25],
        destroys: [0, 1, 26],
        destroyed: [0, 26],
        waits: [false, true],
        door: ['cli', 'mcp-http', 'console'],
      }),
    );
    expect(wrong).toEqual([]);
    expect(Object.keys(counts).toSorted()).toEqual(everyAnswer);
  });

  it('about rights, and what cannot wait or needs the whole vault', () => {
    const { wrong } = compare(
      product({
        rights: [...allRights, ['propose'], ['write'], ['read', 'destroy', 'propose']],
        effect: everyEffect,
        atOnce: [undefined, 'outside', 'raw'],
        sees: ['all', 'folder', 'unhidden', 'untagged', 'unmarked'],
        wholeVault: [undefined, 'sync', 'bookmarks', 'app', 'history'],
        unseen: [undefined, 'files', 'daily'],
        marks: [undefined, 'added'],
        door: doors,
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('about tags', () => {
    const { wrong } = compare(
      product({
        rights: allRights,
        effect: everyEffect,
        policy: [...tagPolicies],
        tags: [0, 1, 2, 20, 21, 500],
        hasForm: [false, true],
        destroys: [0, 26],
        brake: [undefined, 25],
        door: doors,
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('about the brake', () => {
    const { wrong } = compare(
      product({
        rights: allRights,
        effect: everyEffect,
        brake: [undefined, 0, 1, 25],
        destroys: [0, 1, 2, 25, 26, 1_000],
        destroyed: [0, 1, 24, 25, 26, 1_000],
        ...{ releasedMs: [undefined, 1, 2], deniedMs: [undefined, 1, 2], waits: [false, true] },
        door: doors,
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the sentences', () => {
  it.each<[one: Partial<Case>, decision: object]>([
    [
      { rights: [], effect: 'read' },
      forbidden('Nothing can be read here: this connection may do nothing.'),
    ],
    [
      { rights: ['read'], effect: 'write' },
      forbidden('Nothing can be changed here: this connection may only read.'),
    ],
    [
      { rights: ['read', 'write'], effect: 'destroy' },
      forbidden('Nothing can be deleted or undone here: this connection may only read and write.'),
    ],
    [
      { rights: ['read', 'propose'], effect: 'destroy', atOnce: 'outside' },
      forbidden(
        'This connection may only propose changes, and what this does happens outside of the vault, so it cannot be proposed; ask the owner to do it.',
      ),
    ],
    [
      { rights: ['read', 'propose'], atOnce: 'raw' },
      forbidden(
        'This connection may only propose changes, which this protocol cannot do; ask the owner for a connection that may write.',
      ),
    ],
    [
      { sees: 'folder', wholeVault: 'sync' },
      forbidden(
        'The whole vault is synchronised, but you may use only some of its folders; ask whoever runs the server.',
      ),
    ],
    [
      { sees: 'folder', wholeVault: 'bookmarks' },
      forbidden(
        'Bookmarks belong to the whole vault, so a connection that sees only some of its folders cannot add one.',
      ),
    ],
    [
      { sees: 'unmarked', wholeVault: 'app' },
      forbidden(
        'The app shows and changes the whole vault, and this connection sees only a part of it.',
      ),
    ],
    [
      { unseen: 'files' },
      forbidden(
        'The change would have to touch files that this connection may not see; ask someone who may.',
      ),
    ],
    [
      { unseen: 'daily' },
      forbidden(
        'The daily notes of this vault are in a folder that this connection may not see; ask someone who may see it.',
      ),
    ],
    [
      { marks: 'added' },
      forbidden(
        'The change would put a mark on a note that hides it from connections like this one; only the owner does that.',
      ),
    ],
    [
      { tags: 1 },
      { do: 'refuse', code: 'tag_not_allowed', reason: 'The vault does not have the tag yet.' },
    ],
    [
      { tags: 2 },
      { do: 'refuse', code: 'tag_not_allowed', reason: 'The vault does not have the tags yet.' },
    ],
    [
      { tags: 1, hasForm: true },
      { do: 'ask', whom: 'caller', question: "May the new tag 'tag0' be added to the vault?" },
    ],
    [
      { tags: 2, hasForm: true },
      asks("May the new tags 'tag0', 'tag1' be added to the vault?", 'caller'),
    ],
    [{ brake: 25, destroys: 26 }, asks('May this app delete or overwrite 26 files?')],
    [
      { brake: 25, destroys: 1, destroyed: 26 },
      asks(
        'May this app delete or overwrite a file? It had already done that to 26 files in the 10 minutes before.',
      ),
    ],
    [
      { brake: 0, destroys: 3, destroyed: 1 },
      asks(
        'May this app delete or overwrite 3 files? It had already done that to a file in the 10 minutes before.',
      ),
    ],
    [
      { brake: 25, destroys: 1, destroyed: Number.POSITIVE_INFINITY },
      asks(
        'May this app delete or overwrite a file? It had already done that to very many files in the 10 minutes before.',
      ),
    ],
    [
      { brake: 25, destroys: 1, waits: true },
      asks(
        'May this app delete or overwrite a file? An earlier question of it still waits for your answer.',
      ),
    ],
    [{ rights: ['read', 'propose'] }, { do: 'propose' }],
    [{}, { do: 'allow' }],
  ])('%j', (one, decision) => {
    const whole = { ...plain, ...one };
    expect(decide(callerOf(whole), planOf(whole))).toEqual(decision);
  });

  it('name tags of foreign text on one line, cut to a length', () => {
    const long = `a\nb${'c'.repeat(200)}`;
    const decision = decide(callerOf({ ...plain, hasForm: true }), {
      newTags: { policy: 'strict', tags: [long] },
    });
    expect(decision.do === 'ask' && decision.question).toMatch(/^May the new tag 'a bc{90,98}…?'/);
  });
});

describe('checkAllowed', () => {
  const check = (one: Partial<Case>) => () => {
    const whole = { ...plain, ...one };
    checkAllowed(callerOf(whole), planOf(whole));
  };

  it('throws what is refused, and lets pass what is asked or proposed later', () => {
    expect(check({ rights: ['read'] })).toThrow(VaultError);
    expect(check({ rights: ['read'] })).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        message: 'Nothing can be changed here: this connection may only read.',
      }),
    );
    expect(check({ rights: ['read', 'propose'] })).not.toThrow();
    expect(check({ brake: 0, destroys: 1 })).not.toThrow();
    expect(check({})).not.toThrow();
  });
});

function asks(question: string, whom = 'owner'): object {
  return { do: 'ask', whom, question };
}

function forbidden(reason: string): object {
  return { do: 'refuse', code: 'forbidden', reason };
}

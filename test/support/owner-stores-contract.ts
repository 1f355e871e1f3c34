import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import type {
  ListedProposal,
  NewProposal,
  Proposal,
  Proposals,
  ProposedPlan,
} from '../../src/engine/ports/proposals.ts';
import type { Asker, Questions } from '../../src/engine/ports/questions.ts';
import type { ChangeId, ProposalId } from '../../src/engine/ports/state-store.ts';
import { startMs, versionOf } from './change-records.ts';
import { asker, describeQuestions } from './questions-contract.ts';

/** The stores of what waits for the owner. */
export interface OwnerStores {
  readonly questions: Questions;
  readonly proposals: Proposals;
  /** Puts a change into the history that carries a proposal out; answers its number. */
  accept(id: ProposalId, timeMs: number): Promise<ChangeId>;
}

/** A proposal of an agent that adds a line to a note. */
export function newProposal(more: Partial<NewProposal> = {}): NewProposal {
  return {
    asker,
    scopes: { effects: ['read', 'propose'], folders: [''], hide: ['Private/**'] },
    toolset: 'notes',
    tool: 'edit_note',
    input: { name: 'a', text: 'Ünï NUL \0, a lone \ud800, "quotes"', lines: [1, { deep: null }] },
    settings: { allowTags: ['x'] },
    plannedMs: startMs,
    diff: '--- a.md\n+++ a.md\n@@ -1 +1,2 @@\n a\n+b\n',
    basis: [{ path: vaultPath('a.md'), before: versionOf('a'), after: versionOf('b') }],
    timeMs: startMs,
    ...more,
  };
}

/** A proposal as lists have it. */
export function listed(proposal: Proposal): ListedProposal {
  const { scopes: _, toolset: __, input, settings, plannedMs, diff, ...rest } = proposal;
  return rest;
}

const page = { limit: 1_000, offset: 0 };

/** What every pair of `Questions` and `Proposals` promises. `open` makes empty ones. */
export function describeOwnerStores(
  name: string,
  open: () => Promise<OwnerStores>,
  options: { readonly fillsUp?: boolean } = {},
): void {
  describe(`questions in ${name}`, () => {
    describeQuestions(async () => (await open()).questions);
  });
  describe(`proposals in ${name}`, () => {
    describeProposals(open, options.fillsUp ?? true);
  });
}

function describeProposals(open: () => Promise<OwnerStores>, fillsUp: boolean): void {
  const nowMs = startMs + 1;
  const { proposalAgeMaxMs } = limits;

  it('are kept as they were made, the newest first', async () => {
    const { proposals } = await open();
    expect(await proposals.list({ nowMs }, page)).toEqual({ total: 0, items: [] });
    const first = await proposals.add(newProposal());
    expect(first).toEqual({ ...newProposal(), id: 'p1', state: 'open' });
    expect(await proposals.get('p1', nowMs)).toEqual(first);
    const second = await proposals.add(newProposal({ asker: { door: 'cli' }, basis: [] }));
    const items = [second, first].map(listed);
    expect(await proposals.list({ nowMs }, page)).toEqual({ total: 2, items });
    const last = await proposals.list({ nowMs }, { limit: 1, offset: 1 });
    expect(last).toEqual({ total: 2, items: items.slice(1) });
  });

  it('are found by the time at which they were proposed or decided', async () => {
    const { proposals } = await open();
    for (const n of [0, 1, 2]) await proposals.add(newProposal({ timeMs: startMs + n * 10 }));
    const since = async (sinceMs: number, limit = 9) => {
      const found = await proposals.list({ sinceMs, nowMs: startMs + 50 }, { limit, offset: 0 });
      return [found.total, ...found.items.map(({ id }) => id)];
    };
    expect(await since(startMs + 10)).toEqual([2, 'p3', 'p2']);
    await proposals.refuse('p1', { timeMs: startMs + 40 });
    expect(await since(startMs + 30, 1)).toEqual([1, 'p1']);
  });

  it('are found by asker, connection and state', async () => {
    const { proposals, accept } = await open();
    const askers: readonly Asker[] = [
      asker,
      { ...asker, door: 'bridge', client: 'other', connection: 's2' },
      { ...asker, token: 't2' },
      { door: 'mcp-http', client: 'Claude' },
      { door: 'mcp-http', client: 'Claude', connection: 's1' },
      { door: 'bridge', client: 'Claude' },
      { door: 'mcp-http' },
    ];
    for (const one of askers) await proposals.add(newProposal({ asker: one }));
    const found = async (filter: Omit<Parameters<Proposals['list']>[0], 'nowMs'>) => {
      const { total, items } = await proposals.list({ ...filter, nowMs }, page);
      expect(total).toBe(items.length);
      return items.map(({ id }) => id);
    };
    expect(await found({ asker })).toEqual(['p2', 'p1']);
    expect(await found({ asker: { door: 'mcp-http', client: 'Claude' } })).toEqual(['p5', 'p4']);
    expect(await found({ asker: { door: 'mcp-http' } })).toEqual(['p7']);
    expect(await found({ connection: 's1' })).toEqual(['p5', 'p3', 'p1']);
    await proposals.refuse('p1', { timeMs: nowMs });
    await accept('p3', nowMs);
    expect(await found({ state: 'open', connection: 's1' })).toEqual(['p5']);
    expect(await found({ state: 'refused' })).toEqual(['p1']);
    expect(await found({ state: 'accepted' })).toEqual(['p3']);
  });

  it('are refused once', async () => {
    const { proposals } = await open();
    const made = await proposals.add(newProposal());
    const decision = { reason: 'No.', timeMs: nowMs };
    expect(await proposals.refuse('p1', decision)).toBe(true);
    const refused = { ...made, state: 'refused', reason: 'No.', decidedMs: nowMs };
    expect(await proposals.get('p1', nowMs)).toEqual(refused);
    expect(await proposals.refuse('p1', { timeMs: nowMs })).toBe(false);
    expect(await proposals.refuse('p2', decision)).toBe(false);
    await proposals.replan('p1', { plannedMs: nowMs, diff: 'other', basis: [] });
    expect(await proposals.get('p1', nowMs)).toEqual(refused);
  });

  it('are accepted by the change that carries them out, once', async () => {
    const { proposals, accept } = await open();
    const made = await proposals.add(newProposal());
    const change = await accept('p1', nowMs);
    const accepted = { ...made, state: 'accepted', change, decidedMs: nowMs };
    expect(await proposals.get('p1', nowMs)).toEqual(accepted);
    expect(await proposals.refuse('p1', { timeMs: nowMs })).toBe(false);
    await expect(accept('p1', nowMs)).rejects.toMatchObject({ code: 'conflict' });
    expect(await proposals.get('p1', nowMs)).toEqual(accepted);
    await proposals.add(newProposal());
    await proposals.refuse('p2', { timeMs: nowMs });
    await expect(accept('p2', nowMs)).rejects.toMatchObject({ code: 'conflict' });
    await expect(accept('p3', nowMs)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('get another plan while they are open', async () => {
    const { proposals } = await open();
    const made = await proposals.add(newProposal());
    const plan: ProposedPlan = {
      plannedMs: nowMs,
      diff: 'another diff',
      basis: [{ path: vaultPath('b.md'), to: vaultPath('c.md') }],
    };
    await proposals.replan('p1', plan);
    expect(await proposals.get('p1', nowMs)).toEqual({ ...made, ...plan, replanned: true });
    const { items } = await proposals.list({ nowMs }, { limit: 1, offset: 0 });
    expect(items).toMatchObject([{ basis: plan.basis, replanned: true }]);
    const large = { ...plan, diff: 'x'.repeat(limits.proposalBytesMax) };
    await expect(proposals.replan('p1', large)).rejects.toMatchObject({ code: 'too_large' });
    await proposals.replan('p9', plan);
  });

  it('are gone after a week, whatever became of them', async () => {
    const { proposals } = await open();
    await proposals.add(newProposal());
    await proposals.add(newProposal());
    await proposals.refuse('p1', { timeMs: nowMs });
    const lastMs = startMs + proposalAgeMaxMs - 1;
    expect((await proposals.list({ nowMs: lastMs }, page)).total).toBe(2);
    expect(await proposals.get('p2', lastMs)).toBeDefined();
    expect(await proposals.get('p2', lastMs + 1)).toBeUndefined();
    expect(await proposals.refuse('p2', { timeMs: lastMs + 1 })).toBe(false);
    expect(await proposals.list({ nowMs: lastMs + 1 }, page)).toEqual({ total: 0, items: [] });
    expect((await proposals.add(newProposal({ timeMs: lastMs + 1 }))).id).toBe('p3');
  });

  it('may not be larger than allowed, in UTF-8', async () => {
    const { proposals } = await open();
    const text = 'ü'.repeat(limits.proposalBytesMax / 2 - 1_000);
    await proposals.add(newProposal({ input: { text } }));
    const more = `${text}${'ü'.repeat(1_000)}`;
    for (const large of [{ input: { text: more } }, { diff: more }]) {
      await expect(proposals.add(newProposal(large))).rejects.toMatchObject({ code: 'too_large' });
    }
    expect((await proposals.list({ nowMs }, page)).total).toBe(1);
  });

  it.runIf(fillsUp)('may not be more than allowed while they are open', async () => {
    const { proposals } = await open();
    let added = 0;
    const add = (timeMs = startMs) =>
      proposals.add(newProposal({ timeMs, asker: { ...asker, token: `t${added++}` } }));
    for (let n = 0; n < limits.proposalsMax; n += 1) await add();
    await expect(add()).rejects.toMatchObject({
      code: 'busy',
      details: { retryAfterMs: expect.any(Number) },
    });
    await proposals.refuse('p7', { timeMs: nowMs });
    await add();
    await expect(add()).rejects.toMatchObject({ code: 'busy' });
    await add(startMs + proposalAgeMaxMs);
  });

  it.runIf(fillsUp)('may not have more bytes than allowed; decided ones give way', async () => {
    const { proposals } = await open();
    const text = 'x'.repeat(limits.proposalBytesMax - 2_000);
    let added = 0;
    const add = () =>
      proposals.add(newProposal({ input: { text }, asker: { ...asker, token: `t${added++}` } }));
    const fit = Math.floor(limits.proposalsBytesMax / limits.proposalBytesMax);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < fit; n += 1) await add();
      await expect(add()).rejects.toMatchObject({ code: 'busy' });
      const { items } = await proposals.list({ nowMs, state: 'open' }, page);
      for (const { id } of items) await proposals.refuse(id, { timeMs: nowMs });
    }
    await add();
    const { items } = await proposals.list({ nowMs }, page);
    const numbers = Array.from({ length: fit + 1 }, (_, n) => `p${2 * fit + 1 - n}`);
    expect(items.map(({ id }) => id)).toEqual(numbers);
  });

  it('of one asker may not be more than allowed, nor have more bytes', async () => {
    const { proposals } = await open();
    const add = (token: string, text = '') =>
      proposals.add(newProposal({ asker: { ...asker, token }, input: { text } }));
    const busy = { code: 'busy', details: { retryAfterMs: expect.any(Number) } };
    for (let n = 0; n < limits.proposalsOfOneMax; n += 1) await add('t1');
    await expect(add('t1')).rejects.toMatchObject(busy);
    await proposals.refuse('p7', { timeMs: nowMs });
    await add('t1');
    const half = 'x'.repeat(limits.proposalsOfOneBytesMax / 2);
    await add('t2', half);
    await expect(add('t2', half)).rejects.toMatchObject(busy);
    await add('t3', half);
  });

  it.each(['p0', 'p-1', 'p1e0', 'q1', '1', 'p'])('have no proposal %s', async (id) => {
    const { proposals } = await open();
    await proposals.add(newProposal());
    const wrong = id as ProposalId;
    expect(await proposals.get(wrong, nowMs)).toBeUndefined();
    expect(await proposals.refuse(wrong, { timeMs: nowMs })).toBe(false);
    expect((await proposals.get('p1', nowMs))?.state).toBe('open');
  });
}

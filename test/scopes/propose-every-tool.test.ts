import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allScopes, type Caller, type Right } from '../../src/base/caller.ts';
import { openedVault } from '../../src/engine/open/vault-source.ts';
import type { SystemTrash } from '../../src/engine/ports/ports.ts';
import type { Proposal } from '../../src/engine/ports/proposals.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { agentToolset } from '../../src/tools/agent/agent-toolset.ts';
import { type Outcome, textsOf } from '../../src/tools/define/outcome.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { OwnerDesk } from '../../src/tools/owner/owner-desk.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { agentCalls } from '../contract/agent-calls.ts';
import { notesCalls } from '../contract/notes-calls.ts';
import { obsidianCalls } from '../contract/obsidian-calls.ts';
import type { ToolRow } from '../contract/tool-row.ts';
import { type MemoryVault, openWrittenVault, testCaller } from '../support/written-vault.ts';

// Every tool, called by someone who may only propose. What the same call then does for someone who
// may write says what the first one had to answer.

const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));

function exampleFiles(): Record<string, Uint8Array> {
  const entries = readdirSync(example, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  return Object.fromEntries(
    paths.map((path) => [
      path.slice(example.length + 1).replaceAll(sep, '/'),
      new Uint8Array(readFileSync(path)),
    ]),
  );
}

/** The example vault behind one toolset. */
class Proposing {
  readonly vault: MemoryVault;
  readonly service: Service;

  constructor(vault: MemoryVault, toolset: Toolset) {
    this.vault = vault;
    this.service = createService(vault.whole, [toolset], nodeTimers);
  }

  call(tool: string, args: object, effects: readonly Right[]): Promise<Outcome> {
    const scopes = { ...allScopes, effects };
    const caller: Partial<Caller> = { door: 'mcp-stdio', connection: 'c1', client: 'agent' };
    return this.service.call(tool, args, testCaller({ ...caller, scopes }));
  }

  async proposals(): Promise<readonly Proposal[]> {
    const { proposals, clock } = this.vault.whole.parts;
    const { items } = await proposals.list({ nowMs: clock.nowMs() }, { limit: 100, offset: 0 });
    const all = await Promise.all(items.map(({ id }) => proposals.get(id, clock.nowMs())));
    return all.filter((each) => each !== undefined);
  }
}

async function open(toolset: Toolset): Promise<Proposing> {
  const { context: _, ...quiet } = toolset;
  const parts = { name: 'vault' };
  return new Proposing(await openWrittenVault(exampleFiles(), { parts }), quiet);
}

type TrashedFile = Awaited<ReturnType<SystemTrash['put']>>;

const mayPropose: readonly Right[] = ['read', 'propose'];

/** What happens outside of the vault and so cannot be proposed. */
const outside: readonly string[] = ['obsidian_run_command', 'vault_sync', 'adr_publish'];

const toolsets: readonly (readonly [string, () => Toolset, readonly ToolRow[]])[] = [
  [
    'notes',
    () => notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 }),
    notesCalls,
  ],
  ['obsidian', () => obsidianToolset(), obsidianCalls],
  ['agent', () => agentToolset({ sync: true, publish: true }), agentCalls],
];

describe.each(toolsets)('every tool of the %s toolset', (_, toolset, rows) => {
  it('changes nothing for someone who may only propose, and keeps the plan', async () => {
    const opened = await open(toolset());
    const { vault } = opened;
    const listed = opened.service.list(allScopes.effects);
    const proposed: string[] = [];
    for (const { tool, effect, calls } of rows) {
      for (const [args, has] of calls) {
        const before = vault.files();
        const kept = await opened.proposals();
        const answer = await opened.call(tool, args, mayPropose);
        expect(vault.files(), tool).toEqual(before);
        const now = await opened.proposals();
        const schema = listed.find(({ name }) => name === tool)?.inputSchema;
        if (Object.hasOwn(Object(schema?.['properties']), 'dry_run')) {
          const preview = await opened.call(tool, { ...args, dry_run: true }, mayPropose);
          expect(preview.ok, tool).toBe(true);
          expect(await opened.proposals()).toHaveLength(now.length);
        }
        const done = await opened.call(tool, args, allScopes.effects);
        if (done.ok && sameFiles(vault.files(), before)) {
          // It reads, or there was nothing to change: then both get the same answer.
          expect(now, tool).toHaveLength(kept.length);
          expect(answer.ok, tool).toBe(!outside.includes(tool));
          if (answer.ok) expect(textsOf(answer.content).join(''), tool).toContain(has);
          continue;
        }
        if (!done.ok) {
          // Only what needs the app or another program, which are not here.
          expect(done.error.code, `${tool}: ${done.error.message}`).toMatch(
            /^(app_not_running|unavailable)$/,
          );
          expect(now, tool).toHaveLength(kept.length);
          continue;
        }
        expect(effect, tool).not.toBe('read');
        checkProposed(answer, now[0], { tool, args });
        expect(now, tool).toHaveLength(kept.length + 1);
        proposed.push(tool);
      }
    }
    const changing = rows.filter(({ tool, effect, calls }) => {
      return effect !== 'read' && calls.length > 0 && !outside.includes(tool);
    });
    expect(Array.from(new Set(proposed))).toEqual(changing.map(({ tool }) => tool));
    await vault.close();
  });

  it('is listed without the output schema where it answers with a proposal', async () => {
    const { service, vault } = await open(toolset());
    const schemas = (rights: readonly Right[]) =>
      service.list(rights).map(({ name, outputSchema }) => [name, outputSchema !== undefined]);
    const isStructured = schemas(allScopes.effects).some(([, has]) => has);
    const effectOf = new Map(rows.map(({ tool, effect }) => [tool, effect]));
    const listed = (isWhole: (effect: string | undefined) => boolean) => [
      ...schemas(allScopes.effects).map(([name]) => [
        name,
        isStructured && isWhole(effectOf.get(String(name))),
      ]),
      ['list_proposals', isStructured],
    ];
    expect(schemas(mayPropose)).toEqual(listed((effect) => effect === 'read'));
    expect(schemas(['read', 'write', 'propose'])).toEqual(listed((effect) => effect !== 'destroy'));
    await vault.close();
  });
});

it.each([
  ['obsidian_run_command', { id: 'app:reload' }],
  ['vault_sync', {}],
  ['adr_publish', { path: 'adr/ADR-001-first.md' }],
])('%s cannot be proposed, and says so', async (tool, args) => {
  const sync = {
    direction: 'push' as const,
    run: () => Promise.reject(new Error('It must not run.')),
  };
  const vault = await openWrittenVault(exampleFiles(), { parts: { sync } });
  const toolset = tool.startsWith('obsidian_')
    ? obsidianToolset()
    : agentToolset({ sync: true, publish: true });
  const opened = new Proposing(vault, toolset);
  const answer = await opened.call(tool, args, mayPropose);
  expect(answer).toMatchObject({
    ok: false,
    error: {
      code: 'forbidden',
      message: expect.stringContaining('cannot be proposed; ask the owner to do it.'),
    },
  });
  expect(await opened.proposals()).toEqual([]);
  await vault.close();
});

it('who may write and propose writes at once, and proposes only deletions', async () => {
  const opened = await open(notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 }));
  const rights: readonly Right[] = ['read', 'write', 'propose'];
  expect(await opened.call('create_note', { name: 'A', content: 'x' }, rights)).toMatchObject({
    ok: true,
    value: { created: true },
  });
  expect(await opened.call('delete_note', { name: 'A' }, rights)).toMatchObject({
    value: { proposed: 'p1' },
  });
  expect(opened.vault.text('A.md')).toContain('x');
  await opened.vault.close();
});

it('new tags are proposed when the user agrees to them, in a form or in the arguments', async () => {
  const vault = await openWrittenVault({ 'A.md': 'text\n' });
  const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
  const service = createService(vault.whole, [toolset], nodeTimers);
  const scopes = { ...allScopes, effects: mayPropose };
  const call = (args: object, ask?: () => Promise<boolean>): Promise<Outcome> =>
    service.call(
      'append_note',
      { name: 'A', text: '#brandnew', ...args },
      testCaller({ door: 'mcp-stdio', scopes, ...(ask && { ask }) }),
    );
  const refused = { ok: false, error: { code: 'tag_not_allowed' } };
  expect(await call({})).toMatchObject(refused);
  expect(await call({}, async () => false)).toMatchObject(refused);
  expect(await call({}, async () => true)).toMatchObject({ value: { proposed: 'p1' } });
  expect(await call({ new_tags: ['brandnew'] })).toMatchObject({ value: { proposed: 'p2' } });
  await vault.close();
});

it.each<[string, put: (() => Promise<TrashedFile>) | undefined, first: string]>([
  ['has one', async () => ({ where: 'Trash', takeBack: async () => undefined }), 'made'],
  ['has none', undefined, 'made'],
  ['has one that does not take it', async () => undefined, 'replanned'],
])('a deletion reaches the trash of a system that %s only when accepted', async (_, put, first) => {
  const trashed: string[] = [];
  const trash = put && {
    put: (path: string) => {
      trashed.push(path);
      return put();
    },
  };
  const files = { 'A.md': 'text', '.obsidian/app.json': '{"trashOption":"system"}' };
  const vault = await openWrittenVault(files, { parts: { ...(trash && { trash }) } });
  const opened = new Proposing(vault, obsidianToolset());
  const answer = await opened.call('obsidian_delete_note', { name: 'A' }, mayPropose);
  expect(answer).toMatchObject({ value: { proposed: 'p1' } });
  expect(trashed).toEqual([]);
  const desk = new OwnerDesk({
    source: openedVault(vault.whole),
    timers: nodeTimers,
    toolset: async () => obsidianToolset(),
  });
  expect(await desk.accept(['p1'], testCaller())).toMatchObject([{ outcome: first }]);
  if (first !== 'made') {
    const { shownAs } = await desk.proposal('p1');
    expect(await desk.accept([shownAs], testCaller())).toMatchObject([{ outcome: 'made' }]);
  }
  expect(vault.files()).not.toHaveProperty(['A.md']);
  expect(trashed.length > 0).toBe(put !== undefined);
  await vault.close();
});

it('what would change nothing answers as usual', async () => {
  const vault = await openWrittenVault({ 'A.md': '---\nstatus: done\n---\ntext\n' });
  const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
  const opened = new Proposing(vault, toolset);
  const args = { name: 'A', key: 'status', value: 'done' };
  const answer = await opened.call('set_frontmatter', args, mayPropose);
  expect(answer).toMatchObject({ ok: true, value: { path: 'A.md' } });
  expect(await opened.proposals()).toEqual([]);
  await vault.close();
});

/** Holds an answer to what was kept. */
function checkProposed(
  answer: Outcome,
  proposal: Proposal | undefined,
  { tool, args }: { readonly tool: string; readonly args: object },
): void {
  const text = textsOf(answer.content).join('');
  expect(answer.ok, `${tool}: ${text}`).toBe(true);
  const message = `Proposed ${proposal?.id}; the owner decides. Nothing has changed yet; do not repeat the call. list_proposals says later what became of it.`;
  const value = { proposed: proposal?.id, message };
  expect(answer, tool).toMatchObject({ value });
  const structured = answer.ok ? answer.structured : undefined;
  expect(structured === undefined ? { text } : structured, tool).toEqual(
    structured === undefined ? { text: message } : value,
  );
  if (structured !== undefined) expect(JSON.parse(text)).toEqual(value);
  expect(proposal, tool).toMatchObject({ state: 'open', tool, input: args });
  expect(proposal?.basis.length, tool).toBeGreaterThan(0);
  expect(proposal?.diff, tool).not.toBe('');
}

function sameFiles(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { modernMeta, StdioProcess, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder, untilFileEnds } from '../support/temp-folder.ts';

// Two vaults in one server. "Log" is in both, "Rose" and "Bolt" in one each.

const garden = { 'Log.md': 'garden log\n', 'Rose.md': '[[Log]]\n', 'Beds/North.md': 'leeks\n' };
const work = { 'Log.md': 'work log\n', 'Bolt.md': '[[Log]]\n' };

interface Two {
  readonly program: StdioProcess;
  readonly garden: string;
  readonly work: string;
}

/** Starts a server of both; whoever speaks the protocol of 2025 has to greet it first. */
function launchTwo(tools: string, onFinished: (end: () => void) => void = onTestFinished): Two {
  const folders = { garden: tempFolder(garden, onFinished), work: tempFolder(work, onFinished) };
  const vaults = [`Garden=${folders.garden}`, `Work=${folders.work}`];
  const args = [...vaults.flatMap((vault) => ['--vault', vault]), '--tools', tools];
  return { program: new StdioProcess({ folder: folders.garden, args, onFinished }), ...folders };
}

const onFileEnd = untilFileEnds();
let asked: Promise<StdioProcess> | undefined;

/** The server that all tests share which change nothing. */
function askedTwo(): Promise<StdioProcess> {
  const start = async (): Promise<StdioProcess> => {
    const { program } = launchTwo('notes,obsidian', onFileEnd);
    await program.initialize();
    return program;
  };
  asked ??= start();
  return asked;
}

async function startTwo(tools = 'notes,obsidian'): Promise<Two> {
  const two = launchTwo(tools);
  await two.program.initialize();
  return two;
}

const call = (program: StdioProcess, name: string, args: object): Promise<WireMessage> =>
  program.request('tools/call', { name, arguments: args });

/** The `data` of a success of the obsidian toolset. */
function dataOf({ result, error }: WireMessage): Record<string, unknown> {
  expect(error).toBeUndefined();
  const [first] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
  return (JSON.parse(first?.text ?? '') as { data: Record<string, unknown> }).data;
}

describe('a name', () => {
  it('that one vault has needs no vault, and the answer says which it was', async () => {
    const program = await askedTwo();
    for (const [name, vault, path] of [
      ['Rose', 'Garden', 'Rose.md'],
      ['North', 'Garden', 'Beds/North.md'],
      ['Bolt', 'Work', 'Bolt.md'],
    ]) {
      const read = dataOf(await call(program, 'obsidian_read_note', { name }));
      expect(read).toMatchObject({ vault, path });
      const links = dataOf(await call(program, 'obsidian_links', { name }));
      expect(links).toMatchObject({ vault, path });
    }
  });

  it('that both vaults have is refused with both, and is read where the call says', async () => {
    const program = await askedTwo();
    expect(await call(program, 'obsidian_read_note', { name: 'Log' })).toMatchObject({
      error: {
        code: -32004,
        message: expect.stringContaining('"vault"'),
        data: { errorCode: 'AMBIGUOUS_NAME', candidates: ['Garden: Log.md', 'Work: Log.md'] },
      },
    });
    for (const [vault, content] of [
      ['Garden', 'garden log\n'],
      ['work', 'work log\n'],
    ]) {
      const read = dataOf(await call(program, 'obsidian_read_note', { name: 'Log', vault }));
      expect(read).toMatchObject({ path: 'Log.md', content });
    }
  });

  it('that no vault has is not found, with what comes close', async () => {
    const program = await askedTwo();
    expect(await call(program, 'obsidian_read_note', { name: 'Ross' })).toMatchObject({
      error: {
        code: -32003,
        message: expect.stringContaining('Garden: Rose.md'),
        data: { errorCode: 'FILE_NOT_FOUND' },
      },
    });
    expect(
      await call(program, 'obsidian_read_note', { name: 'Rose', vault: 'Work' }),
    ).toMatchObject({ error: { code: -32003 } });
  });
});

describe('a vault', () => {
  it('that is unknown is -32002, and -32602 with the same errorCode in the era of 2026', async () => {
    const program = await askedTwo();
    const asked = { name: 'obsidian_read_note', arguments: { name: 'Log', vault: 'Nowhere' } };
    const data = { errorCode: 'VAULT_NOT_FOUND', vaults: ['Garden', 'Work'] };
    expect(await program.request('tools/call', asked)).toMatchObject({
      error: { code: -32002, message: expect.stringMatching(/"Garden".*"Work"/), data },
    });

    const modern = launchTwo('obsidian').program;
    const params = { ...asked, _meta: modernMeta };
    expect(await modern.request('tools/call', params)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/"Garden".*"Work"/), data },
    });
    await modern.end();
  });

  it('must be named where no note tells which one is meant', async () => {
    const { program, garden: first, work: second } = await startTwo();
    for (const [name, args] of [
      ['obsidian_search', { query: 'log' }],
      ['obsidian_create_note', { name: 'New' }],
      ['obsidian_tags', {}],
    ] as const) {
      expect(await call(program, name, args), name).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(/"Garden".*"Work"/) },
      });
    }
    const found = await call(program, 'obsidian_search', { query: 'log', vault: 'Work' });
    expect(dataOf(found)).toMatchObject({ vault: 'Work', files: ['Log.md', 'Bolt.md'] });
    await call(program, 'obsidian_create_note', { name: 'New', vault: 'Work' });
    expect([first, second].map((folder) => existsSync(join(folder, 'New.md')))).toEqual([
      false,
      true,
    ]);
    expect(dataOf(await call(program, 'obsidian_vaults', {}))).toEqual({
      vaults: ['Garden', 'Work'],
    });
    await program.end();
  });

  it('is changed without a look at the other, by both toolsets', async () => {
    const { program, garden: first, work: second } = await startTwo();
    await call(program, 'append_note', { name: 'Log', text: 'by notes', vault: 'Garden' });
    await call(program, 'obsidian_append_note', { name: 'Bolt', content: 'by obsidian' });
    await call(program, 'obsidian_rename_note', { name: 'Log', new_name: 'Diary', vault: 'Work' });
    expect(readFileSync(join(first, 'Log.md'), 'utf8')).toMatch(/^garden log\nby notes/);
    expect(readFileSync(join(first, 'Rose.md'), 'utf8')).toBe('[[Log]]\n');
    expect(readFileSync(join(second, 'Bolt.md'), 'utf8')).toMatch(/^\[\[Diary\]\]\nby obsidian/);
    const nobody = await call(program, 'read_note', { name: 'Log', vault: 'Nowhere' });
    expect(nobody.result).toMatchObject({ isError: true });
    await program.end();
  });

  it('is an argument of every tool that is listed; of none where there is one vault', async () => {
    const { program } = await startTwo('obsidian');
    const several = await vaultArguments(program);
    const without = several.filter(([, schema]) => schema === undefined).map(([name]) => name);
    expect(without).toEqual(['obsidian_vaults']);
    for (const [name, schema] of several) {
      if (schema === undefined) continue;
      expect(schema.description, name).toMatch(/one of "Garden".*"Work"|if several have the note/);
    }
    await program.end();

    const folder = tempFolder(garden);
    const alone = new StdioProcess({
      folder,
      args: ['--vault', `Mine=${folder}`, '--tools', 'obsidian'],
    });
    await alone.initialize();
    expect((await vaultArguments(alone)).filter(([, schema]) => schema !== undefined)).toEqual([]);
    // It may be named all the same, and the answer does not repeat it.
    const read = await call(alone, 'obsidian_read_note', { name: 'Rose', vault: 'MINE' });
    expect(dataOf(read)).toEqual({ path: 'Rose.md', content: '[[Log]]\n' });
    await alone.end();
  });
});

it('resources have the vault in their address, and tell of changes in it alone', async () => {
  const { program, garden: first, work: second } = await startTwo();
  const { result } = await program.request('resources/list');
  const listed = (result?.['resources'] ?? []) as readonly { uri: string }[];
  expect(listed.map(({ uri }) => uri).sort()).toEqual([
    'vault://Garden/Beds/North.md',
    'vault://Garden/Log.md',
    'vault://Garden/Rose.md',
    'vault://Work/Bolt.md',
    'vault://Work/Log.md',
  ]);
  const uri = 'vault://Work/Log.md';
  expect(await program.request('resources/read', { uri })).toMatchObject({
    result: { contents: [{ uri, text: 'work log\n' }] },
  });
  for (const wrong of ['vault://Work/Rose.md', 'vault://Nowhere/Log.md']) {
    expect(await program.request('resources/read', { uri: wrong }), wrong).toMatchObject({
      error: { code: -32002 },
    });
  }
  await program.request('resources/subscribe', { uri });
  writeFileSync(join(first, 'Log.md'), 'by hand\n');
  writeFileSync(join(second, 'Log.md'), 'by hand\n');
  const updates = (): readonly unknown[] =>
    program.messages
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => params?.['uri']);
  await vi.waitFor(() => expect(updates()).toContain(uri), { timeout: 20_000, interval: 50 });
  expect(new Set(updates())).toEqual(new Set([uri]));
  await program.end();
});

it('two vaults of one name do not start, and one sentence says why', async () => {
  const folder = tempFolder(garden);
  const program = new StdioProcess({
    folder,
    args: ['--vault', `Same=${folder}`, '--vault', `same=${tempFolder(work)}`],
  });
  expect((await program.exited).code).not.toBe(0);
  expect(program.stderr.trim()).toMatch(/^[^\n]*same[^\n]*\.$/i);
});

/** The schema of the argument `vault` of each tool that is listed. */
async function vaultArguments(
  program: StdioProcess,
): Promise<readonly (readonly [string, { description: string } | undefined])[]> {
  const { result } = await program.request('tools/list');
  const tools = (result?.['tools'] ?? []) as readonly {
    name: string;
    inputSchema: { properties?: { vault?: { description: string } } };
  }[];
  return tools.map(({ name, inputSchema }) => [name, inputSchema.properties?.vault] as const);
}

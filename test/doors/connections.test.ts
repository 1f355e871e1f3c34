import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOf, eras } from '../contract/sdk-client.ts';
import { splitContext } from '../contract/split-context.ts';
import { startSdkClient } from '../contract/stdio-door.ts';
import { firstRows } from '../support/counts.ts';
import { StdioProcess, type StdioStart, stdioEnv } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The text that a call answers with, and whether it failed. */
async function said(
  program: StdioProcess,
  name: string,
  args: object,
): Promise<{ failed: boolean; text: string }> {
  const { result } = await program.request('tools/call', { name, arguments: args });
  return answerOf(result as Parameters<typeof answerOf>[0]);
}

it('two connections and a person: whatever was written and accepted is there at the end', async () => {
  const folder = tempFolder({ 'Shared.md': 'start\n' });
  const env = stdioEnv({ folder });
  const programs = [new StdioProcess({ folder, env }), new StdioProcess({ folder, env })];
  for (const program of programs) await program.initialize();
  const accepted: string[] = ['start'];
  let refusals = 0;
  for (let round = 0; round < 6; round++) {
    const read = await Promise.all(
      programs.map(
        async (program) =>
          splitContext((await said(program, 'read_note', { name: 'Shared' })).text).result,
      ),
    );
    if (round % 2 === 0) {
      appendFileSync(join(folder, 'Shared.md'), `person ${round}\n`);
      accepted.push(`person ${round}`);
    }
    // Both write at once what they have read and a line of their own: one at most can be right.
    const written = await Promise.all(
      programs.map((program, who) =>
        said(program, 'update_note', {
          name: 'Shared',
          content: `${read[who]}writer ${who} ${round}\n`,
        }),
      ),
    );
    for (const [who, { failed, text }] of written.entries()) {
      if (!failed) accepted.push(`writer ${who} ${round}`);
      else expect(text).toMatch(/^\+(person|writer)/m); // The refusal shows what was missed.
      refusals += failed ? 1 : 0;
    }
    expect(written.filter(({ failed }) => !failed)).toHaveLength(round % 2 === 0 ? 0 : 1);
  }
  expect(refusals).toBe(9);
  expect(readFileSync(join(folder, 'Shared.md'), 'utf8').trimEnd().split('\n')).toEqual(accepted);
  for (const program of programs) await program.end();
});

describe.each(firstRows(1, eras))('auto-context in the era of %s', (era) => {
  const files = { 'Me.md': '---\ntags: [claude]\ndescription: Read first.\n---\n' };

  it('comes again after the idle time, and only then', async () => {
    const args = ['--context-every', '0.05'];
    const client = await startSdkClient({ folder: tempFolder(files), args }, { era });
    await client.listResources(); // The index is ready.
    const told = async (): Promise<boolean> => {
      const answer = answerOf(await client.callTool({ name: 'list_notes', arguments: {} }));
      return splitContext(answer.text).context?.includes('"Me" — "Read first."') ?? false;
    };
    expect([await told(), await told()]).toEqual([true, false]);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect([await told(), await told()]).toEqual([true, false]);
    await client.close();
  });

  it('comes once however many calls are the first', async () => {
    const client = await startSdkClient({ folder: tempFolder(files) }, { era });
    await client.listResources();
    const calls = Array.from({ length: 10 }, () =>
      client.callTool({ name: 'read_note', arguments: { name: 'Me' } }),
    );
    const texts = (await Promise.all(calls)).map((result) => answerOf(result).text);
    expect(texts.filter((text) => splitContext(text).context !== undefined)).toHaveLength(1);
    await client.close();
  });

  it('comes once where it is to come once', async () => {
    const args = ['--context-every', '0'];
    const client = await startSdkClient({ folder: tempFolder(files), args }, { era });
    await client.listResources();
    const texts: string[] = [];
    for (let n = 0; n < 3; n++) {
      texts.push(answerOf(await client.callTool({ name: 'list_notes', arguments: {} })).text);
    }
    expect(texts.map((text) => splitContext(text).context !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    await client.close();
  });
});

it.each<[string, Pick<StdioStart, 'args' | 'env'>]>([
  ['options', { args: ['--context', 'item', '--context-body-tags'] }],
  ['variables', { env: { VAULTDOOR_CONTEXT: 'item', VAULTDOOR_CONTEXT_BODY_TAGS: 'true' } }],
])('auto-context is a content item of its own, by %s', async (_, { args, env }) => {
  const folder = tempFolder({ 'Me.md': '---\ndescription: Read first.\n---\n#claude\n' });
  const program = new StdioProcess({
    folder,
    ...(env === undefined ? {} : { env }),
    ...(args === undefined ? {} : { args }),
  });
  await program.initialize();
  await program.request('resources/list', {}); // The index is ready.
  const { result } = await program.request('tools/call', { name: 'list_notes', arguments: {} });
  const { content } = result as { content: { text: string }[] };
  expect(content).toHaveLength(2);
  expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ notes: ['Me'] });
  expect(content[1]?.text).toMatch(
    /^\[(context-[0-9a-f]{16})\] .*is data, not an instruction\.\n[\s\S]*- "Me" — "Read first\."\n[\s\S]*\n\[\1\]$/,
  );
  await program.end();
});

describe('a call whose time is over', () => {
  it('says whether its change was made', async () => {
    const folder = tempFolder({ 'A.md': 'one\n' });
    const program = new StdioProcess({ folder, args: ['--timeout', 'append_note=0.001'] });
    await program.initialize();
    const { failed, text } = await said(program, 'append_note', { name: 'A', text: 'two' });
    const after = readFileSync(join(folder, 'A.md'), 'utf8');
    if (failed && /Nothing was changed/.test(text)) expect(after).toBe('one\n');
    else {
      expect(text).toMatch(/change"?:? ?\d+/);
      expect(after).toContain('two');
    }
    // The others have their own time.
    expect(await said(program, 'read_note', { name: 'A' })).toMatchObject({ failed: false });
    await program.end();
  });
});

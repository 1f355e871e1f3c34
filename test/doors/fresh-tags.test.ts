import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('a tag that another program has just written is allowed, and one that nobody wrote is not', async () => {
  const folder = tempFolder({ 'A.md': '#old\n' });
  const program = new StdioProcess({ folder });
  await program.initialize();
  const call = async (name: string, args: object): Promise<string> =>
    JSON.stringify(await program.request('tools/call', { name, arguments: args }));
  await call('search_notes', { query: 'old', mode: 'tag' }); // The index is complete, and watched.
  for (const n of [1, 2, 3]) {
    writeFileSync(join(folder, `Fresh ${n}.md`), `---\ntags: [fresh${n}]\n---\n`);
    const made = await call('create_note', { name: `B${n}`, frontmatter: { tags: [`fresh${n}`] } });
    expect(made).toContain('\\"created\\":true');
  }
  expect(await call('create_note', { name: 'C', frontmatter: { tags: ['nobody'] } })).toContain(
    "Tag 'nobody' not in allowed list.",
  );
  await program.end();
});

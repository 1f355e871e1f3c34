import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { StdioProcess, stdioEnv, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Whatever is hidden has "quagga" in its name, tag or text, and nothing that is asked has: so the
// word may not stand in any byte of an answer. Each question is asked without --hide as well, where
// it must bring the word up, unless it is about something else.

const files = {
  'Open.md': '---\ntags: [open]\n---\n# Open\n\nleads to [[zq]] and [[Plain]]\n',
  'Plain.md': '# Plain\n\nnothing much\n',
  'Open/Log.md': 'the open log\n',
  'Secret/Quagga/in/zq.md': 'to [[Open]] and [[Plain]]\n',
  'Secret/Zebrano quagga.md': '',
  'Secret/Quagga/in/Log.md': 'the quagga log\n',
  'Secret/Quagga/in/Log.sync-conflict-20261109-101112-ABCDEFG.md': 'the quagga log\n',
  'Secret/Quagga/in/Zebra.md':
    '---\ntags: [claude, zebra-quagga]\ndescription: Read of the quagga.\naliases: [zebra the quagga]\n---\n# Quagga heading\n\nzebra and quagga, striped, to [[Open]] and [[no quagga]]\n',
};

type Row = readonly [channel: string, method: string, params: object];

const tool = (name: string, args: object = {}): { name: string; arguments: object } => ({
  name,
  arguments: args,
});

const complete = (ref: object, name: string, value: string, given: object = {}): object => ({
  ref,
  argument: { name, value },
  context: { arguments: given },
});
const notePrompt = { type: 'ref/prompt', name: 'note' };
const taggedPrompt = { type: 'ref/prompt', name: 'tagged' };
const template = { type: 'ref/resource', uri: 'vault:///{path}' };

/** Every channel, in an order in which what is written comes last. */
const rows: readonly Row[] = [
  ['auto-context', 'tools/call', tool('read_note', { name: 'Plain' })],
  ['names', 'tools/call', tool('list_notes')],
  ['names in a folder', 'tools/call', tool('list_notes', { folder: 'Secret' })],
  ['names by time', 'tools/call', tool('list_notes', { sort: 'modified' })],
  ['folders', 'tools/call', tool('list_vault', { what: 'folders' })],
  ['tags', 'tools/call', tool('list_vault', { what: 'tags' })],
  ['broken links', 'tools/call', tool('list_vault', { what: 'broken_links' })],
  ['orphans', 'tools/call', tool('list_vault', { what: 'orphans' })],
  ['notes without links', 'tools/call', tool('list_vault', { what: 'dead_ends' })],
  ['conflict copies', 'tools/call', tool('list_vault', { what: 'conflicts' })],
  ['equal notes', 'tools/call', tool('list_vault', { what: 'duplicates' })],
  ['search of texts', 'tools/call', tool('search_notes', { query: 'striped' })],
  [
    'search in a folder',
    'tools/call',
    tool('search_notes', { query: 'striped', folder: 'Secret' }),
  ],
  ['search of names', 'tools/call', tool('search_notes', { query: 'zebra', mode: 'name' })],
  [
    'search of parts of names',
    'tools/call',
    tool('search_notes', { query: 'zeb', mode: 'name_partial' }),
  ],
  ['search of tags', 'tools/call', tool('search_notes', { query: 'claude', mode: 'tag' })],
  [
    'what a search suggests',
    'tools/call',
    tool('search_notes', { query: 'zebrano quag', mode: 'name' }),
  ],
  ['links in', 'tools/call', tool('get_links', { name: 'Open', direction: 'in' })],
  ['links out', 'tools/call', tool('get_links', { name: 'Open', direction: 'out' })],
  ['a name that is hidden', 'tools/call', tool('get_links', { name: 'Zebra' })],
  ['candidates of a name', 'tools/call', tool('read_note', { name: 'Log' })],
  ['the closest names', 'tools/call', tool('read_note', { name: 'Zebrano quag' })],
  ['the closest aliases', 'tools/call', tool('read_note', { name: 'zebra the' })],
  ['the end of a path', 'tools/call', tool('read_note', { name: 'in/Zebra' })],
  [
    'allowed tags',
    'tools/call',
    tool('create_note', { name: 'New', frontmatter: { tags: ['zebra'] } }),
  ],
  ['resources', 'resources/list', {}],
  ['completion of names', 'completion/complete', complete(notePrompt, 'name', 'zebran')],
  ['completion of tags', 'completion/complete', complete(taggedPrompt, 'tag', 'z')],
  [
    'completion of headings',
    'completion/complete',
    complete(notePrompt, 'section', '', { name: 'Zebra' }),
  ],
  ['completion of paths', 'completion/complete', complete(template, 'path', 'Sec')],
  ['the prompt context', 'prompts/get', { name: 'context' }],
  ['the prompt note', 'prompts/get', { name: 'note', arguments: { name: 'Zebra' } }],
  ['the prompt tagged', 'prompts/get', { name: 'tagged', arguments: { tag: 'claude' } }],
  ['changes', 'tools/call', tool('list_changes')],
  ['undoing what cannot be seen', 'tools/call', tool('undo_change', { id: 1, dry_run: true })],
  [
    'a rename as a diff',
    'tools/call',
    tool('rename_note', { old_name: 'Plain', new_name: 'Simple', dry_run: true }),
  ],
  [
    'a rename that hidden links follow',
    'tools/call',
    tool('rename_note', { old_name: 'Plain', new_name: 'Simple' }),
  ],
  ['a deletion that hidden links follow', 'tools/call', tool('delete_note', { name: 'Simple' })],
  ['changes of both', 'tools/call', tool('list_changes')],
  ['undoing the session', 'tools/call', tool('undo_change', { session: 'current', dry_run: true })],
  ['other notes of that name', 'tools/call', tool('create_note', { name: 'Zebra' })],
];

/** Asks everything on a vault of its own, in whose history there is a change of a hidden note. */
async function askAll(
  hide: readonly string[],
): Promise<StdioProcess & { readonly answers: WireMessage[] }> {
  const folder = tempFolder(files);
  const env = stdioEnv({ folder });
  await runCli(['append', 'Secret/Quagga/in/zq.md', 'more of the quagga'], env);
  const args = [...hide.flatMap((glob) => ['--hide', glob]), '--log-level', 'debug'];
  const program = new StdioProcess({ folder, env, args });
  await program.initialize();
  // Waits for the index, so that no answer is short of anything for want of it.
  await expect.poll(async () => (await program.request('resources/list')).result).toBeTruthy();
  const answers: WireMessage[] = [];
  for (const [, method, params] of rows) answers.push(await program.request(method, params));
  await program.end();
  return Object.assign(program, { answers });
}

describe('what is hidden is absent', () => {
  it('from every answer and from every byte', async () => {
    const hidden = await askAll(['Secret/**']);
    for (const [index, [channel]] of rows.entries()) {
      expect(JSON.stringify(hidden.answers[index]), channel).not.toMatch(/quagga/i);
    }
    expect(hidden.stdout).not.toMatch(/quagga/i);
    expect(hidden.stderr).not.toMatch(/quagga/i);
  });

  it('although every channel would show it', async () => {
    const { answers } = await askAll([]);
    const silent = rows.filter((_, index) => !/quagga/i.test(JSON.stringify(answers[index])));
    expect(silent.map(([channel]) => channel)).toEqual([]);
  });

  it('from numbers too', async () => {
    const program = new StdioProcess({ folder: tempFolder(files), args: ['--hide', 'Secret/**'] });
    await program.initialize();
    const said = async (name: string, args: object): Promise<string> =>
      JSON.stringify((await program.request('tools/call', tool(name, args))).result);
    expect(await said('list_notes', {})).toContain('\\"total\\":3');
    expect(await said('search_notes', { query: 'striped' })).toContain('\\"total\\":0');
    expect(await said('get_links', { name: 'Open', direction: 'in' })).not.toMatch(
      /"incoming\\*":\s*[1-9]/,
    );
    expect(await said('read_note', { name: 'Log' })).toContain('the open log');
    await program.end();
  });

  it('from subscriptions', async () => {
    const folder = tempFolder(files);
    const program = new StdioProcess({ folder, args: ['--hide', 'Secret/**'] });
    await program.initialize();
    const uri = 'vault:///Secret/Quagga/in/zq.md';
    expect(await program.request('resources/subscribe', { uri })).toHaveProperty('error');
    await program.end();
  });
});

describe('a folder in which everything is hidden is as if it were not there', () => {
  const { 'Open.md': open, 'Plain.md': plain, 'Open/Log.md': log } = files;
  const alone = { 'Open.md': open, 'Plain.md': plain, 'Open/Log.md': log };
  const bookmarks = {
    '.obsidian/bookmarks.json': JSON.stringify({
      items: [
        { type: 'search', query: 'quagga' },
        { type: 'folder', path: 'Secret' },
        { type: 'group', title: 'quagga', items: [{ type: 'file', path: 'Open.md' }] },
      ],
    }),
  };

  const questions: readonly (readonly [string, object])[] = [
    ['read_note', { name: 'Secret' }],
    ['read_note', { path: 'Secret' }],
    ['read_note', { name: 'secret/' }],
    ['read_section', { name: 'Secret/Quagga', section: 'x' }],
    ['list_notes', { folder: 'Secret' }],
    ['list_notes', { folder: 'Secret/Quagga' }],
    ['list_vault', { what: 'folders', folder: 'Secret' }],
    ['list_vault', { what: 'tags', folder: 'Secret' }],
    ['rename_note', { old_name: 'Secret/', new_name: 'Other/' }],
    ['rename_note', { old_name: 'Secret', new_name: 'Other' }],
    ['search_notes', { query: 'log', folder: 'Secret' }],
    ['append_note', { path: 'Secret', text: 'x' }],
    ['delete_note', { name: 'Secret' }],
    ['rename_note', { old_name: 'Secret', new_name: 'X' }],
    ['rename_note', { old_name: 'Plain', new_name: 'Secret/Plain' }],
    ['create_note', { name: 'Secret/New' }],
    ['list_changes', { name: 'Secret' }],
    ['obsidian_folders', {}],
    ['obsidian_folders', { folder: 'Secret' }],
    ['obsidian_folder_info', { folder: 'Secret' }],
    ['obsidian_folder_info', {}],
    ['obsidian_files', { folder: 'Secret' }],
    ['obsidian_bookmarks', {}],
    ['obsidian_bookmark_add', { path: 'Secret' }],
    ['vault_search', { query: 'log', path_filter: 'Secret/**' }],
    ['note_read', { path: 'Secret' }],
    ['note_upsert', { path: 'Secret/New.md', content: 'x' }],
    ['adr_create', { title: 'Next', content: 'x' }],
    ['devlog_append', { topic: 'Log', entry: 'x' }],
    ['obsidian_move_note', { path: 'Open/Log.md', to: 'Secret' }],
  ];

  async function answers(vault: Readonly<Record<string, string>>): Promise<string[]> {
    const args = ['--hide', 'Secret/**', '--tools', 'notes,obsidian,agent'];
    const program = new StdioProcess({ folder: tempFolder(vault), args });
    await program.initialize();
    await program.request('tools/call', tool('list_notes')); // Auto-context is told here.
    const said: string[] = [];
    for (const [name, given] of questions) {
      const answer = await program.request('tools/call', tool(name, given));
      said.push(`${name}: ${JSON.stringify({ ...answer, id: 0 })}`);
    }
    await program.end();
    return said;
  }

  it('in every toolset', async () => {
    const hidden = await answers({ ...files, ...bookmarks });
    expect(hidden).toEqual(await answers({ ...alone, ...bookmarks }));
    const bookmarked = hidden.find((said) => said.startsWith('obsidian_bookmarks'));
    expect(bookmarked).toMatch(/Open\.md(?!.*quagga)/);
    const writing = hidden.filter((said) =>
      /^(create_note|note_upsert|rename_note: .*may not see)/.test(said),
    );
    expect(writing).toHaveLength(3);
    for (const said of writing) expect(said).toContain('files that this connection may not see');
  });
});

describe('what is hidden is as if it were not there', () => {
  const there = 'Secret/Quagga/in/Zebra';
  const nowhere = 'Secret/Quagga/in/Nothing';

  // Each asked of a note that is hidden, and of one that does not exist.
  const questions: readonly (readonly [string, (path: string) => readonly [string, object]])[] = [
    ['reading by name', (path) => ['tools/call', tool('read_note', { name: path })]],
    ['reading by path', (path) => ['tools/call', tool('read_note', { path: `${path}.md` })]],
    ['properties', (path) => ['tools/call', tool('get_frontmatter', { path })]],
    ['a section', (path) => ['tools/call', tool('read_section', { path, section: 'x' })]],
    ['links', (path) => ['tools/call', tool('get_links', { path })]],
    ['appending', (path) => ['tools/call', tool('append_note', { path, text: 'x' })]],
    ['creating', (path) => ['tools/call', tool('create_note', { name: path })]],
    [
      'replacing',
      (path) => ['tools/call', tool('replace_note', { path, old_text: 'zebra', new_text: 'x' })],
    ],
    ['renaming', (path) => ['tools/call', tool('rename_note', { old_name: path, new_name: 'X' })]],
    [
      'renaming onto it',
      (path) => ['tools/call', tool('rename_note', { old_name: 'Open', new_name: path })],
    ],
    ['deleting', (path) => ['tools/call', tool('delete_note', { name: path })]],
    ['its changes', (path) => ['tools/call', tool('list_changes', { name: path })]],
    ['a resource', (path) => ['resources/read', { uri: `vault:///${encodeURI(path)}.md` }]],
    [
      'a subscription',
      (path) => ['resources/subscribe', { uri: `vault:///${encodeURI(path)}.md` }],
    ],
    ['a prompt', (path) => ['prompts/get', { name: 'note', arguments: { name: path } }]],
  ];

  it('for whoever knows its path', async () => {
    const program = new StdioProcess({ folder: tempFolder(files), args: ['--hide', 'Secret/**'] });
    await program.initialize();
    await program.request('tools/call', tool('list_notes')); // Auto-context is told here.
    const told: string[] = [];
    for (const [what, question] of questions) {
      const [[method, params], [, other]] = [question(there), question(nowhere)];
      const hidden = await program.request(method, params);
      const absent = await program.request(method, other);
      const neutral = (answer: WireMessage): string =>
        JSON.stringify({ ...answer, id: 0 }).replaceAll('Nothing', 'Zebra');
      if (neutral(hidden) !== neutral(absent)) told.push(`${what}: ${neutral(hidden)}`);
    }
    expect(told).toEqual([]);
    await program.end();
  });
});

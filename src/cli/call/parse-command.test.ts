import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import { defineTool } from '../../tools/define/define-tool.ts';
import { splitCommand } from '../options/command-line.ts';
import { parseCommand, usage } from './parse-command.ts';

const tool = defineTool({
  name: 'put',
  title: 'Put',
  description: 'Puts.',
  effect: 'write',
  input: z.object({
    name: z.string(),
    text: z.string(),
    dryRun: z.boolean().default(false),
    old_name: z.string().optional(),
    tags: z.array(z.string()).optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    version: z.string().optional(),
  }),
  output: z.string(),
  record: [],
  positional: ['name', 'text', 'tags'],
  content: { argument: 'text', bytesMax: 100 },
  run: async () => '',
});
const lines = defineTool({
  ...tool,
  input: z.object({ lines: z.string() }),
  positional: [],
  content: { argument: 'lines', bytesMax: 100, otherwise: 'stdin' },
  run: async () => '',
});

const query = defineTool({
  ...tool,
  input: z.object({ query: z.string(), limit: z.string().optional() }),
  positional: ['query'],
  joinsWords: true,
  run: async () => '',
});

function parsed(argv: readonly string[], of = tool): unknown {
  try {
    const { args, content, vault, allowRoots } = parseCommand(of, argv);
    return {
      ...args,
      ...(content === undefined ? {} : { content }),
      ...(vault === undefined ? {} : { vault }),
      ...(allowRoots.length === 0 ? {} : { allowRoots }),
    };
  } catch (error) {
    return error instanceof VaultError ? error.message : error;
  }
}

describe('parseCommand', () => {
  it('joins all words for a command that looks for words', () => {
    expect(parsed(['trip', '--limit', '3', 'to', 'japan'], query)).toEqual({
      query: 'trip to japan',
      limit: '3',
    });
    expect(usage(query)).toBe('put <query>…');
  });

  it.each<[string, string[], unknown]>([
    ['words go to their places', ['A', 'x'], { name: 'A', text: 'x' }],
    [
      'the last place may be a list',
      ['A', 'x', 'a', 'b'],
      { name: 'A', text: 'x', tags: ['a', 'b'] },
    ],
    [
      'a list may be given by flags',
      ['A', 'x', '--tags', 'a', '--tags=b'],
      { name: 'A', text: 'x', tags: ['a', 'b'] },
    ],
    [
      'camelCase is typed with dashes',
      ['A', 'x', '--dry-run'],
      { name: 'A', text: 'x', dryRun: true },
    ],
    [
      'snake_case is typed with dashes',
      ['A', 'x', '--old-name', 'B'],
      { name: 'A', text: 'x', old_name: 'B' },
    ],
    [
      'a version is typed --if-version',
      ['A', 'x', '--if-version', 'ab'],
      { name: 'A', text: 'x', version: 'ab' },
    ],
    [
      'an object is typed as JSON',
      ['A', 'x', '--properties', '{"a":1}'],
      { name: 'A', text: 'x', properties: { a: 1 } },
    ],
    ['a list item is text', ['A', '- milk'], { name: 'A', text: '- milk' }],
    ['a task is text', ['A', '- [ ] milk'], { name: 'A', text: '- [ ] milk' }],
    ['a negative number is text', ['A', '-5'], { name: 'A', text: '-5' }],
    ['properties are text', ['A', '---\na: 1\n---\n'], { name: 'A', text: '---\na: 1\n---\n' }],
    ['nothing after -- is a flag', ['--', '--dry-run', '--x'], { name: '--dry-run', text: '--x' }],
    ['a value may begin with a dash', ['A', '--text', '-5'], { name: 'A', text: '-5' }],
    ['a value may have an equals sign', ['A', '--text=a=b\nc'], { name: 'A', text: 'a=b\nc' }],
    ['a value may be empty', ['A', ''], { name: 'A', text: '' }],
    [
      'the last of two values counts',
      ['A', '--text', '1', '--text', '2'],
      { name: 'A', text: '2' },
    ],
    ['a dash means stdin', ['A', '-'], { name: 'A', content: { from: 'stdin' } }],
    ['a dash behind a flag is a dash', ['A', '--text=-'], { name: 'A', text: '-' }],
    ['a dash for another argument is a dash', ['-', 'x'], { name: '-', text: 'x' }],
    [
      '--from names a file',
      ['A', '--from', 'f'],
      { name: 'A', content: { from: 'file', file: 'f' } },
    ],
    ['--from - is stdin', ['A', '--from', '-'], { name: 'A', content: { from: 'stdin' } }],
    [
      'common flags stand anywhere',
      ['--json', 'A', '--vault', 'v', 'x', '--allow-root', 'r'],
      { name: 'A', text: 'x', vault: 'v', allowRoots: ['r'] },
    ],
  ])('%s', (_name, argv, expected) => {
    expect(parsed(argv)).toEqual(expected);
  });

  it.each<[string, string[], RegExp]>([
    [
      'an unknown flag',
      ['A', 'x', '--zzz=1'],
      /^There is no option "--zzz"\. "vaultdoor put --help"/,
    ],
    [
      'a misspelled flag',
      ['A', 'x', '--dyr-run'],
      /^There is no option "--dyr-run"; use "--dry-run"\. /,
    ],
    [
      'a flag of another program',
      ['A', '--body', 'x'],
      /^There is no option "--body"; use "--text"\. /,
    ],
    ['a short flag', ['A', '-x'], /^There is no option "-x"\./],
    ['a flag without its value', ['A', '--text'], /^"--text" needs a value\./],
    [
      'a flag in place of a value',
      ['A', '--text', '--dry-run'],
      /^"--text" needs a value; if "--dry-run" is the value, write "--text=--dry-run"/,
    ],
    ['a value for a switch', ['A', 'x', '--dry-run=no'], /^"--dry-run" takes no value\./],
    [
      'a missing argument',
      ['--text', 'x'],
      /^"put" needs name: vaultdoor put <name> <text> \[tags\]…$/,
    ],
    [
      'missing text, with the three ways',
      ['A'],
      /as an argument, "-" to read it from stdin, or --from <file>\.$/,
    ],
    ['text from two places', ['A', 'x', '--from', 'f'], /^"put" takes its text from one place/],
    ['what is not JSON', ['A', 'x', '--properties', 'a=1'], /^"--properties" takes JSON/],
  ])('refuses %s', (_name, argv, expected) => {
    expect(parsed(argv)).toMatch(expected);
  });

  it('refuses more words than there are places', () => {
    expect(parsed(['x'], lines)).toMatch(/^"put" takes no arguments/);
  });

  it('reads stdin for a tool that does so by itself', () => {
    expect(parsed([], lines)).toEqual({ content: { from: 'stdin' } });
    expect(parsed(['--lines', 'x'], lines)).toEqual({ lines: 'x' });
  });

  // As many as a command line of Linux has room for; copying the list for each would take minutes.
  it.each<[string, string]>([
    ['words', 'a'],
    ['words after --', 'a'],
    ['values of one flag', '--tags=a'],
  ])('takes time in proportion to the number of %s', (what, word) => {
    const count = 200_000;
    const before = what === 'words after --' ? ['A', 'x', '--'] : ['A', 'x'];
    const { args } = parseCommand(tool, [...before, ...Array<string>(count).fill(word)]);
    expect(args['tags']).toHaveLength(count);
  });

  it('says how a command is typed', () => {
    expect(usage(tool)).toBe('put <name> <text> [tags]…');
  });
});

describe('splitCommand', () => {
  const names = ['read', 'tags', 'tag add', 'tag rename'];
  it.each<[string, string[], string | undefined, string[]]>([
    ['one word', ['read', 'A'], 'read', ['A']],
    ['two words', ['tag', 'rename', 'a', 'b'], 'tag rename', ['a', 'b']],
    [
      'flags before and between',
      ['--json', 'tag', '--vault', 'v', 'add', 'A'],
      'tag add',
      ['--json', '--vault', 'v', 'A'],
    ],
    ['no second word that is none', ['read', 'rename'], 'read', ['rename']],
    ['half a command', ['tag', 'frob'], 'tag', ['frob']],
    ['half a command alone', ['tag'], 'tag', []],
    ['no command', ['--vault=v'], undefined, ['--vault=v']],
    ['words behind -- are no command', ['tag', '--', 'add'], 'tag', ['--', 'add']],
  ])('reads %s', (_name, argv, name, rest) => {
    expect(splitCommand(argv, names)).toEqual(name === undefined ? { rest } : { name, rest });
  });
});

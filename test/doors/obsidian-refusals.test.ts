import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AnyTool } from '../../src/tools/define/define-tool.ts';
import { given } from '../../src/tools/define/note-input.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { listedTool } from '../../src/tools/service/listed-tool.ts';
import { leftOut, otherArguments, pathArguments } from '../contract/tool-arguments.ts';
import { StdioProcess, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// All tools of all toolsets that are served, by their schemas: a tool or an argument that is added
// later is asked too, and an argument that this file does not know fails it.

const tools: readonly AnyTool[] = [
  ...notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 }).tools,
  ...obsidianToolset().tools,
];

const files = {
  'A.md': '# One\n\nmoss\n- [ ] a task\n',
  'Sub/B.md': '[[A]]\n',
  'Templates/T.md': '# {{title}}\n',
  'Books.base': '',
  '.obsidian/templates.json': '{"folder":"Templates"}',
  '.obsidian/app.json': '{"quagga":true}',
  '.secret/Note.md': 'a quagga\n',
  'Sub/.secret/Note.md': 'a quagga\n',
};

const argumentsOf = (tool: AnyTool): readonly string[] => Object.keys(tool.input.shape);

/** What a call needs at least, so that only its effect or a path keeps it from being carried out. */
function needed(tool: AnyTool): Record<string, unknown> {
  const { required = [] } = listedTool(tool).inputSchema as { required?: readonly string[] };
  const known = { ...pathArguments, ...otherArguments };
  const asked = [
    ...required,
    ...argumentsOf(tool).filter((name) => ['after', 'line', 'data'].includes(name)),
    // One property of one note, or several of several: so none of its arguments is required.
    ...(tool.name === 'set_frontmatter' ? ['key', 'value'] : []),
  ];
  return Object.fromEntries(asked.map((name) => [name, known[name]]));
}

/** The same about another file: a path stands in place of a name. */
function neededWith(tool: AnyTool, argument: string, path: string): Record<string, unknown> {
  const { name, old_name: oldName, ...others } = needed(tool);
  const note = argument === 'path' ? {} : given({ name, old_name: oldName });
  return { ...note, ...others, [argument]: path };
}

const pathsOf = (tool: AnyTool): readonly string[] =>
  argumentsOf(tool).filter(
    (name) => name in pathArguments && `${tool.name}.${name}` !== 'obsidian_history_diff.to',
  );

const start = (...args: readonly string[]): { folder: string; args: readonly string[] } => ({
  folder: tempFolder(files),
  args: ['--tools', 'notes,obsidian', ...args],
});

/** How a call failed; undefined when it did not. */
function failureOf({ result, error }: WireMessage): string | undefined {
  if (error !== undefined) return error.message;
  if (result?.['isError'] !== true) return undefined;
  return (result['content'] as readonly { text: string }[]).map(({ text }) => text).join('');
}

/** Every file of a folder with its text, hidden ones too. */
function textsIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

it('test/contract/tool-arguments.ts knows every argument of every tool', () => {
  const known = [...Object.keys({ ...pathArguments, ...otherArguments }), ...leftOut];
  const unknown = tools.flatMap((tool) =>
    argumentsOf(tool)
      .filter((name) => !known.includes(name))
      .map((name) => `${tool.name}.${name}`),
  );
  expect(unknown).toEqual([]);
});

it('read-only lists no tool that writes, and runs none', async () => {
  const { folder, args } = start('--read-only');
  const before = textsIn(folder);
  const program = new StdioProcess({ folder, args });
  await program.initialize();
  const { result } = await program.request('tools/list');
  const listed = (result?.['tools'] ?? []) as readonly { name: string }[];
  const reading = tools.filter(({ effect }) => effect === 'read').map(({ name }) => name);
  expect(listed.map(({ name }) => name).sort()).toEqual([...reading].sort());

  const writing = tools.filter(({ effect }) => effect !== 'read');
  expect(writing.length).toBeGreaterThan(20);
  for (const tool of writing) {
    const call = { name: tool.name, arguments: needed(tool) };
    expect(failureOf(await program.request('tools/call', call)), tool.name).toMatch(
      /^Nothing can be (changed|deleted or undone) here/,
    );
  }
  await program.end();
  expect(textsIn(folder)).toEqual(before);
});

/** Why one of several notes could not be read: `read_note` with `names` reads the others all the same. */
function failureOfOne({
  result,
}: Awaited<ReturnType<StdioProcess['request']>>): string | undefined {
  return /\{\\"notes\\":\[\{\\"name\\":.*?\\"error\\":\\"(.*?)\\"\}\]/.exec(
    JSON.stringify(result),
  )?.[1];
}

it('a path with a dot segment is refused in every argument of every tool', async () => {
  const { folder, args } = start();
  const before = textsIn(folder);
  const program = new StdioProcess({ folder, args });
  await program.initialize();
  const asked = tools.flatMap((tool) =>
    pathsOf(tool).flatMap((argument) =>
      ['.obsidian/app.json', '.secret/Note', 'Sub/.secret/Note.md', '.secret', '../A', './A'].map(
        (path) => ({ tool, argument, path }),
      ),
    ),
  );
  expect(asked.length).toBeGreaterThan(300);
  const allowed: string[] = [];
  for (const { tool, argument, path } of asked) {
    const call = { name: tool.name, arguments: neededWith(tool, argument, path) };
    const answer = await program.request('tools/call', call);
    const failure = failureOf(answer) ?? failureOfOne(answer);
    expect(JSON.stringify(answer)).not.toContain('quagga');
    if (failure === undefined ? !isEmptyHistory(tool, answer) : !isAbout(path, failure)) {
      allowed.push(`${tool.name} ${argument}=${path}: ${failure ?? JSON.stringify(answer.result)}`);
    }
  }
  await program.end();
  expect(allowed).toEqual([]);
  expect(textsIn(folder)).toEqual(before);
});

/** History is asked for what a note was once called, which may be anything. */
function isEmptyHistory({ name }: AnyTool, { result }: WireMessage): boolean {
  return name === 'list_changes' && JSON.stringify(result).includes('{\\"total\\":0,');
}

/** Whether a failure is about this path, and not about something else. */
function isAbout(path: string, failure: string): boolean {
  return (
    failure.includes(path) ||
    failure.includes('A path cannot contain') ||
    failure.includes('cannot begin with a dot')
  );
}

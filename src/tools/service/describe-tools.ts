import type { z } from 'zod';
import type { AnyTool } from '../define/define-tool.ts';
import type { Toolset, ToolsetName } from '../define/toolset.ts';
import { listedTool, outputSchemaOf } from './listed-tool.ts';

/** `docs/tools.md`: every tool of every toolset, as its definition says. */
export function describeTools(toolsets: readonly Toolset[]): string {
  return [
    '# Tools',
    '',
    'Generated from the definitions in `src/tools` by `npm run docs`; a test fails when it is stale.',
    ...toolsets.flatMap((toolset) => [
      '',
      `## Toolset \`${toolset.name}\``,
      '',
      introductions[toolset.name],
      ...describeAll(toolset, toolset.tools),
      ...describeAll(toolset, toolset.forProposers ?? [], forProposers),
    ]),
    '',
  ].join('\n');
}

const forProposers = 'Only for clients that can do no more than propose changes.';

function describeAll(
  { structured }: Toolset,
  tools: readonly AnyTool[],
  ...more: readonly string[]
): string[] {
  return tools.flatMap((tool) => [
    ...describeTool(tool),
    ...(structured ? ['', describeAnswer(tool)] : []),
    ...more.flatMap((line) => ['', line]),
  ]);
}

const introductions: Readonly<Record<ToolsetName, string>> = {
  cli: 'The commands of `vaultdoor`. Each answers text for people, and its value as JSON with `--json`.',
  notes:
    'What a model is given to read and write notes with. Where `name` or `old_name` is listed, `path` is accepted in its place and means exactly that file (`.md` optional); an argument that the tool does not have is refused; numbers and truth values may come as text. `read_note` and `read_section` answer with plain text, all others with JSON, and no answer is longer than 40,000 characters.',
  obsidian:
    'Tools that work like the commands of Obsidian\'s own command line. All but `obsidian_open_note`, `obsidian_commands`, `obsidian_run_command`, `obsidian_tabs` and `obsidian_recents` work without the app. Each answers `{"success":true,"data":{…}}`; a failure is a JSON-RPC error. `path` in place of `name`, numbers as text and the limit of 40,000 characters are as in `notes`; a list or note that goes on has `next_offset`.',
  agent:
    'What an agent that keeps its own notes is given, over HTTP unless `--tools` says otherwise. `path` is exactly that file from the root of the vault, with its `.md`; nothing is resolved. Results are structured, with the same JSON as text. `vault_sync` and `adr_publish` are listed only where they are set up.',
  fs: 'The files as they are, dot names included, for clients of the remote protocol and nobody else: `docs/remote.md` has what each answers, and its errors. Symlinks are followed inside the vault. Every change is in the history and can be undone. `fs.thumbnail` is listed only where thumbnails can be made, `fs.search` only where there is an index.',
  console: "What the web page of the vault's owner asks for; no client and no model is served it.",
};

/** What a structured result has, in one line. */
function describeAnswer(tool: AnyTool): string {
  const { properties = {}, required = [] } = outputSchemaOf(tool) as z.core.JSONSchema.Schema;
  const fields = Object.keys(properties).map(
    (name) => `\`${name}\`${required.includes(name) ? '' : ' (sometimes)'}`,
  );
  return `Answers ${fields.join(', ')}.`;
}

function describeTool(tool: AnyTool): string[] {
  const { properties = {}, required = [] } = listedTool(tool)
    .inputSchema as z.core.JSONSchema.Schema;
  const rows = Object.entries(properties).map(([name, property]) => {
    const shape = typeof property === 'object' ? property : {};
    const types = shape.enum?.map((value) => `\`${String(value)}\``) ?? shape.type ?? '';
    const type = Array.isArray(types) ? types.join(', ') : types;
    const fallback =
      shape.default === undefined || shape.default === '' ? '' : ` Default: \`${shape.default}\`.`;
    const need = required.includes(name) ? 'yes' : '';
    const meaning = (shape.description ?? '').replace(/([^.])$/, '$1.');
    return `| \`${name}\` | ${type} | ${need} | ${meaning}${fallback} |`;
  });
  return [
    '',
    `### \`${tool.name}\``,
    '',
    `${tool.description} (${tool.effect})`,
    ...(rows.length === 0
      ? []
      : ['', '| argument | type | required | meaning |', '|---|---|---|---|', ...rows]),
  ];
}

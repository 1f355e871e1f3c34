import { z } from 'zod';
import type { AnyTool } from './define-tool.ts';
import type { Toolset } from './toolset.ts';

/** `docs/tools.md`: every tool of every toolset, as its definition says. */
export function describeTools(toolsets: readonly Toolset[]): string {
  return [
    '# Tools',
    '',
    'Generated from the definitions in `src/tools` by `npm run docs`; a test fails when it is stale.',
    ...toolsets.flatMap((toolset) => [
      '',
      `## Toolset \`${toolset.name}\``,
      ...toolset.tools.flatMap(describeTool),
    ]),
    '',
  ].join('\n');
}

function describeTool(tool: AnyTool): string[] {
  const schema = z.toJSONSchema(tool.input, { io: 'input' });
  const required = schema.required ?? [];
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const shape = typeof property === 'object' ? property : {};
    const type = shape.enum?.map((value) => `\`${String(value)}\``).join(', ') ?? shape.type ?? '';
    const fallback =
      shape.default === undefined || shape.default === '' ? '' : ` Default: \`${shape.default}\`.`;
    const need = required.includes(name) ? 'yes' : '';
    return `| \`${name}\` | ${type} | ${need} | ${shape.description ?? ''}${fallback} |`;
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

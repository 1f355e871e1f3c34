import type { Effect } from '../../base/caller.ts';
import { nearestName } from './nearest-name.ts';
import type { Instead, Toolset } from './toolset.ts';

/**
 * What does the same as an argument that a tool does not have: `use read_section`. Undefined when
 * the toolset does not say.
 */
export function insteadOfArgument(
  { elsewhere, tools }: Pick<Toolset, 'elsewhere' | 'tools'>,
  tool: string,
  argument: string,
): string | undefined {
  const instead = own(own(elsewhere?.arguments, tool), argument);
  if (typeof instead === 'string' || instead === undefined) return instead;
  return tools.some(({ name }) => name === instead.tool) ? use(instead) : undefined;
}

/**
 * What to use in place of a tool that does not exist: `use list_vault with what "tags"`. Undefined
 * when no tool does that, and none has a similar name. `forbidden` are tools that only others may
 * use: where one of them does it, that is said, without its name.
 */
export function insteadOfTool(
  name: string,
  served: {
    readonly tools: readonly { readonly name: string; readonly effect?: Effect }[];
    readonly toolsets?: readonly Pick<Toolset, 'elsewhere'>[];
    readonly forbidden?: ReadonlySet<string>;
  },
): string | undefined {
  const names = new Set(served.tools.map((tool) => tool.name));
  for (const { elsewhere } of served.toolsets ?? []) {
    const known = [own(elsewhere?.tools, name.toLowerCase()) ?? []].flat();
    const instead = known.find(({ tool }) => names.has(tool));
    if (instead !== undefined) return use(instead);
    if (known.some(({ tool }) => served.forbidden?.has(tool))) return notAllowed;
  }
  const nearest = nearestName(name, names);
  return nearest && `use ${nearest}`;
}

const notAllowed =
  'what it does is not allowed here; "tools/list" lists the tools that you may use';

function use({ tool, with: argument }: Instead): string {
  return argument === undefined ? `use ${tool}` : `use ${tool} with ${argument}`;
}

/** An entry of a table that callers choose: names that every object has are none. */
function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

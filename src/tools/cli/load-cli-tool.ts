import type { AnyTool, Paint } from '../define/define-tool.ts';
import type { Toolset } from '../define/toolset.ts';

// A command needs one tool. Loading all of them takes as long as starting Node.

type Load = () => Promise<object>;

const files: readonly (readonly [readonly string[], Load])[] = [
  [['info', 'list', 'duplicates', 'check'], () => import('./vault.ts')],
  [['read', 'section', 'facts'], () => import('./read.ts')],
  [['search'], () => import('./search.ts')],
  [['recent'], () => import('./recent.ts')],
  [['tasks', 'task'], () => import('./tasks.ts')],
  [['base', 'query'], () => import('./bases.ts')],
  [['links', 'backlinks', 'unresolved', 'orphans', 'link', 'related'], () => import('./links.ts')],
  [['graph'], () => import('./graph.ts')],
  [['tags', 'tag add', 'tag remove', 'tag rename'], () => import('./tags.ts')],
  [['properties', 'set', 'unset', 'property rename'], () => import('./properties.ts')],
  [['conflicts list', 'conflicts show', 'conflicts merge'], () => import('./conflicts.ts')],
  [['create', 'upsert', 'attach', 'daily', 'template'], () => import('./create.ts')],
  [
    ['append', 'prepend', 'update', 'replace', 'insert', 'replace-section'],
    () => import('./edit.ts'),
  ],
  [
    ['rename', 'move', 'move-folder', 'rename-heading', 'rename-block'],
    () => import('./rename.ts'),
  ],
  [['delete'], () => import('./delete.ts')],
  [['history', 'show'], () => import('./history.ts')],
  [['undo', 'redo'], () => import('./undo.ts')],
  [['batch'], async () => (await import('./cli-toolset.ts')).cliToolGroups.flatMap((g) => g.tools)],
];

/** The names of all commands that are tools. */
export const cliToolNames: readonly string[] = files.flatMap(([names]) => names);

/** Loads the tool of one command; undefined when there is none of this name. */
export async function loadCliTool(name: string): Promise<AnyTool | undefined> {
  const [, load] = files.find(([names]) => names.includes(name)) ?? [];
  const exported: readonly Partial<AnyTool>[] = Object.values((await load?.()) ?? {});
  return exported.find((each) => each.name === name) as AnyTool | undefined;
}

/** Some commands as a toolset. Results are text for people, in these colours. */
export function cliToolsetOf(tools: readonly AnyTool[], paint: Paint): Toolset {
  return {
    name: 'cli',
    tools,
    advice: ({ details: { undoneBy } }) =>
      undoneBy === undefined ? undefined : `"vaultdoor redo ${undoneBy}" brings it back.`,
    voice: {
      result: (tool, value) => [
        { type: 'text', text: tool.text?.(value, paint) ?? `${JSON.stringify(value)}\n` },
      ],
      failure: (error) => [{ type: 'text', text: error.message }],
    },
  };
}

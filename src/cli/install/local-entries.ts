import { record } from '../../base/json.ts';
import { valueAt } from './plan-uninstall.ts';
import { type Server, serverOf } from './server-entry.ts';

/** An entry of ours that a client uses only when it is started in one folder. */
export interface LocalEntry {
  readonly server: Server;
  readonly folder: string;
}

/**
 * Our entries of Claude Code's scope "local", which `claude mcp add` takes unless it is told another.
 * They are in the user's file under the folder in which they were added, and Claude Code prefers them
 * to the others there. They are only shown: the command of Claude Code takes them out.
 */
export function localEntries(text: string | undefined): readonly LocalEntry[] {
  if (text === undefined || text.trim() === '') return [];
  const projects = Object.entries(record(valueAt(text, ['projects'])));
  return projects.flatMap(([folder, project]) =>
    Object.entries(record(record(project)['mcpServers']))
      .map(([name, value]) => ({ server: serverOf(name, value), folder }))
      .filter(({ server }) => server.isOurs),
  );
}

/** The command that takes such an entry out, to be typed in its folder. */
export function removeLocal({ server }: LocalEntry): string {
  return `claude mcp remove --scope local ${server.name}`;
}

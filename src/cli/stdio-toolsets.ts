import { VaultError } from '../base/vault-error.ts';
import { notesToolset } from '../tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../tools/obsidian/obsidian-toolset.ts';
import type { Toolset } from '../tools/toolset.ts';
import type { StdioOptions } from './stdio-options.ts';

/**
 * The toolsets that the options of `vaultdoor stdio` ask for, for vaults of these names. Fails with
 * `invalid_input` when a deadline is for a tool that none of them has.
 */
export function stdioToolsets(
  options: StdioOptions,
  vaults: readonly string[],
): readonly Toolset[] {
  const { tagPolicy, history, contextEveryMs } = options;
  const toolsets = options.toolsets.map((name) =>
    name === 'notes'
      ? notesToolset({ tagPolicy, history, contextEveryMs })
      : obsidianToolset({ vaults }),
  );
  const names = new Set(toolsets.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const unknown = [...options.toolDeadlinesMs.keys()].find((name) => !names.has(name));
  if (unknown === undefined) return toolsets;
  throw new VaultError(
    'invalid_input',
    `"--timeout" names "${unknown}", and no tool has that name.`,
  );
}

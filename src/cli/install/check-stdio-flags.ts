import { isAbsolute } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { notesToolset } from '../../tools/notes/notes-toolset.ts';
import { readStdioOptions } from '../stdio-options.ts';

/**
 * Refuses flags for `vaultdoor stdio` that would keep a server from starting where nobody sees it,
 * or that mean something else there: it starts in a folder of the client's choice.
 */
export function checkStdioFlags(flags: readonly string[]): void {
  const options = readStdioOptions(flags);
  if (options.vault !== undefined) throw refusal('Give --vault before "--".');
  const relative = options.allowRoots.find((root) => !isAbsolute(root));
  if (relative !== undefined) {
    throw refusal(`Give "--allow-root ${relative}" as an absolute path.`);
  }
  const { tools } = notesToolset(options);
  for (const name of options.toolDeadlinesMs.keys()) {
    if (tools.some((tool) => tool.name === name)) continue;
    throw refusal(`"--timeout" names "${name}", and no tool has that name.`);
  }
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', reason);
}

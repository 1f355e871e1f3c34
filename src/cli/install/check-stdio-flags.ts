import { isAbsolute } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { serverToolsets } from '../server-toolsets.ts';
import { readStdioOptions, stdioWords } from '../stdio-options.ts';

/**
 * Refuses flags with which `vaultdoor stdio` would not start: the client would start it, and nobody
 * would see the message. Also refuses relative paths, because the client chooses the folder in which
 * it starts.
 */
export async function checkStdioFlags(flags: readonly string[]): Promise<void> {
  const options = readStdioOptions(stdioWords(flags, {}));
  if (options.vaults.length > 0) throw refusal('Give --vault before "--".');
  const relative = options.allowRoots.find((root) => !isAbsolute(root));
  if (relative !== undefined) {
    throw refusal(`Give "--allow-root ${relative}" as an absolute path.`);
  }
  const checkout = options.publish?.checkout;
  if (checkout !== undefined && !isAbsolute(checkout)) {
    throw refusal(`Give "--adr-repo ${checkout}" as an absolute path.`);
  }
  await serverToolsets(options, []);
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', reason);
}
